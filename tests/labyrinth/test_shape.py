from __future__ import annotations

import pytest

from clew.errors import ConfigError
from clew.labyrinth import REGIMES, Labyrinth


@pytest.mark.parametrize("name", REGIMES)
def test_every_regime_makes_pages(name: str):
    web = Labyrinth.regime(name, pages=300, seed=4)
    assert web.page(web.url(42)).status == 200


def test_settings_win_over_the_regime():
    assert Labyrinth.regime("poor", urls=0.5).urls == 0.5


@pytest.mark.parametrize(
    "wrong",
    [
        {"pages": 99},
        {"sites": 3},
        {"locality": 1.5},
        {"anchors_informative": 0.9, "anchors_misleading": 0.3},
        {"sites": 1000},
    ],
)
def test_nonsense_is_refused(wrong: dict[str, float]):
    with pytest.raises(ConfigError):
        Labyrinth(**wrong)


def test_an_unknown_regime_names_the_nearest():
    with pytest.raises(ConfigError, match="tunnel"):
        Labyrinth.regime("tunel")
