"""Makes a synthetic web of a named regime."""

from __future__ import annotations

from typing import Any, Final

from clew.config import unknown
from clew.errors import ConfigError
from clew.labyrinth.hostile import Hostile
from clew.labyrinth.labyrinth import Labyrinth
from clew.labyrinth.regional import Regional
from clew.labyrinth.shape import REGIMES
from clew.labyrinth.web import Web

REGIONS: Final = "regions"
"""The regime of the web with two taxonomies, which has no other settings than size and seed."""
ALL_REGIMES: Final = (*REGIMES, REGIONS)


def made(regime: str, hostile: bool = False, **settings: Any) -> Web:
    """A labyrinth of a named regime, on request with hostile hosts.

    >>> made("regions", pages=2000), made("tunnel").pages
    (Regional(pages=2000, seed=1), 2000)
    """
    if regime == REGIONS:
        if hostile or settings.keys() - {"pages", "seed"}:
            raise ConfigError(f"the labyrinth of {REGIONS} has no settings but pages and seed, and no hostile hosts")
        return Regional(**settings)
    if regime not in REGIMES:
        raise ConfigError(unknown("regime", regime, list(ALL_REGIMES)))
    return (Hostile if hostile else Labyrinth).regime(regime, **settings)
