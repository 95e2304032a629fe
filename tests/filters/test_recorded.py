"""On a recorded web, good sites are neither taken for traps nor starved."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.core.engine import Engine
from clew.core.simulation import run_simulation
from clew.lab.truth import truth_interest
from clew.lab.worlds import find

SHARED = Path(__file__).parents[3] / "shared" / "data"
RULES = ("tracking", "sessions", "dots", "canonical", "index", "variants", "parameters")


@pytest.mark.slow
def test_no_page_is_taken_for_a_trap_and_hardly_one_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (SHARED / "webkb.warc.gz").exists():
        pytest.skip("the recorded webs are not here: ../shared/data")
    monkeypatch.setenv("CLEW_WORLDS", str(SHARED))
    world, crawls = find("webkb"), list[Engine]()
    interest, seeds = truth_interest(world, "person"), world.seeds("person", 5)
    careful = {"url_rules": RULES, "duplicates": "skip", "soft_404": True, "traps": True, "host_pages": 50}
    plain = run_simulation(world.fetcher(), interest, seeds, strategy="breadth_first", pages=None)
    made = run_simulation(
        world.fetcher(), interest, seeds, strategy="breadth_first", pages=None, prepare=crawls.append, **careful
    )
    known = [crawls[0].frontier.entries([slot])[0] for slot in range(len(crawls[0].frontier))]
    traps = [entry.url for entry in known if entry.reason.startswith("trap")]
    assert [url for url in traps if world.id_of(url) is not None] == []
    assert made.stats.relevant > 0.98 * plain.stats.relevant - made.stats.duplicates
