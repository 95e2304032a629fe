"""The ways to extract the main text of a page: that of the crawl, and trafilatura, which is a library of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from clew.base.described import described
from clew.base.extras import require
from clew.config import Scope
from clew.errors import ConfigError
from clew.parse import pdf
from clew.parse.document import body_of, document
from clew.parse.main_text import tidy
from clew.parse.source import source_of
from clew.types import Fetched

Extractor = Callable[[Fetched, Scope], str]
MAX_TRAFILATURA_BYTES: Final = 1_000_000  # of HTML: it takes seconds for more

log = logging.getLogger("clew.parse")


def main_text(fetched: Fetched, scope: Scope = Scope()) -> str:  # noqa: B008
    r"""The main text of an answer, as a crawl makes it; "" if there is none.

    >>> body = f"<nav><a href=/>Home</a></nav><main><h1>Boats</h1><p>{'We build boats. ' * 10}</main>"
    >>> page = Fetched("http://a.org/", 200, (("Content-Type", "text/html"),), body.encode())
    >>> main_text(page)[:24]
    '# Boats\n\nWe build boats.'
    """
    return document(fetched, scope, with_main_text=True).main_text


def trafilatura_text(fetched: Fetched, scope: Scope) -> str:
    """The main text by trafilatura; where it finds none, as the fast way has it."""
    import trafilatura

    page = _markup_of(fetched)
    if page is None:
        return main_text(fetched, scope)
    source = page[:MAX_TRAFILATURA_BYTES].decode("utf-8", "replace")
    try:
        found = trafilatura.extract(source, url=fetched.url, output_format="markdown", include_comments=False)
    # Whatever a stranger's page does to the library, it is the failure of one page.
    except Exception as error:
        log.warning("trafilatura fails on %s: %s", fetched.url, described(error), exc_info=error)
        found = None
    return tidy(found) if found else main_text(fetched, scope)


def _markup_of(fetched: Fetched) -> bytes | None:
    """The page in UTF-8 with bounded cost; None if it is not a page of HTML."""
    body, content_type = body_of(fetched)
    source = None if pdf.is_one(body) else source_of(body, content_type)
    return source.markup if source and source.is_markup else None


EXTRACTORS: Final[dict[str, Extractor]] = {"clew": main_text, "trafilatura": trafilatura_text}


def extractor_named(name: str) -> Extractor:
    """The extractor of this name; a ConfigError if there is none, or if its library is missing."""
    if name not in EXTRACTORS:
        raise ConfigError(f"there is no extractor {name!r}; there are {' and '.join(EXTRACTORS)}")
    if name == "trafilatura":
        require("trafilatura", "texts by the extractor trafilatura")
    return EXTRACTORS[name]
