"""What a page says to robots in its header X-Robots-Tag and in <meta name=robots>."""

from __future__ import annotations

from typing import Final, NamedTuple

NAMES: Final = frozenset(["robots", "clew"])  # by which a page speaks to us
VALUED: Final = frozenset(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"])
LENGTH: Final = 4000  # characters that are read


class Directives(NamedTuple):
    """What we may not do with a page."""

    nofollow: bool = False
    noindex: bool = False


def directives(content: str) -> Directives:
    """Read a list of directives; those after `name:` are for the crawler of that name alone.

    >>> directives("noarchive, NoFollow")
    Directives(nofollow=True, noindex=False)
    >>> directives("otherbot: none, clew: noindex, unavailable_after: 25 Jun 2010 15:00:00 PST")
    Directives(nofollow=False, noindex=True)
    """
    words, ours = set[str](), True
    for part in content[:LENGTH].lower().replace(";", ",").split(","):
        name, colon, word = part.partition(":")
        if colon and name.strip() not in VALUED:
            ours, part = name.strip() in NAMES, word
        if ours:
            words.update(part.split())  # some write spaces for commas
    none = "none" in words
    return Directives(none or "nofollow" in words, none or "noindex" in words)
