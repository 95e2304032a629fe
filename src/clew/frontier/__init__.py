"""Candidates: best score first among the hosts that are ready."""

from clew.frontier.frontier import Frontier
from clew.frontier.table import State
from clew.frontier.web import Web

__all__ = ["Frontier", "State", "Web"]
