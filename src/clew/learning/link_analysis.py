"""Link analysis on arrays of edges: PageRank without renormalising, and HITS weighted by relevance."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32] | NDArray[np.int64]
Values = NDArray[np.float64]

MAX_ROUNDS: Final = 200
"""Rounds after which PageRank stops in any case; .9 to this power is less than a billionth."""


def pagerank(
    sources: Numbers, targets: Numbers, nodes: int, d: float = 0.9, start: Values | None = None, exact: float = 1e-9
) -> Values:
    """IR'(p) = (1 - d) + d * the sum of IR'(t)/c(t) over all t that link to p; pages without links pass on nothing.

    >>> pagerank(np.array([0, 0, 1]), np.array([1, 2, 2]), 3).round(4).tolist()
    [0.1, 0.145, 0.2755]
    """
    share = d / np.maximum(np.bincount(sources, minlength=nodes), 1)
    ranks = np.full(nodes, 1 - d) if start is None else start
    for _ in range(MAX_ROUNDS):
        before = ranks
        ranks = (1 - d) + np.bincount(targets, weights=(before * share)[sources], minlength=nodes)
        if np.abs(ranks - before).max(initial=0.0) < exact:
            break
    return ranks


def distill(
    sources: Numbers,
    targets: Numbers,
    relevance: Values,
    rho: float = 0.1,
    weight: Values | None = None,
    rounds: int = 20,
) -> tuple[Values, Values]:
    """Hubs and authorities; a link is weighted by the relevance of its target forwards, of its source backwards.

    a(v) = the sum of h(u) * R(v) if R(v) > rho, else 0; h(u) = the sum of a(v) * R(u); each normalised to sum 1.

    >>> hubs, authorities = distill(np.array([0, 0]), np.array([1, 2]), np.array([1.0, 0.6, 0.2]))
    >>> authorities.round(2).tolist()
    [0.0, 0.75, 0.25]
    """
    nodes = len(relevance)
    weight = np.ones(len(sources)) if weight is None else weight
    forwards = weight * np.where(relevance > rho, relevance, 0.0)[targets]
    backwards = weight * relevance[sources]
    hubs = np.ones(nodes)
    authorities = np.zeros(nodes)
    for _ in range(rounds):
        authorities = gathered(targets, hubs[sources] * forwards, nodes)
        hubs = gathered(sources, authorities[targets] * backwards, nodes)
    return hubs, authorities


def between_hosts(sources: Numbers, targets: Numbers, hosts: NDArray[np.int64]) -> Values:
    """Against nepotism: 0 for a link within a host, 1/k for each of the k links from one host to another.

    >>> between_hosts(np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([7, 7, 8])).tolist()
    [0.0, 0.5, 0.5]
    """
    here = hosts[sources].astype(np.int64)
    there = hosts[targets].astype(np.int64)
    # One number for each pair of hosts.
    pairs = here * (hosts.max(initial=0) + 1) + there
    _, which, count = np.unique(pairs, return_inverse=True, return_counts=True)
    return np.where(here == there, 0.0, 1.0 / count[which.reshape(-1)])


def gathered(ends: Numbers, parts: Values, nodes: int) -> Values:
    """What arrives at each node, normalised to sum 1."""
    values = np.bincount(ends, weights=parts, minlength=nodes).astype(np.float64)
    total = values.sum()
    return values / total if total else values
