"""Best-N-first: the N best candidates are fetched together before their links come into play."""

from __future__ import annotations

from dataclasses import dataclass

from clew.strategies.best_first import BestFirst


@dataclass
class BestNFirst(BestFirst):
    """Best-first in batches of `n`: greed with some exploration in it.

    >>> from clew.testing.tiny_web import order
    >>> "".join(order("best_n_first(n=2)", "s .9 -> a; t .8 -> b; u .7 -> c; a .95 -> d", start="s t u"))
    'stuabdc'

    Menczer, Pant and Srinivasan, Topical web crawlers: evaluating adaptive algorithms, ACM TOIT 4(4), 2004.
    """

    n: int = 256
