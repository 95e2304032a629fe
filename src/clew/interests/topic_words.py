"""The words of a page behind its membership in the topics of a formula, as they are written, with their counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol, runtime_checkable

from clew.interests.reading import Measure, Reading
from clew.interests.syntax import ANY, Atom, Predicate
from clew.text.terms import stems
from clew.text.unspaced import chained, is_unspaced, pairs
from clew.types import Doc

MAX_WORDS: Final = 8  # of one topic


class TopicWords(NamedTuple):
    """Why a page belongs to a topic, or does not."""

    topic: str  # or a predicate
    membership: float  # 0 to 1
    words: Mapping[str, int]  # as they are written on the page, the weightiest first
    in_title: tuple[str, ...] = ()


@runtime_checkable
class HasTellingStems(Protocol):
    """A measure that judges by words."""

    def telling_stems(self, text: Reading) -> Iterable[str]:
        """The stems of the text that speak for the topic, the weightiest first."""
        ...


def topic_words(atoms: Iterable[Atom], measures: Mapping[str, Measure], doc: Doc) -> list[TopicWords]:
    """What a page says of each topic and predicate of a formula."""
    text = Reading(doc)
    written = _written(doc.text, doc.language)
    in_title = _written(doc.title, doc.language)
    found: list[TopicWords] = []
    for atom in atoms:
        name = str(atom) if isinstance(atom, Predicate) else atom.name
        if name == ANY:
            continue
        measure = measures[name]
        telling: list[str] = []
        if isinstance(measure, HasTellingStems):
            telling += measure.telling_stems(text)
        title: list[str] = []
        for stem in telling:
            title += in_title.get(stem, ())
        words = _chained(_counts(telling, written), doc.text)
        found.append(TopicWords(name, measure(text), words, tuple(chained(title, doc.title))))
    return found


def words_of_stems(telling: Iterable[str], doc: Doc) -> dict[str, int]:
    """The words of a page with these stems, as they are written, with their counts."""
    return _counts(telling, _written(doc.text, doc.language))


def heaviest(contributions: Mapping[str, float]) -> list[str]:
    """The stems that add most to a sum; those that add nothing, or take away, are left out."""
    ranked = sorted(contributions, key=lambda stem: -contributions[stem])
    return [stem for stem in ranked[:MAX_WORDS] if contributions[stem] > 0.0]


def _counts(telling: Iterable[str], written: Mapping[str, Counter[str]]) -> dict[str, int]:
    """Words with their counts; forms of one stem stand together."""
    found: dict[str, int] = {}
    for stem in telling:
        found |= dict(written.get(stem, Counter()).most_common())
    return dict(list(found.items())[:MAX_WORDS])


def _chained(counts: dict[str, int], text: str) -> dict[str, int]:
    """Words of a language without spaces in one piece, as often as they occur so."""
    if not any(map(is_unspaced, counts)):
        return counts
    return {word: counts.get(word) or text.count(word) for word in chained(counts, text)}


def _split(text: str) -> list[str]:
    found: list[str] = []
    for word in re.findall(r"[^\W_]+", text):
        if is_unspaced(word):
            found += pairs(word)
        else:
            found.append(word)
    return found


def _written(text: str, language: str) -> dict[str, Counter[str]]:
    """By stem: the words of a text as they are written, with their counts."""
    counts = Counter(_split(text.lower()))
    found: dict[str, Counter[str]] = {}
    for word, count in counts.items():
        for stem in stems(word, language):
            found.setdefault(stem, Counter())[word] += count
    return found
