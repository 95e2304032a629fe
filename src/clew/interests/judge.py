"""Judges that users bring: a function or a small class decides which pages are relevant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from clew.interests._base import Interest
from clew.interests.asking import ask, share
from clew.types import Doc, Judgement

BUILT_IN_JUDGES: Final = ("learning", "plain")
"""Judges that follow the interest; any other name is a judge of the user's own."""
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
        judge = f"the judge {self.judge_name}"
        verdict = ask(judge, self.decide, doc)
        if isinstance(verdict, Judgement):
            return _checked(judge, verdict)
        relevance = share(judge, verdict)
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
    own_rating = partial(_rated, judge) if isinstance(judge, Judge) else _unrated
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


def _checked(judge: str, verdict: Judgement) -> Judgement:
    """A judgement that the user made, with plain numbers and the verdict among its topics."""
    relevance = share(judge, verdict.relevance)
    topics = {str(topic): share(judge, membership) for topic, membership in dict(verdict.topics).items()}
    return Judgement(relevance, bool(verdict.relevant), {**topics, JUDGED: relevance})


def _rated(judge: Judge, text: str) -> float:
    name = f"rate of the judge {judge_name(judge)}"
    return share(name, ask(name, judge.rate, text))


def _unrated(text: str) -> float:
    """A function for pages says nothing of anchors."""
    return 0.0
