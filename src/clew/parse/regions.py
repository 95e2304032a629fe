"""Which elements of a page are regions of their own: its main content, or what is no content at all."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborNode

MAX_NAMES: Final = 20_000  # of classes, remembered

NO_CONTENT: Final = frozenset(["nav", "footer", "aside", "select", "button", "svg", "textarea", "menu"])
REGIONS: Final = NO_CONTENT | {"div", "section", "article", "main", "header", "ul", "ol", "table", "dl", "form", "p"}
"""The other ones may be left out for their classes."""
ROLES: Final = frozenset(
    ["navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "toolbar"]
)
HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
# By which classes and ids call what is not their content.
WORDS: Final = """
    nav navi navigation navbar navheader navfooter navbox topnav subnav sidenav menu menus menubar submenu
    dropdown sidebar sidebars sphinxsidebar rightbar leftbar topbar bottombar toolbar masthead footer footers foot
    colophon copyright imprint breadcrumb breadcrumbs crumbs pager pagination paginator toc localtoc
    tableofcontents minitoc ad ads advert adverts advertisement advertising adsense sponsor sponsored sponsors
    promo promotion promoted social share sharing addthis newsletter subscribe subscription follow cookie cookies
    consent gdpr popup modal overlay lightbox related recommended recommendations trending comment comments disqus
    login signin signup searchbox searchform search skip skiplink hidden invisible noprint printonly catlinks
    editsection
"""
NOT_CONTENT: Final = frozenset(WORDS.split())

ASIDE: Final = b"\0("
"""The mark of a region that is left out."""
MAIN: Final = b"\0["
"""The mark of the main content."""

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def region(name: str, node: LexborNode) -> bytes:
    """The mark of an element if it is a region; b"" for most."""
    if name not in REGIONS:
        return b""
    if name in NO_CONTENT:
        return ASIDE
    attributes = node.attributes
    if name == "main":
        return MAIN
    if not attributes:
        return b""
    role = attributes.get("role")
    if role == "main":
        return MAIN
    if role in ROLES or "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return ASIDE
    style = attributes.get("style")
    if style and HIDDEN.search(style):
        return ASIDE
    for names in (attributes.get("class"), attributes.get("id")):
        if names and _names_no_content[names]:
            return ASIDE
    return b""


class _Names(dict[str, bool]):
    """Whether class names, or an id, say that an element is not content; sites repeat theirs on every page."""

    def __missing__(self, names: str) -> bool:
        if len(self) >= MAX_NAMES:
            self.clear()
        found = any(word.lower() in NOT_CONTENT for word in _WORDS.findall(names))
        self[names] = found
        return found


_names_no_content: Final = _Names()
