"""Robots directives of a page: the header X-Robots-Tag and <meta name=robots>."""

from __future__ import annotations

from typing import Final, NamedTuple

NAMES: Final = frozenset(["robots", "clew"])  # names that address this crawler
# These are followed by a colon too, but it introduces a value, not a crawler.
VALUED: Final = frozenset(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"])
MAX_CHARACTERS: Final = 4000  # of one list of directives; the rest is ignored


class Directives(NamedTuple):
    """What the crawler must not do with a page."""

    nofollow: bool = False
    noindex: bool = False


def directives(content: str) -> Directives:
    """Read a list of directives; those after `name:` apply to the crawler of that name only.

    >>> directives("noarchive, NoFollow")
    Directives(nofollow=True, noindex=False)
    >>> directives("otherbot: none, clew: noindex, unavailable_after: 25 Jun 2010 15:00:00 PST")
    Directives(nofollow=False, noindex=True)
    """
    words = set[str]()
    addressed = True
    for part in content[:MAX_CHARACTERS].lower().replace(";", ",").split(","):
        name, colon, directive = part.partition(":")
        if colon and name.strip() not in VALUED:
            addressed = name.strip() in NAMES
        else:
            directive = part
        if addressed:
            # Some sites separate directives by spaces instead of commas.
            words.update(directive.split())
    none = "none" in words
    return Directives(none or "nofollow" in words, none or "noindex" in words)
