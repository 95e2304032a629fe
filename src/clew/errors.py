"""What can go wrong by the user's doing or ours.

ClewError
├── ConfigError         a setting that is unknown, ill-typed or contradictory
├── InterestError       a formula or topic that cannot be read; knows the position in the text
├── StartError          the crawl cannot begin: no start page answers, or none is relevant
├── StrategyError       a strategy that is unknown or broke its contract
└── StoreError          the crawl folder cannot be used: in use, damaged, disk full
    └── FolderInUse

A page that cannot be fetched is data (`Fetched.error`, `Page.ok`), never an exception.
"""

from __future__ import annotations


class ClewError(Exception):
    """Every message says what is wrong and, where there is one, what to do next."""


class ConfigError(ClewError):
    """A setting that is unknown, ill-typed or contradictory."""


class InterestError(ClewError):
    """A formula or topic that cannot be read.

    >>> print(InterestError("a closing parenthesis is missing", "a AND (b", 8))
    a closing parenthesis is missing
      a AND (b
              ^
    """

    def __init__(self, message: str, formula: str = "", position: int | None = None) -> None:
        self.formula, self.position = formula, position
        if position is not None:
            message = f"{message}\n  {formula}\n  {' ' * position}^"
        super().__init__(message)


class StartError(ClewError):
    """The crawl cannot begin: no start page answers, or none is relevant."""


class StrategyError(ClewError):
    """A strategy that is unknown or broke its contract."""


class StoreError(ClewError):
    """The crawl folder cannot be used: damaged, not ours, or the disk is full."""


class FolderInUse(StoreError):
    """Another process is writing into the crawl folder."""
