"""Judges that users bring: a function or a small class decides which pages are relevant."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, SupportsFloat

from clew.errors import InterestError
from clew.interests._base import Interest
from clew.types import Doc, Judgement

CLASSIFIERS: Final = ("linear", "bayes", "hierarchy", "vocabulary")
"""What judges by examples; any other name is a judge of the user's own."""
JUDGED: Final = "judge"  # the membership under which the verdict is stored

Verdict = float | bool | Judgement


class Judge:
    """Says how relevant a page is: derive from it and define `judge`.

    >>> class Long(Judge):
    ...     def judge(self, doc):
    ...         return len(doc.text) > 1000
    >>> interest = as_interest(Long())
    >>> interest.judge(Doc("http://a.example/", text="short")).relevant
    False
    """

    def judge(self, doc: Doc) -> Verdict:
        """A number from 0 to 1, or yes or no."""
        raise TypeError(f"{type(self).__name__} must define judge(doc)")

    def rate(self, text: str) -> float:
        """0 to 1 for an anchor or another short text: how promising it is."""
        return 0.0


Judging = Judge | Callable[[Doc], Verdict]


@dataclass(frozen=True, eq=False)
class JudgedInterest:
    """An interest whose pages are judged by a user's judge.

    Where the user also gives a formula, its words rate anchors and so guide the strategy.
    """

    decide: Callable[[Doc], Verdict]
    name: str  # the formula if there is one, and else the judge
    rating: Callable[[str], float]
    threshold: float = 0.5
    judge_name: str = ""  # for messages

    def __str__(self) -> str:
        return self.name

    def judge(self, doc: Doc) -> Judgement:
        """The user's verdict on a page."""
        try:
            verdict = self.decide(doc)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise InterestError(f"the judge {self.judge_name} failed on {doc.url}: {problem}") from error
        if isinstance(verdict, Judgement):
            return verdict._replace(topics={**verdict.topics, JUDGED: verdict.relevance})
        relevance = _number(verdict)
        if not 0 <= relevance <= 1:
            problem = f"returned {verdict!r} for {doc.url}"
            raise InterestError(f"the judge {self.judge_name} must return a bool or a number from 0 to 1; it {problem}")
        return Judgement(relevance, relevance >= self.threshold, {JUDGED: relevance})

    def rate(self, text: str) -> float:
        """How promising a short text is."""
        return self.rating(text)

    def value(self, topics: Mapping[str, float]) -> float:
        """The stored verdict."""
        return topics.get(JUDGED, 0.0)

    def guide(self) -> Interest:
        """Strategies follow the verdict itself."""
        return self

    def wider(self, method: str = "taxonomy", counts: Mapping[str, int] | None = None) -> None:
        """A function has no more general form."""

    def starting_from(self, relevances: Iterable[float]) -> Interest:
        """The threshold is the judge's own business: start pages need not be relevant."""
        return self

    def at(self, threshold: float) -> Interest:
        """The same with another threshold."""
        return replace(self, threshold=threshold)


def as_interest(judge: Judging, words: Interest | None = None) -> JudgedInterest:
    """A user's judge as an interest; `words` rate anchors in its place."""
    own_rating = judge.rate if isinstance(judge, Judge) else _unrated
    decide = judge.judge if isinstance(judge, Judge) else judge
    name = judge_name(judge)
    return JudgedInterest(
        decide,
        name=str(words) if words else name,
        rating=words.rate if words else own_rating,
        judge_name=name,
    )


def judge_name(judge: Judging) -> str:
    """The name of the function or of the class, for messages."""
    return type(judge).__name__ if isinstance(judge, Judge) else getattr(judge, "__name__", type(judge).__name__)


def _number(verdict: object) -> float:
    """A verdict as a number; NaN for what is none."""
    # Models often return numbers of NumPy, which are no Python floats.
    try:
        return float(verdict) if isinstance(verdict, SupportsFloat) else math.nan
    except (TypeError, ValueError):
        return math.nan


def _unrated(text: str) -> float:
    """A function for pages says nothing of anchors."""
    return 0.0
