"""Revisits pages of a crawl: when to visit them again, what has changed, and which new links they have."""

from clew.revisit.new_links import catch_up
from clew.revisit.recrawl import Recrawl, recrawl
from clew.revisit.schedule import DuePage, plan, schedule

__all__ = ["DuePage", "Recrawl", "catch_up", "plan", "recrawl", "schedule"]
