"""HOW bytes arrive: over HTTP, politely and within limits."""

from clew.fetch._base import Fetcher
from clew.fetch.guard import Guard
from clew.fetch.http import HttpFetcher
from clew.fetch.politeness import Politeness

__all__ = ["Fetcher", "Guard", "HttpFetcher", "Politeness"]
