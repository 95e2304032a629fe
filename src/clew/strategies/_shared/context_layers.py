"""Layers of a context graph: pages by their distance in links from a relevant page, and a sample of each layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clew.strategies._base import SearchSource


def behind(search_source: SearchSource, target: str, layers: int, most: int) -> Iterator[list[str]]:
    """The pages that lead to a target by back-links, layer by layer; a page is only in the first layer that has it."""
    known = {target}
    edge = [target]
    for _ in range(layers):
        linking: dict[str, None] = {}
        for page in edge:
            linking |= dict.fromkeys(search_source.backlinks(page))
        edge = [url for url in linking if url not in known][:most]
        known.update(edge)
        yield edge


def place(
    url: str, layer: int, samples: list[dict[str, None]], drawn: list[int], most: int, chance: Callable[[], float]
) -> None:
    """Add a page to the sample of its layer, unless it is in a lower one; a full sample takes it by chance.

    Vitter, Random sampling with a reservoir, ACM TOMS 11(1), 1985.
    """
    if any(url in lower for lower in samples[: layer + 1]):
        return
    for higher in samples[layer + 1 :]:
        higher.pop(url, None)
    drawn[layer] += 1
    sample = samples[layer]
    if len(sample) >= most:
        # Reservoir sampling: every page of the layer so far is in the sample with the same chance.
        gone = int(chance() * drawn[layer])
        if gone >= most:
            return
        del sample[list(sample)[gone]]
    sample[url] = None
