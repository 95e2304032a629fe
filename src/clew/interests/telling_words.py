"""The words that a judge has learned, in a form that explains a page without the judge."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from clew.interests.crawl_judge import RELATED, CrawlJudge
from clew.interests.page_table import word_columns
from clew.interests.topic_words import TopicWords, heaviest, words_of_stems
from clew.types import Doc

TELLING_WORDS: Final = "telling words"
"""The fact that holds them."""
MAX_COLUMNS: Final = 50_000


@dataclass(frozen=True)
class TellingWords:
    """The weight and the rarity of the words that stand on several pages, by the column of the judge."""

    columns: NDArray[np.int32]  # sorted
    weights: NDArray[np.float16]
    rarities: NDArray[np.float16]

    @classmethod
    def of_judge(cls, judge: CrawlJudge) -> Self | None:
        """What the judge has learned; None before its first fit."""
        if judge.model is None:
            return None
        rarity = judge.table.rarity()
        weights = judge.model.text.weights
        columns = np.flatnonzero(rarity)
        if len(columns) > MAX_COLUMNS:
            shares = np.abs(weights[columns] * rarity[columns])
            columns = np.sort(columns[np.argpartition(-shares, MAX_COLUMNS)[:MAX_COLUMNS]])
        return cls(columns.astype(np.int32), weights[columns].astype(np.float16), rarity[columns].astype(np.float16))

    def of(self, doc: Doc, named: Collection[str] = ()) -> TopicWords:
        """The words of a page that speak most for it, beyond those that the user named."""
        stems = {stem: word_columns[stem] for stem in doc.terms if stem not in named}
        places = np.searchsorted(self.columns, list(stems.values()))
        rows: dict[str, tuple[float, float]] = {}
        for (stem, column), place in zip(stems.items(), places.tolist(), strict=True):
            if place < len(self.columns) and self.columns[place] == column:
                value = (1.0 + np.log(doc.terms[stem])) * float(self.rarities[place])
                rows[stem] = value, float(self.weights[place])
        length = sum(value * value for value, _ in rows.values()) ** 0.5 or 1.0
        shares = {stem: value * weight / length for stem, (value, weight) in rows.items()}
        return TopicWords(RELATED, sum(shares.values()), words_of_stems(heaviest(shares), doc))

    def dumps(self) -> str:
        """As a text."""
        parts = (self.columns.tobytes(), self.weights.tobytes(), self.rarities.tobytes())
        return base64.b85encode(zlib.compress(b"".join(parts), 1)).decode()

    @classmethod
    def loads(cls, text: str) -> Self | None:
        """What `dumps` gave; None for ""."""
        if not text:
            return None
        data = zlib.decompress(base64.b85decode(text))
        size = len(data) // 8
        columns = np.frombuffer(data[: 4 * size], np.int32)
        numbers = np.frombuffer(data[4 * size :], np.float16)
        return cls(columns, numbers[:size], numbers[size:])
