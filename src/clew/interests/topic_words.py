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


class TopicStems(NamedTuple):
    """What a page says of a topic, before anybody looks up how its words are written."""

    topic: str
    membership: float
    stems: Mapping[str, int]  # the weightiest first, with their counts
    in_title: tuple[str, ...] = ()


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


def topic_stems(
    atoms: Iterable[Atom], measures: Mapping[str, Measure], doc: Doc, memberships: Mapping[str, float]
) -> list[TopicStems]:
    """The same as `topic_words` for a page that was just judged, at a fraction of the cost: no text is read."""
    text = Reading(doc)
    found: list[TopicStems] = []
    for atom in atoms:
        name = str(atom) if isinstance(atom, Predicate) else atom.name
        if name == ANY:
            continue
        measure = measures[name]
        telling: list[str] = list(measure.telling_stems(text)) if isinstance(measure, HasTellingStems) else []
        stems = {stem: doc.terms[stem] for stem in telling[:MAX_WORDS] if stem in doc.terms}
        in_title = tuple([stem for stem in telling if stem in text.title])
        found.append(TopicStems(name, memberships.get(name, 0.0), stems, in_title))
    return found


def as_written(topic: str, membership: float, stems: Mapping[str, int], title: Iterable[str], doc: Doc) -> TopicWords:
    """Topic stems with the words as the page has them; a page that is lost leaves the stems."""
    written = _written(doc.text, doc.language)
    words: dict[str, int] = {}
    for stem, count in stems.items():
        words |= _shared_out(count, written.get(stem) or Counter({stem: count}))
    headline = _written(doc.title, doc.language)
    in_title = [word for stem in title for word in headline.get(stem, Counter({stem: 1}))]
    return TopicWords(topic, membership, _chained(words, doc.text), tuple(chained(in_title, doc.title)))


def _shared_out(count: int, forms: Counter[str]) -> dict[str, int]:
    """The count of a stem, shared out to its forms: what the whole page has beyond it stands in menus.

    >>> _shared_out(5, Counter({"boats": 4, "boat": 3}))
    {'boats': 4, 'boat': 1}
    """
    found: dict[str, int] = {}
    for form, times in forms.most_common():
        if count > 0:
            found[form] = min(times, count)
            count -= times
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
