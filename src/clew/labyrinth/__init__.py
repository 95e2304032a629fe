"""The synthetic web: generates a labyrinth of any size and serves it on the loopback interface."""

from __future__ import annotations

from clew.labyrinth.answer import Answer, Wire
from clew.labyrinth.hidden import Hidden
from clew.labyrinth.hostile import Hostile, Nature
from clew.labyrinth.labyrinth import Labyrinth, Truth
from clew.labyrinth.making import made
from clew.labyrinth.process import Serving, run, serving
from clew.labyrinth.regional import Regional
from clew.labyrinth.server import Server, serve
from clew.labyrinth.shape import REGIMES
from clew.labyrinth.web import Web

__all__ = [
    "REGIMES",
    "Answer",
    "Hidden",
    "Hostile",
    "Labyrinth",
    "Nature",
    "Regional",
    "Server",
    "Serving",
    "Truth",
    "Web",
    "Wire",
    "made",
    "run",
    "serve",
    "serving",
]
