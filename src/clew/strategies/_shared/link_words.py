"""The words of a link: from its anchor, its URL, its heading and the text on both sides."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from clew.parse.url import tokens
from clew.text.terms import stems
from clew.types import Link

MEMO: Final = 20_000  # links in the cache, about 20 MB when full
URL_STOP_WORDS: Final = frozenset(["www", "com", "org", "net", "http", "https", "html", "htm", "index", "php"])


class Words(NamedTuple):
    """Stems in the order of the text; those of the URL without tokens that most URLs have."""

    url: tuple[str, ...]
    anchor: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    heading: tuple[str, ...]


@lru_cache(maxsize=MEMO)
def words(link: Link) -> Words:
    """The words of a link; cached, so that the texts of each link are split only once.

    >>> words(Link("s", "http://boats.example/sails.html", "Sailing boats", "fine\\tof all kinds"))[:4]
    (('boat', 'exampl', 'sail'), ('sail', 'boat'), ('fine',), ('kind',))
    """
    before, _, after = link.around.partition("\t")
    address = " ".join(token for token in tokens(link.url) if token not in URL_STOP_WORDS)
    texts = (address, link.anchor, before, after, link.heading)
    return Words(*(tuple(stems(text)) if text else () for text in texts))
