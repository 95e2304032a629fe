"""What summaries say of the judge: expected precision and recall, if its relevances are probabilities."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from clew.cli.summary import expected_quality, judged
from clew.config import configure
from clew.core.build import frontier as frontier_of
from clew.core.engine import Engine
from clew.core.state import CrawlState
from clew.store import Records, SqliteStore
from clew.strategies import make
from clew.testing.tiny_web import TinyWeb, TinyWebFetcher, TinyWebInterest, url_of

WEB = TinyWeb.read("s .9 -> a [x] b [x] c [x]; a .7; b .3; c .1")


class Calibrated(TinyWebInterest):
    """Its relevances are probabilities."""

    calibrated = True


def crawled(folder: Path, interest: TinyWebInterest, **more: object) -> Records:
    plain = {"interest": "x", "seeds": [url_of("s")], "delay": 0, "parallel": 1, "traps": False, "judge": "plain"}
    config = configure(**{**plain, **more})
    with SqliteStore(folder, new=config) as store:
        state = CrawlState(config, interest, make("breadth_first"), store, frontier_of(config, store))
        asyncio.run(Engine(state, TinyWebFetcher(WEB), store).run())
    return Records(folder)


def test_a_calibrated_judge_says_how_sure_it_is(tmp_path: Path) -> None:
    with crawled(tmp_path / "c", Calibrated(WEB)) as records:
        # 0.9 and 0.7 count; 0.3 and 0.1 do not.
        assert expected_quality(records) == pytest.approx((1.6 / 2, 1.6 / 2.0))
        rows = judged(records)
    assert rows == {
        "threshold": "0.500, where the judge expects the best balance of precision and recall",
        "judge": "expects that 80 % of them are relevant, and that they are 80 % of the relevant pages visited",
    }


def test_other_judges_say_nothing_of_it(tmp_path: Path) -> None:
    with crawled(tmp_path / "c", TinyWebInterest(WEB), threshold=0.5) as records:
        assert expected_quality(records) is None
        assert judged(records) == {"threshold": "0.500, the default (--threshold)"}
