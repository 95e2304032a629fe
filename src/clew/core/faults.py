"""Exceptions in parser, judge and strategy as data: one page fails, the crawl goes on, and ten in a row end it.

A fault is logged with its traceback, written to the journal and counted. A replay meets none of them again: the record
of a visit says what parser and judge made of it, and a commit after a fault of the strategy has a checkpoint.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar, get_args

from clew.base.described import described
from clew.core.time_limit import limited
from clew.errors import InterestError, StrategyError, TimeIsUp
from clew.interests import Interest
from clew.store import Record
from clew.types import Doc, Judgement, UrlState

MAX_IN_A_ROW: Final = 10
IN_A_ROW: Final = f"{MAX_IN_A_ROW} errors in a row"
CANNOT_SCORE: Final = "the strategy cannot score the candidates"

Part = Literal["parse", "judge", "strategy"]
T = TypeVar("T")
_REASONS: Final = tuple(f"{part} error: " for part in get_args(Part))

log = logging.getLogger("clew.faults")


def is_fault(record: Record) -> bool:
    """Whether a visit failed because parser, judge or strategy did."""
    return record.state == UrlState.FAILED and record.reason.startswith(_REASONS)


def ended_by_faults(reason: str) -> bool:
    """Whether a crawl stopped because a part must be mended first."""
    return reason.startswith((IN_A_ROW, CANNOT_SCORE))


def judged(doc: Doc, interest: Interest, seconds: float = 0.0) -> Judgement:
    """A document under an interest; whatever goes wrong with it in that time is an InterestError."""
    try:
        return _checked(limited(seconds, interest.judge, doc))
    except InterestError:
        raise
    except TimeIsUp:
        raise InterestError(f"judging took longer than {seconds:g} seconds and was cut off (judge_seconds)") from None
    except (Exception, SystemExit) as error:
        raise InterestError(described(error)) from error


def _checked(judgement: object) -> Judgement:
    if not isinstance(judgement, Judgement) or not math.isfinite(judgement.relevance):
        raise InterestError("an interest must return a Judgement with a finite relevance")
    return judgement


def _ignore(event: str, detail: str) -> None:
    """Nobody keeps a journal."""


@dataclass
class Faults:
    """Runs the work of the parts, and keeps what they raise away from the crawl.

    >>> faults = Faults()
    >>> faults.attempt("strategy", "learn", "http://a.example/", lambda: 1 / 0), faults.last
    (None, 'strategy error: ZeroDivisionError: division by zero')
    """

    note: Callable[[str, str], None] = _ignore  # into the journal
    is_strict: bool = False  # whether exceptions are raised after all, for those who test a part
    count: int = 0
    last: str = ""  # the reason for the latest one
    is_unsaved: bool = False  # whether the state depends on one that a replay would not repeat
    _runs: dict[tuple[Part, str], list[str]] = field(default_factory=dict)  # reasons in a row, by part and task

    def attempt(self, part: Part, task: str, where: str, function: Callable[..., T], *args: Any) -> T | None:
        """The result of some work on a URL; None if it fails, and `last` has the reason then."""
        try:
            result = function(*args)
        # Also the user's sys.exit, but never an interrupt.
        except (Exception, SystemExit, TimeIsUp) as error:
            if self.is_strict:
                raise
            self._record(part, task, where, described(error), error)
            return None
        self.forget_run(part, task)
        return result

    def judge(self, doc: Doc, interest: Interest, seconds: float) -> Judgement | None:
        """A document under an interest; None if it could not be parsed, or not be judged in that time."""
        if doc.error:
            # The parser has logged it already.
            self._record("parse", "parse", doc.url, doc.error)
            return None
        self.forget_run("parse", "parse")
        return self.attempt("judge", "judge", doc.url, judged, doc, interest, seconds)

    def in_a_row(self, part: Part, task: str) -> list[str]:
        """Why a task has failed since it last succeeded, once for each time."""
        return self._runs.setdefault((part, task), [])

    def forget_run(self, part: Part, task: str) -> None:
        """A task has succeeded."""
        self._runs.pop((part, task), None)

    def forget_runs(self) -> None:
        """Begin to count faults in a row anew: the user may have mended a part."""
        self._runs.clear()

    @property
    def verdict(self) -> str:
        """Why the crawl must end, or ""."""
        hopeless = [reasons[-1] for reasons in self._runs.values() if len(reasons) >= MAX_IN_A_ROW]
        return f"{IN_A_ROW}; the last is a {hopeless[0]}" if hopeless else ""

    def check(self) -> None:
        """Raise an error if there are too many in a row, where there is no crawl that could end cleanly."""
        for (part, _), reasons in self._runs.items():
            if len(reasons) >= MAX_IN_A_ROW:
                kind = StrategyError if part == "strategy" else InterestError
                raise kind(f"{self.verdict}; nothing was changed: mend the {part}, then give the same command again")

    def _record(self, part: Part, task: str, where: str, problem: str, error: BaseException | None = None) -> None:
        self.last = f"{part} error: {problem}"
        self.count += 1
        self.in_a_row(part, task).append(self.last)
        self.is_unsaved = self.is_unsaved or part == "strategy"
        self.note("error", f"{where}: {self.last}")
        if error:
            log.warning("%s: %s", where, self.last, exc_info=error)
