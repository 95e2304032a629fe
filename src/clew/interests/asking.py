"""Asks functions of the user's for a verdict: whatever they do becomes a number or an InterestError with their name."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable
from typing import Any, SupportsFloat, TypeVar

from clew.base.described import described, one_line
from clew.errors import InterestError, TimeIsUp

T = TypeVar("T")


def ask(name: str, function: Callable[[T], Any], question: T) -> Any:
    """What the function answers; an exception, an exit or the end of its time is an InterestError.

    >>> ask("mine:judge", lambda text: {}[text], "boat")
    Traceback (most recent call last):
    clew.errors.InterestError: mine:judge raised KeyError: 'boat'
    """
    try:
        return function(question)
    except TimeIsUp:
        raise InterestError(f"{name} took too long and was cut off (judge_seconds)") from None
    except SystemExit as end:
        raise InterestError(f"{name} called sys.exit") from end
    except Exception as error:
        raise InterestError(f"{name} raised {described(error)}") from error


def share(name: str, answer: object) -> float:
    """An answer as a number from 0 to 1; anything else is an InterestError.

    >>> share("mine:judge", True)
    1.0
    >>> share("mine:judge", "0.5")
    Traceback (most recent call last):
    clew.errors.InterestError: mine:judge must return a bool or a number from 0 to 1; it returned '0.5'
    """
    value = _number(answer)
    if not 0.0 <= value <= 1.0:
        raise InterestError(f"{name} must return a bool or a number from 0 to 1; it returned {_shown(answer)}")
    return value


def _number(answer: object) -> float:
    """NaN for what is no number."""
    # Models often return numbers of NumPy, which are no Python floats; their conversion may raise anything.
    try:
        return float(answer) if isinstance(answer, SupportsFloat) else math.nan
    except Exception:
        return math.nan


def _shown(answer: object) -> str:
    try:
        return one_line(reprlib.repr(answer))
    # Python refuses to write integers of many thousand digits.
    except Exception:
        return f"a {type(answer).__name__}"
