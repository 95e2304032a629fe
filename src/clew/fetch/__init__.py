"""HOW bytes arrive: over HTTP, politely and within limits, on request through a browser."""

from clew.fetch._base import (
    NOT_YET,
    Fetcher,
    MakesOtherRequests,
    ObeysRobots,
    RecallsAnswers,
    RemembersHosts,
    SharesLimits,
)
from clew.fetch.browser import Rendering, with_browser
from clew.fetch.guard import Guard
from clew.fetch.http import HttpFetcher
from clew.fetch.politeness import Politeness

__all__ = [
    "NOT_YET",
    "Fetcher",
    "Guard",
    "HttpFetcher",
    "MakesOtherRequests",
    "ObeysRobots",
    "Politeness",
    "RecallsAnswers",
    "RemembersHosts",
    "Rendering",
    "SharesLimits",
    "with_browser",
]
