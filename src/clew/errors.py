"""The exceptions of clew.

ClewError
├── ConfigError         a setting is unknown, has the wrong type or contradicts another one
├── InterestError       a formula or topic cannot be read; has the position in the text
├── StartError          the crawl cannot start: no start page answers, or none is relevant
├── StrategyError       a strategy is unknown or broke its contract
└── StoreError          the crawl folder cannot be used: in use, damaged, disk full
    ├── FolderInUse
    └── RecordLost      the archived answer of a visit is missing or damaged

A page that cannot be fetched is data (`Fetched.error`, `Page.ok`), never an exception. So is one on which parser, judge
or strategy fail: see `core/faults.py`.
"""

from __future__ import annotations


class ClewError(Exception):
    """The base class; every message says what is wrong and, if possible, what to do next."""


class ConfigError(ClewError):
    """A setting is unknown, has the wrong type or contradicts another one."""


class InterestError(ClewError):
    """A formula or topic cannot be read.

    >>> print(InterestError("a closing parenthesis is missing", "a AND (b", 8))
    a closing parenthesis is missing
      a AND (b
              ^
    """

    def __init__(self, message: str, formula: str = "", position: int | None = None) -> None:
        self.formula = formula
        self.position = position
        if position is not None:
            # A caret under the place of the error, as Python shows its own syntax errors.
            message = f"{message}\n  {formula}\n  {' ' * position}^"
        super().__init__(message)


class StartError(ClewError):
    """The crawl cannot start: no start page answers, or none is relevant."""


class StrategyError(ClewError):
    """A strategy is unknown or broke its contract."""


class TimeIsUp(BaseException):
    """Ends a call that takes too long; no Exception, so that `except Exception` in the user's code lets it pass."""


class StoreError(ClewError):
    """The crawl folder cannot be used: it is damaged or not a crawl folder, or the disk is full."""


class FolderInUse(StoreError):
    """Another process is writing to the crawl folder."""


class RecordLost(StoreError):
    """The archived answer of a visit is missing or damaged; the visit itself is still known."""
