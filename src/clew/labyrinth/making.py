"""Makes a synthetic web of a named regime."""

from __future__ import annotations

from typing import Any, Final

from clew.config import unknown
from clew.errors import ConfigError
from clew.labyrinth.labyrinth import Labyrinth
from clew.labyrinth.regional import Regional
from clew.labyrinth.shape import REGIMES
from clew.labyrinth.web import Web

REGIONS: Final = "regions"
"""The regime of the web with two taxonomies, which has no other settings than size and seed."""
ALL_REGIMES: Final = (*REGIMES, REGIONS)


def made(regime: str, **settings: Any) -> Web:
    """A labyrinth of a named regime.

    >>> made("regions", pages=2000), made("tunnel").pages
    (Regional(pages=2000, seed=1), 2000)
    """
    if regime == REGIONS:
        return Regional(**settings)
    if regime not in REGIMES:
        raise ConfigError(unknown("regime", regime, list(ALL_REGIMES)))
    return Labyrinth.regime(regime, **settings)
