"""The main text of a page: what it says, without menus, headers and footers, as light Markdown.

Headings begin with #, list items with - or a number, code stands between fences, and a blank line ends a paragraph.
Nothing else is marked up. Where a page has no main content, as a list of links has none, its whole text is taken.
"""

from __future__ import annotations

import html
import logging
import re
from dataclasses import dataclass, field
from typing import Final

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree

from clew.base.described import described
from clew.config import Scope
from clew.parse import pdf
from clew.parse.body import decoded
from clew.parse.cost import unbroken
from clew.parse.document import RENDERED_TYPE, document
from clew.parse.source import source_of
from clew.types import Fetched

MAX_MAIN_CHARACTERS: Final = 200_000  # kept of one page: forty times the usual length
MAX_MARKUP_CHARACTERS: Final = 2 * MAX_MAIN_CHARACTERS  # with its tags
MIN_MAIN_CHARACTERS: Final = 100  # less than that is no content, but a page of links
MAX_LIST_DEPTH: Final = 6  # deeper items are shown at this depth
BACKTICKS_OF_FENCE: Final = 3

_TAG: Final = re.compile(r"(</?(?:h[1-6]|p|ul|ol|li|pre|br)>)")
_SILENT: Final = frozenset(["<p>", "</p>", "<br>", "</li>"])  # they only part texts
# Tabs and line feeds stay. The zero-width space is what the index puts between characters.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b]")
_LOOKS_LIKE_MARKUP: Final = re.compile(r"#{1,6}\s|```|~~~")
_BACKTICKS: Final = re.compile("`+")

log = logging.getLogger("clew.parse")


def main_text(fetched: Fetched, scope: Scope = Scope()) -> str:  # noqa: B008
    r"""The main text of an answer; "" if it has none, or if the extraction fails.

    >>> body = f"<nav><a href=/>Home</a></nav><main><h1>Boats</h1><p>{'We build boats. ' * 10}</main>"
    >>> page = Fetched("http://a.org/", 200, (("Content-Type", "text/html"),), body.encode())
    >>> main_text(page)[:24]
    '# Boats\n\nWe build boats.'
    """
    try:
        return without_controls(_extracted(fetched, scope))[:MAX_MAIN_CHARACTERS].strip()
    # Whatever a stranger's bytes do to the extraction, it is the failure of one page.
    except Exception as error:
        log.warning("no main text of %s: %s", fetched.url, described(error), exc_info=error)
        return ""


def without_controls(text: str) -> str:
    """The text without control characters, but with its lines and tabs."""
    return _CONTROLS.sub("", text)


def markup_of(fetched: Fetched) -> bytes | None:
    """The page in UTF-8 with bounded cost, for any parser of HTML; None if it is not a page of HTML."""
    body, content_type = _body(fetched)
    source = None if pdf.is_one(body) else source_of(body, content_type)
    return source.markup if source and source.is_markup else None


def _extracted(fetched: Fetched, scope: Scope) -> str:
    page = markup_of(fetched)
    if page is None:
        # The parser knows what to do with PDF and plain text.
        doc = document(fetched, scope)
        return doc.text.removeprefix(doc.title).strip()
    tree = HTMLTree.parse_from_bytes(page, "utf-8")
    found = _markdown(extract_plain_text(tree, "minimal_html", main_content=True, links=False))
    if len(found) < MIN_MAIN_CHARACTERS:
        found = _markdown(extract_plain_text(tree, "minimal_html", main_content=False, links=False)) or found
    return unbroken(found)


def _body(fetched: Fetched) -> tuple[bytes, str]:
    if fetched.rendered:
        return fetched.rendered, RENDERED_TYPE
    body = fetched.body or decoded(fetched.raw, fetched.header("content-encoding"))
    return body, fetched.header("content-type")


def _markdown(markup: str) -> str:
    r"""Reduced HTML, as resiliparse writes it, as light Markdown.

    >>> _markdown("<h2>Oak &amp; elm</h2>\n<p># 1</p>\n<ol><li>a</li>\n<li>b</li></ol>\n<pre>x &lt; 1\n</pre>")
    '## Oak & elm\n\n\\# 1\n\n1. a\n2. b\n\n```\nx < 1\n```'
    """
    writer = _Writer()
    first, *pieces = _TAG.split(markup[:MAX_MARKUP_CHARACTERS])
    writer.text(first)
    # Tags and the texts behind them take turns; most texts between two tags are blank.
    for tag, text in zip(pieces[::2], pieces[1::2], strict=True):
        if tag not in _SILENT:
            writer.tag(tag)
        if text and not text.isspace():
            writer.text(text)
    return writer.blocks.strip()


@dataclass
class _Writer:
    """Puts blocks together, one after the other."""

    parts: list[str] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)  # the open ones: the number of the last item, -1 without numbers
    mark: str = ""  # what the next text begins with
    is_code: bool = False

    @property
    def blocks(self) -> str:
        """All that was written."""
        return "".join(self.parts)

    def tag(self, tag: str) -> None:
        """A tag begins or ends something."""
        name = tag.strip("</>")
        is_end = tag.startswith("</")
        if name in ("ul", "ol"):
            self._list(name, is_end)
        elif name == "pre":
            self.is_code = not is_end
        elif name == "li" and not is_end:
            self.mark = self._item()
        elif name.startswith("h"):
            self.mark = "" if is_end else "#" * int(name[1]) + " "

    def text(self, text: str) -> None:
        """The text up to the next tag."""
        if "&" in text:
            text = html.unescape(text)
        if self.is_code:
            if text.strip():
                self._add(_fenced(text))
            return
        lines = [" ".join(line.split()) for line in text.splitlines()]
        lines = [_escaped(line) for line in lines if line]
        if lines:
            self._add(lines)

    def _add(self, lines: list[str]) -> None:
        is_item = bool(self.lists)
        indent = "  " * min(len(self.lists), MAX_LIST_DEPTH)
        # Items follow each other line by line; what goes on in an item is indented as its text is.
        gap = "\n" if is_item and self.mark else "\n\n"
        begin = indent[2:] if self.mark else indent
        self.parts.append(f"{gap}{begin}{self.mark}{lines[0]}")
        self.parts += [f"\n{indent}{line}" for line in lines[1:]]
        self.mark = ""

    def _list(self, name: str, is_end: bool) -> None:
        if not is_end:
            self.lists.append(0 if name == "ol" else -1)
            if len(self.lists) == 1:
                self.parts.append("\n")
        elif self.lists:
            self.lists.pop()

    def _item(self) -> str:
        if not self.lists or self.lists[-1] < 0:
            return "- "
        self.lists[-1] += 1
        return f"{self.lists[-1]}. "


def _fenced(code: str) -> list[str]:
    """Code between fences that are longer than any row of backticks in it."""
    longest = max(map(len, _BACKTICKS.findall(code)), default=0)
    fence = "`" * max(BACKTICKS_OF_FENCE, longest + 1)
    return [fence, *code.strip("\n").splitlines(), fence]


def _escaped(line: str) -> str:
    return f"\\{line}" if _LOOKS_LIKE_MARKUP.match(line) else line
