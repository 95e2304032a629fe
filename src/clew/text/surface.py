"""Words as people write them: a search box of a stranger knows no stems."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from clew.text.terms import stems

MIN_LETTERS: Final = 3
MAX_LETTERS: Final = 25
_WORD: Final = re.compile(r"[^\W\d_]+")


def common_words(text: str, language: str = "en", most: int = 30) -> list[str]:
    """The most frequent words without stop words; of the forms of a word, the most frequent one.

    >>> common_words("Sails and boats: old boats, a boat, and its sail. Sails!")
    ['sails', 'boats', 'old']
    """
    return [*spellings(text, language, most).values()]


def spellings(text: str, language: str = "en", most: int = 1000) -> dict[str, str]:
    """The same words by their stems.

    >>> spellings("Sails and boats: old boats, a boat, and its sail. Sails!")
    {'sail': 'sails', 'boat': 'boats', 'old': 'old'}
    """
    forms: dict[str, Counter[str]] = {}
    for word, count in Counter(_WORD.findall(text.lower())).items():
        if not MIN_LETTERS <= len(word) <= MAX_LETTERS:
            continue
        found = stems(word, language)
        if len(found) == 1:
            forms.setdefault(found[0], Counter())[word] = count
    # Sorting is stable: of equally frequent words, the one that comes first in the text stays first.
    ranked = sorted(forms.items(), key=lambda item: -item[1].total())
    return {stem: counts.most_common(1)[0][0] for stem, counts in ranked[:most]}
