"""Topics that are lists of keywords."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from clew.interests.reading import Reading
from clew.text.terms import stems

ONCE: Final = 0.25  # occurrences that are worth 0.5 in a text of no length
DILUTION: Final = 400  # words that demand one occurrence more for the same score
TITLE: Final = 0.75  # what a keyword in the title is worth at least

Keyword = tuple[tuple[str, ...], ...]
"""The spellings of one keyword, each as the stems that must all be there."""

_to_ascii: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


class _Compiled(NamedTuple):
    """Keywords of one language, ready to be counted."""

    single: tuple[str, ...]  # stems that are a keyword by themselves
    compound: tuple[Keyword, ...]
    vocabulary: frozenset[str]

    @classmethod
    def of(cls, keywords: tuple[Keyword, ...]) -> _Compiled:
        alone = [keyword for keyword in keywords if all(len(spelling) == 1 for spelling in keyword)]
        single = tuple(dict.fromkeys(stem for keyword in alone for [stem] in keyword))
        compound = tuple(keyword for keyword in keywords if keyword not in alone)
        stems = (stem for keyword in keywords for spelling in keyword for stem in spelling)
        return cls(single, compound, frozenset(stems))

    def named_in(self, title: frozenset[str]) -> bool:
        return any(stem in title for stem in self.single) or any(
            title.issuperset(spelling) for keyword in self.compound for spelling in keyword
        )


@dataclass(frozen=True, slots=True)
class Keywords:
    """How much a text is about these words.

    When they occur c times in all among n words, the text scores c / (c + 1/4 + n/400): once in a long page is
    little, one word in a hundred is much, once in an anchor is clear. A title with one of them gives at least
    0.75. It is the sum that counts: chances of each word multiplied would take every page for certain once a
    topic has thirty words. A keyword of several words counts where all its stems are there, as often as the
    rarest of them; in an anchor or URL some of them give a share.

    >>> sailing = Keywords(("sailing", "yacht"))
    >>> round(sailing(Reading.of_words("Yachts for charter")), 2), sailing(Reading.of_words("Golf"))
    (0.8, 0.0)
    """

    words: tuple[str, ...]
    _compiled: dict[str, _Compiled] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, text: Reading) -> float:
        words = self._in(text.doc.language)
        terms = text.doc.terms
        in_title = bool(text.doc.title) and not text.title.isdisjoint(words.vocabulary)
        if not in_title and terms.keys().isdisjoint(words.vocabulary):
            return 0.0
        count: float = sum([terms[stem] for stem in words.single if stem in terms])
        count += sum(self._count(keyword, text) for keyword in words.compound)
        slack = ONCE + text.length / DILUTION
        miss = slack / (count + slack)
        return 1.0 - miss * (1.0 - TITLE if in_title and words.named_in(text.title) else 1.0)

    def vocabulary(self, language: str) -> frozenset[str]:
        """Every stem that counts."""
        return self._in(language).vocabulary

    def _count(self, keyword: Keyword, text: Reading) -> float:
        get = text.doc.terms.get
        count: float = sum(min(get(stem, 0) for stem in spelling) for spelling in keyword)
        if count or not text.short:
            return count
        # A third of the words is no third of the topic: the square keeps it well below a full hit.
        share = max(sum(stem in text.doc.terms for stem in spelling) / len(spelling) for spelling in keyword)
        return share * share * 0.5

    def _in(self, language: str) -> _Compiled:
        found = self._compiled.get(language)
        if found is None:
            found = self._compiled[language] = _Compiled.of(compiled(self.words, language))
        return found


@lru_cache(maxsize=1024)
def compiled(words: tuple[str, ...], language: str) -> tuple[Keyword, ...]:
    """The keywords as stems, those of equal stems once.

    >>> compiled(("sails", "sailing"), "en")
    ((('sail',),),)
    """
    keywords = (_spellings(word, language) for word in words)
    return tuple(dict.fromkeys(keyword for keyword in keywords if keyword))


def _spellings(word: str, language: str) -> Keyword:
    """Rügen is ruegen in most URLs, and on many pages."""
    word = word.lower()
    forms = [word, word.translate(_to_ascii)]
    forms.append(word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü"))
    return tuple(dict.fromkeys(tuple(found) for form in forms if (found := stems(form, language))))
