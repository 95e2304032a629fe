"""The ways to extract the main text of a page: a fast one, and the best one, which is a library of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from clew.base.described import described
from clew.base.extras import require
from clew.config import Scope
from clew.errors import ConfigError
from clew.parse.main_text import MAX_MAIN_CHARACTERS, main_text, markup_of, without_controls
from clew.types import Fetched

Extractor = Callable[[Fetched, Scope], str]
MAX_TRAFILATURA_BYTES: Final = 1_000_000  # of HTML: it takes seconds for more

log = logging.getLogger("clew.parse")


def trafilatura_text(fetched: Fetched, scope: Scope) -> str:
    """The main text by trafilatura; where it finds none, as the fast way has it."""
    import trafilatura

    page = markup_of(fetched)
    if page is None:
        return main_text(fetched, scope)
    source = page[:MAX_TRAFILATURA_BYTES].decode("utf-8", "replace")
    try:
        found = trafilatura.extract(source, url=fetched.url, output_format="markdown", include_comments=False)
    # Whatever a stranger's page does to the library, it is the failure of one page.
    except Exception as error:
        log.warning("trafilatura fails on %s: %s", fetched.url, described(error), exc_info=error)
        found = None
    return without_controls(found)[:MAX_MAIN_CHARACTERS].strip() if found else main_text(fetched, scope)


EXTRACTORS: Final[dict[str, Extractor]] = {"resiliparse": main_text, "trafilatura": trafilatura_text}


def extractor_named(name: str) -> Extractor:
    """The extractor of this name; a ConfigError if there is none, or if its library is missing."""
    if name not in EXTRACTORS:
        raise ConfigError(f"there is no extractor {name!r}; there are {' and '.join(EXTRACTORS)}")
    if name == "trafilatura":
        require("trafilatura", "texts by the extractor trafilatura")
    return EXTRACTORS[name]
