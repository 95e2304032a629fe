"""Pages that are visited again: when, what has changed, and where it leads."""

from clew.revisiting.links import catch_up
from clew.revisiting.recrawl import Recrawl, recrawl
from clew.revisiting.schedule import Due, plan, schedule

__all__ = ["Due", "Recrawl", "catch_up", "plan", "recrawl", "schedule"]
