"""Pages by the number of links from them to a relevant one, and a sample of each layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clew.strategies._base import LinkSource


def behind(link_source: LinkSource, target: str, layers: int, most: int) -> Iterator[list[str]]:
    """Layer after layer of the pages that lead to a target, by back-links; each page in the first that has it."""
    known, edge = {target}, [target]
    for _ in range(layers):
        linking = dict.fromkeys(url for page in edge for url in link_source.linking_to(page))
        edge = [url for url in linking if url not in known][:most]
        known.update(edge)
        yield edge


def place(
    url: str, layer: int, samples: list[dict[str, None]], drawn: list[int], most: int, chance: Callable[[], float]
) -> None:
    """Put a page into the sample of its layer, unless it is in a lower one; a full sample takes it by chance.

    Vitter, Random sampling with a reservoir, ACM TOMS 11(1), 1985.
    """
    if any(url in lower for lower in samples[: layer + 1]):
        return
    for higher in samples[layer + 1 :]:
        higher.pop(url, None)
    drawn[layer] += 1
    sample = samples[layer]
    if len(sample) >= most:
        gone = int(chance() * drawn[layer])
        if gone >= most:
            return
        del sample[list(sample)[gone]]
    sample[url] = None
