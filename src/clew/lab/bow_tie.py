"""The shape of a web: its core, what leads into it, what it leads to, and the rest."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from clew.lab.link_graph import LinkGraph, Mask, components


@dataclass(frozen=True, slots=True)
class BowTie:
    """The parts of a bow tie, as shares of all pages.

    Broder and others, Graph structure in the web, WWW9, 2000.
    """

    core: float  # the largest set of pages that can all be reached from each other
    into: float  # pages that lead to the core
    out_of: float  # pages that the core leads to
    tendrils: float  # pages connected with these, whichever way links point
    islands: float  # pages connected with none of them
    reach_from_core: float  # what a crawl from a page of the core can find
    reach_from_out: float  # what a crawl from a page behind the core can find, on average

    def shares(self) -> dict[str, float]:
        """The parts by name."""
        return asdict(self)


def bow_tie(graph: LinkGraph, present: Mask | None = None) -> BowTie:
    """The bow tie of a web; pages that are not `present` do not count.

    >>> tie = bow_tie(LinkGraph.of([(0, 1), (1, 2), (2, 1), (2, 3), (0, 4)], 6))
    >>> [round(share, 2) for share in (tie.core, tie.into, tie.out_of, tie.tendrils, tie.islands)]
    [0.33, 0.17, 0.17, 0.17, 0.17]
    """
    counts = np.ones(graph.pages, bool) if present is None else present
    component = np.array(components(graph))
    core = component == np.bincount(component[counts]).argmax()
    reached = graph.reach(np.flatnonzero(core))
    reaching = graph.reverse().reach(np.flatnonzero(core))
    both_ways = np.column_stack((graph.sources(), graph.targets))
    undirected = LinkGraph.of(np.concatenate((both_ways, both_ways[:, ::-1])), graph.pages)
    connected = undirected.reach(np.flatnonzero(core))
    behind = reached & ~core
    total = max(1, int(counts.sum()))

    def share(mask: Mask) -> float:
        return int((mask & counts).sum()) / total

    return BowTie(
        core=share(core),
        into=share(reaching & ~core),
        out_of=share(behind),
        tendrils=share(connected & ~reached & ~reaching),
        islands=share(~connected),
        reach_from_core=share(reached),
        reach_from_out=_mean_reach(graph, np.flatnonzero(behind & counts), total),
    )


def _mean_reach(graph: LinkGraph, starts: np.ndarray[tuple[int, ...], np.dtype[np.int64]], total: int) -> float:
    """The mean share of pages that can be reached from each of a sample of start pages."""
    step = max(1, len(starts) // 50)
    sample = starts[::step].tolist()
    if not sample:
        return 0.0
    return float(np.mean([graph.reach([start]).sum() for start in sample])) / total
