"""Groups documents by their words: spherical k-means without randomness, so the result is always the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MAX_ROUNDS: Final = 50
MAX_COLUMNS: Final = 3000  # the most frequent words; rarer ones are in too few documents to tell groups apart


def unit_rows(texts: Sequence[Mapping[str, int]]) -> Floats:
    """A tf-idf row of length 1 for each text."""
    documents = Counter[str]()
    for text in texts:
        documents.update(text.keys())
    words = {word: column for column, (word, _) in enumerate(documents.most_common(MAX_COLUMNS))}
    rows = np.zeros((len(texts), len(words)))
    for row, text in enumerate(texts):
        for word, count in text.items():
            if word in words:
                rows[row, words[word]] = (1.0 + np.log(count)) * np.log1p(len(texts) / documents[word])
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12))


def clusters(rows: Floats, number: int) -> list[list[int]]:
    """The row numbers of each group; empty groups are left out.

    >>> boats, cars = {"sail": 2, "wind": 1}, {"road": 2, "wheel": 1}
    >>> clusters(unit_rows([boats, cars, boats, cars]), 2)
    [[0, 2], [1, 3]]
    """
    centres = _far_apart(rows, number)
    member = np.zeros(len(rows), np.int64)
    for turn in range(MAX_ROUNDS):
        nearest = (rows @ centres.T).argmax(axis=1)
        if turn and (nearest == member).all():
            break
        member = nearest
        # Centres of length 1, so that the nearest centre is that with the largest cosine.
        sums = np.array([rows[member == group].sum(axis=0) for group in range(len(centres))])
        centres = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    found = [np.flatnonzero(member == group).tolist() for group in range(len(centres))]
    return [group for group in found if group]


def _far_apart(rows: Floats, number: int) -> Floats:
    """The first centres: the most typical row, then each time the row that is least like those chosen."""
    chosen = [int((rows @ rows.sum(axis=0)).argmax())]
    while len(chosen) < min(number, len(rows)):
        chosen.append(int((rows @ rows[chosen].T).max(axis=1).argmin()))
    return rows[chosen]
