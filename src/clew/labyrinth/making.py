"""Makes a synthetic web of a named regime."""

from __future__ import annotations

from typing import Any, Final, Literal

from clew.config import unknown
from clew.errors import ConfigError
from clew.labyrinth.hidden import Hidden
from clew.labyrinth.hostile import Hostile
from clew.labyrinth.labyrinth import Labyrinth
from clew.labyrinth.regional import Regional
from clew.labyrinth.shape import REGIMES
from clew.labyrinth.web import Web

REGIONS: Final = "regions"
"""The regime of the web with two taxonomies, which has no other settings than size and seed."""
Kind = Literal["", "hostile", "hidden"]
KINDS: Final[dict[Kind, type[Labyrinth]]] = {"": Labyrinth, "hostile": Hostile, "hidden": Hidden}
ALL_REGIMES: Final = (*REGIMES, REGIONS)


def made(regime: str, kind: Kind = "", **settings: Any) -> Web:
    """A labyrinth of a named regime, on request with hostile hosts, or with archives behind search forms.

    >>> made("regions", pages=2000), made("tunnel").pages
    (Regional(pages=2000, seed=1), 2000)
    """
    if regime == REGIONS:
        if kind or settings.keys() - {"pages", "seed"}:
            raise ConfigError(f"the labyrinth of {REGIONS} has only the settings pages and seed, and no special hosts")
        return Regional(**settings)
    if regime not in REGIMES:
        raise ConfigError(unknown("regime", regime, list(ALL_REGIMES)))
    return KINDS[kind].regime(regime, **settings)
