"""The language of links, whose few words do not tell it: that of the start pages, unless the examples tell another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from clew.interests import Formula, Interest, LearningInterest
from clew.types import Doc

ENGLISH: Final = "en"  # what earlier versions took links for, whatever the start pages
LANGUAGE: Final = "language"
"""The fact about a crawl that says it."""


def common_language(docs: Iterable[Doc]) -> str:
    """The language of most of the documents; "" if none is known.

    >>> common_language([Doc("", language="fr"), Doc("", language=""), Doc("", language="fr"), Doc("", language="en")])
    'fr'
    """
    found = Counter(doc.language for doc in docs if doc.language)
    return found.most_common(1)[0][0] if found else ""


def in_language(interest: Interest, language: str) -> Interest:
    """The interest for links in this language, if it is a formula: interests of the user's own know best."""
    return interest.in_language(language) if isinstance(interest, (Formula, LearningInterest)) else interest
