"""Best-N-first: visit the N best candidates before ranking the links that they lead to."""

from __future__ import annotations

from dataclasses import dataclass

from clew.strategies.best_first import BestFirst


@dataclass
class BestNFirst(BestFirst):
    """Visits the candidates with the most relevant in-linking pages, in batches of `n`.

    This is `best_first` with a large `n`: links found in a batch are ranked only when all of it has been visited,
    which adds some exploration to a greedy search.

    >>> from clew.testing.tiny_web import order
    >>> "".join(order("best_n_first(n=2)", "s .9 -> a; t .8 -> b; u .7 -> c; a .95 -> d", start="s t u"))
    'stuabdc'

    Menczer, Pant and Srinivasan, Topical web crawlers: evaluating adaptive algorithms, ACM TOIT 4(4), 2004.
    """

    n: int = 256
