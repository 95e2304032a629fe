"""Recognises pages that say little until their scripts have run, from their bytes alone."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from clew.parse import mime
from clew.parse.cost import bounded

MAX_WORDS: Final = 50  # a page with more words is read as it is
MAX_WORDS_WITHOUT_SIGN: Final = 10  # on a page without links that shows no sign of an application
MAX_LINKS: Final = 5
MAX_BYTES: Final = 2_000_000  # an application is a small page with large scripts
INVISIBLE_TAGS: Final = ["script", "style", "noscript", "template", "svg", "head"]
ASKS_FOR_SCRIPTS: Final = re.compile(rb"<noscript(?:(?!</noscript).){1,500}?javascript", re.IGNORECASE | re.DOTALL)
# Where the common frameworks put their output.
ROOTS: Final = "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [ng-app], [ng-version], [data-reactroot]"


def is_html(content_type: str) -> bool:
    """Whether a browser would show it as a page.

    >>> is_html("text/html; charset=x"), is_html("text/plain")
    (True, False)
    """
    return mime.of(content_type).essence in ("text/html", "application/xhtml+xml")


def bare(body: bytes) -> bool:
    """Whether a page has few words, few links, a script, and a sign that the script writes the page.

    >>> bare(b"<div id=app></div><script src=/app.js></script>")
    True
    >>> bare(b"<p>We build boats of oak, <a href=/b>here</a>.<script src=/count.js></script>")
    False
    """
    # Most pages are decided by these two tests, before the cost of parsing.
    if len(body) > MAX_BYTES or b"<script" not in body.lower():
        return False
    tree = LexborHTMLParser(bounded(body))
    links = len(tree.css("a[href]"))
    if links > MAX_LINKS or tree.css_first("meta[http-equiv=refresh i], frameset"):
        return False
    has_sign = ASKS_FOR_SCRIPTS.search(body) is not None or tree.css_first(ROOTS) is not None
    tree.strip_tags(INVISIBLE_TAGS, recursive=True)
    words = len(tree.body.text(separator=" ").split()) if tree.body else 0
    if has_sign:
        return words < MAX_WORDS
    return not links and words < MAX_WORDS_WITHOUT_SIGN
