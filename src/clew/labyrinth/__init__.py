"""The synthetic web: a generator of a labyrinth of any size and its loopback server."""

from __future__ import annotations

from clew.labyrinth.labyrinth import Answer, Labyrinth, Truth
from clew.labyrinth.process import Serving, run, serving
from clew.labyrinth.server import Server, serve
from clew.labyrinth.shape import REGIMES

__all__ = ["REGIMES", "Answer", "Labyrinth", "Server", "Serving", "Truth", "run", "serve", "serving"]
