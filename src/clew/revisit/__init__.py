"""Pages that are visited again: when, what has changed, and where it leads."""

from clew.revisit.new_links import catch_up
from clew.revisit.recrawl import Recrawl, recrawl
from clew.revisit.schedule import Due, plan, schedule

__all__ = ["Due", "Recrawl", "catch_up", "plan", "recrawl", "schedule"]
