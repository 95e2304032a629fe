"""Keyword topics: how much a text is about a list of keywords."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from clew.interests.reading import Reading
from clew.text.terms import stems

HALF_SCORE_COUNT: Final = 0.25  # occurrences that score 0.5 in a text of negligible length
WORDS_PER_OCCURRENCE: Final = 400  # further words that require one more occurrence for the same score
TITLE_SCORE: Final = 0.75  # minimum score of a page with a keyword in its title
MIN_WORDS: Final = 60  # of a page to be trusted; redirects and almost empty pages have fewer

Keyword = tuple[tuple[str, ...], ...]
"""The spellings of one keyword, each as the stems that must all occur."""

_to_ascii: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


class _Compiled(NamedTuple):
    """Keywords stemmed for one language, ready to be counted."""

    single: tuple[str, ...]  # stems that are a keyword on their own
    compound: tuple[Keyword, ...]
    vocabulary: frozenset[str]

    @classmethod
    def of(cls, keywords: tuple[Keyword, ...]) -> _Compiled:
        # Keywords of one stem are by far the most common kind and can be counted by a plain look-up.
        single: dict[str, None] = {}
        compound: list[Keyword] = []
        vocabulary: set[str] = set()
        for keyword in keywords:
            vocabulary.update(*keyword)
            if all(len(spelling) == 1 for spelling in keyword):
                single |= dict.fromkeys(stem for [stem] in keyword)
            else:
                compound.append(keyword)
        return cls(tuple(single), tuple(compound), frozenset(vocabulary))

    def occurs_in(self, title: frozenset[str]) -> bool:
        if any(stem in title for stem in self.single):
            return True
        return any(title.issuperset(spelling) for spelling in chain.from_iterable(self.compound))


@dataclass(frozen=True, slots=True)
class Keywords:
    """How much a text is about these words.

    If they occur c times in total among n words, the text scores c / (c + 1/4 + n/400): one occurrence is little
    in a long page and clear evidence in an anchor, one word in a hundred is much. A keyword in the title scores at
    least 0.75. Redirects and almost empty pages are not the best ones: a page of less than 60 words is measured as one
    of 60, and its title counts less. Occurrences are added up: multiplying the probabilities of the words would make
    every page certain once a topic has thirty words. A keyword of several words counts if all its stems occur, as often
    as the rarest of them; in an anchor or URL, some of them count in part.

    >>> sailing = Keywords(("sailing", "yacht"))
    >>> round(sailing(Reading.of_words("Yachts for charter")), 2), sailing(Reading.of_words("Golf"))
    (0.8, 0.0)
    """

    words: tuple[str, ...]
    _compiled: dict[str, _Compiled] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, text: Reading) -> float:
        words = self._for_language(text.doc.language)
        terms = text.doc.terms
        in_title = bool(text.doc.title) and not text.title.isdisjoint(words.vocabulary)
        # Most pages mention no keyword at all, and this set operation is all they cost.
        if not in_title and terms.keys().isdisjoint(words.vocabulary):
            return 0.0
        count: float = sum([terms[stem] for stem in words.single if stem in terms])
        count += sum(self._count(keyword, text) for keyword in words.compound)
        length = text.length if text.short else max(text.length, MIN_WORDS)
        slack = HALF_SCORE_COUNT + length / WORDS_PER_OCCURRENCE
        miss = slack / (count + slack)
        if in_title and words.occurs_in(text.title):
            miss *= 1.0 - TITLE_SCORE * text.length / length
        return 1.0 - miss

    def vocabulary(self, language: str) -> frozenset[str]:
        """Every stem of the keywords."""
        return self._for_language(language).vocabulary

    def telling_stems(self, text: Reading) -> list[str]:
        """The stems of the keywords that occur, the most frequent first."""
        present = self.vocabulary(text.doc.language) & (text.terms.keys() | text.title)
        return sorted(present, key=lambda stem: (-text.terms.get(stem, 0), stem))

    def _count(self, keyword: Keyword, text: Reading) -> float:
        terms = text.doc.terms
        count = 0
        for spelling in keyword:
            count += min([terms.get(stem, 0) for stem in spelling])
        if count or not text.short:
            return count
        # A third of the words is less than a third of the topic: the square keeps it well below a full hit.
        share = max(_share_in(terms, spelling) for spelling in keyword)
        return share * share * 0.5

    def _for_language(self, language: str) -> _Compiled:
        found = self._compiled.get(language)
        if found is None:
            found = self._compiled[language] = _Compiled.of(compiled(self.words, language))
        return found


def _share_in(terms: Mapping[str, int], spelling: tuple[str, ...]) -> float:
    return sum(stem in terms for stem in spelling) / len(spelling)


@lru_cache(maxsize=1024)
def compiled(words: tuple[str, ...], language: str) -> tuple[Keyword, ...]:
    """The keywords as stems; keywords with equal stems appear once.

    >>> compiled(("sails", "sailing"), "en")
    ((('sail',),),)
    """
    keywords = (_spellings(word, language) for word in words)
    return tuple(dict.fromkeys(keyword for keyword in keywords if keyword))


def _spellings(word: str, language: str) -> Keyword:
    # Umlauts are spelt both ways on the web: Rügen is ruegen in most URLs, and on many pages.
    word = word.lower()
    with_umlauts = word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")
    found: dict[tuple[str, ...], None] = {}
    for form in (word, word.translate(_to_ascii), with_umlauts):
        spelling = tuple(stems(form, language))
        if spelling:
            found[spelling] = None
    return tuple(found)
