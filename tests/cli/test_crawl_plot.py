from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clew.cli import crawl_plot
from clew.lab.plots import Flags, spread, windowed

PNG = b"\x89PNG\r\n"


def flags(count: int, share: float) -> Flags:
    return np.random.default_rng(0).random(count) < share


@pytest.mark.parametrize("count", [0, 1, 7, 500])
def test_any_length_gives_a_picture(tmp_path: Path, count: int) -> None:
    file = crawl_plot.harvest({"best_first": flags(count, 0.5)}, tmp_path / "report" / "harvest.png")
    assert file.read_bytes().startswith(PNG)


def test_several_crawls_and_odd_names(tmp_path: Path) -> None:
    crawls = {
        "a_$x$": flags(60, 0.8),
        "b": flags(40, 0.1),
        "c": flags(60, 0.1),
        "d": flags(9, 1.0),
        "e": flags(9, 0),
    }
    file = crawl_plot.harvest(crawls | {"f": flags(3, 1)}, tmp_path / "h.png", title="price $5$ AND 帆船 " * 20)
    assert file.read_bytes().startswith(PNG)


def test_windowed_share_agrees_with_counting() -> None:
    seen = flags(300, 0.3)
    expected = [seen[max(0, i - 49) : i + 1].mean() for i in range(300)]
    np.testing.assert_allclose(windowed(seen, 50), expected)


def test_labels_keep_their_distance_and_stay_below_the_top() -> None:
    places = spread([0.97, 0.98, 0.99, 1.0], gap=0.1, top=1.0)
    assert max(places) == 1.0
    np.testing.assert_allclose(np.diff(places), 0.1)
    assert spread([], 0.1, 1.0) == []


def test_marks_say_what_has_changed(tmp_path: Path) -> None:
    crawls = {"a": flags(60, 0.4)}
    plain = crawl_plot.harvest(crawls, tmp_path / "plain.png").read_bytes()
    marked = crawl_plot.harvest(crawls, tmp_path / "m.png", marks={20: "from $a$ to b", 40: "deny c"}).read_bytes()
    assert marked.startswith(PNG)
    assert marked != plain
