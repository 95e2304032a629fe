"""Which pages say little until their scripts have run, as far as their bytes tell."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from clew.parse import mime

FEW: Final = 50  # words; a page that has more is read as it is
NEXT_TO_NOTHING: Final = 10  # words; without a link, and with a script but no sign of an application
LINKS: Final = 5
LARGE: Final = 2_000_000  # bytes; applications come as a small page and large scripts
UNSEEN: Final = ["script", "style", "noscript", "template", "svg", "head"]
ASKS: Final = re.compile(rb"<noscript(?:(?!</noscript).){1,500}?javascript", re.IGNORECASE | re.DOTALL)
ROOTS: Final = "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [ng-app], [ng-version], [data-reactroot]"


def is_html(content_type: str) -> bool:
    """Whether a browser would take it for a page.

    >>> is_html("text/html; charset=x"), is_html("text/plain")
    (True, False)
    """
    return mime.of(content_type).essence in ("text/html", "application/xhtml+xml")


def bare(body: bytes) -> bool:
    """Few words, few links, a script, and a sign that the script writes the page.

    >>> bare(b"<div id=app></div><script src=/app.js></script>")
    True
    >>> bare(b"<p>We build boats of oak, <a href=/b>here</a>.<script src=/count.js></script>")
    False
    """
    if len(body) > LARGE or b"<script" not in body[:LARGE].lower():
        return False
    tree = LexborHTMLParser(body)
    links = len(tree.css("a[href]"))
    if links > LINKS or tree.css_first("meta[http-equiv=refresh i], frameset"):
        return False
    written = ASKS.search(body) is not None or tree.css_first(ROOTS) is not None
    tree.strip_tags(UNSEEN, recursive=True)
    words = len(tree.body.text(separator=" ").split()) if tree.body else 0
    return words < FEW if written else not links and words < NEXT_TO_NOTHING
