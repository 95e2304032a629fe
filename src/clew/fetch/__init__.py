"""HOW bytes arrive: over HTTP, politely and within limits, on request through a browser."""

from clew.fetch._base import NOT_YET, Fetcher, RemembersHosts
from clew.fetch.browser import Rendering, with_browser
from clew.fetch.guard import Guard
from clew.fetch.http import HttpFetcher
from clew.fetch.politeness import Politeness

__all__ = ["NOT_YET", "Fetcher", "Guard", "HttpFetcher", "Politeness", "RemembersHosts", "Rendering", "with_browser"]
