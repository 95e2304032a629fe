"""Candidates: best score first among the hosts that are ready."""

from clew.frontier.frontier import Frontier
from clew.frontier.table import State

__all__ = ["Frontier", "State"]
