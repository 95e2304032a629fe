"""Topics that exclude each other must not share examples: one text cannot teach both that it belongs and that not."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Protocol

from clew.errors import InterestError
from clew.interests.taxonomy import Taxonomy
from clew.types import Doc

log = logging.getLogger("clew.interests")


class ReadExamples(Protocol):
    """The examples that have been read."""

    def known(self, sources: Iterable[str]) -> list[Doc]:
        """The documents of those of the sources that have been read."""
        ...


def check_disjoint(names: Iterable[str], tree: Taxonomy, examples: ReadExamples) -> None:
    """Refuse an example that is given to two of these topics or to one of them and a topic neither above nor below it.

    The same text in two places may be an accident, and is reported only.
    """
    for one, other in _incomparable(names, tree):
        sources = tree.topics[one].examples
        others = tree.topics[other].examples
        if shared := [source for source in sources if source in others]:
            raise InterestError(f"{shared[0]!r} is an example of both {one!r} and {other!r}; remove it from one")
        texts = _by_text(examples.known(sources))
        for text, url in _by_text(examples.known(others)).items():
            if text in texts:
                same = f"{texts[text]} is an example of {one!r}, and {url}, of {other!r}, has the same text"
                log.warning("%s: neither topic is learned well; remove one of them", same)


def _incomparable(names: Iterable[str], tree: Taxonomy) -> Iterable[tuple[str, str]]:
    """Pairs of a topic at or below these and another one that is neither above nor below it, each pair once."""
    below = dict.fromkeys(each for name in names if name in tree.topics for each in tree.subtree(name))
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for one in below:
        for other in tree.others(one):
            pairs.setdefault(frozenset((one, other)), (one, other))
    return pairs.values()


def _by_text(docs: Iterable[Doc]) -> Mapping[str, str]:
    return {doc.text: doc.url for doc in docs if doc.text}
