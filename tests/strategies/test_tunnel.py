from __future__ import annotations

import pytest

from clew.core.standstill import HELD
from clew.core.stop import EXHAUSTED
from clew.errors import StrategyError
from clew.strategies import HOLD
from clew.strategies.tunnel import Tunnel, reach
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate

T11 = {1: [300, 60], 2: [240, 24], 3: [200, 6], 4: [180, 1], 5: [170, 0]}


def waiting(tunnel: Tunnel, name: str) -> Candidate:
    found = tunnel._crawl.candidate(url_of(name))
    assert found
    return found


def test_t11_the_longest_run_that_pays() -> None:
    assert reach(T11, theta=0.05, least=30) == (3, 4)
    assert reach(T11, theta=0.02, least=30) == (5, None)
    assert reach(T11, theta=0.2, least=30) == (1, 2)


def test_nothing_is_known_of_runs_that_were_seldom_seen() -> None:
    assert reach({}, 0.05, 30) == (0, None)
    assert reach({1: [300, 60], 2: [29, 0], 3: [200, 100]}, 0.05, 30) == (1, None)


@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_a_direction_ends_after_so_many_duds(cutoff: int) -> None:
    crawl = explore(Tunnel(mode="fixed", cutoff=cutoff), "s .9 -> a; a -> b; b -> c; c -> d; d .9")
    assert len(crawl.order) == 1 + cutoff
    assert crawl.reason == HELD


def test_a_nugget_begins_a_new_run() -> None:
    web = "s .9 -> a; a -> b; b .9 -> c; c -> d; d -> e; e -> f"
    assert "".join(order(Tunnel(mode="fixed", cutoff=2), web)) == "sabcd"


def test_what_counts_as_a_nugget() -> None:
    web = "s .9 -> a; a .4 -> b; b .4 -> c; c .4 -> d"
    assert "".join(order(Tunnel(mode="fixed", cutoff=1), web, threshold=0.3)) == "sa"
    assert "".join(order(Tunnel(mode="fixed", cutoff=1, cut=None), web, threshold=0.3)) == "sabcd"


def test_a_nugget_found_later_lowers_the_run_of_waiting_links() -> None:
    web = "s .9 -> a z; a -> b; b -> c; z .9 -> y; y .9 -> c"
    tunnel = Tunnel(mode="fixed", cutoff=2)
    assert "c" in order(tunnel, web)
    assert "c" not in order(Tunnel(mode="fixed", cutoff=2), "s .9 -> a z; a -> b; b -> c; z .9 -> y; y .9")


def test_and_the_runs_of_pages_known_before() -> None:
    """b was the second dud behind s; then y, a nugget, links to it: c is now one dud away from a nugget."""
    web = "s .9 -> a z; a -> b; b -> c; z -> y; y .9 -> b"
    tunnel = Tunnel(mode="fixed", cutoff=2)
    assert "".join(order(tunnel, web)) == "sazbyc"
    assert [tunnel.run[tunnel._crawl.number(url_of(name)) or 0] for name in "sazby"] == [0, 1, 1, 1, 0]


def test_a_parent_that_is_no_evidence_lowers_the_run() -> None:
    web = "s .9 -> a z; a .3 -> d e f; d -> x; e -> x; f -> x; z .1 -> y; y .9 -> h; h"
    assert "".join(order(Tunnel(mode="fixed", cutoff=2), web)) == "sazdefyh"
    assert "".join(order(Tunnel(mode="fixed", cutoff=2), f"{web} -> x")) == "sazdefyhx"


def test_unknown_runs_come_last_and_are_not_lost() -> None:
    web = "s .9 -> a b; a .4 -> c; b .9 -> d e; d .9"
    crawl = explore(Tunnel(), web)
    assert (crawl.reason, "".join(name[-1] for name in crawl.order)) == (EXHAUSTED, "sabdec")


def barren(pages: int) -> str:
    """A nugget with many duds behind it, and behind each of them another one."""
    names = range(pages)
    first = f"s .9 -> {' '.join(f'd{i}' for i in names)}"
    return "; ".join([first, *(f"d{i} 0 -> e{i}; e{i} 0 -> f{i}" for i in names)])


def test_runs_that_never_pay_are_given_up() -> None:
    tunnel = Tunnel(theta=0.1)
    crawl = explore(tunnel, barren(120))
    assert crawl.reason == HELD
    assert (tunnel.reach, tunnel.barred) == (0, 1)
    assert len(crawl.order) < 250  # of 361
    assert tunnel.counts[1][1] == 0


def test_runs_that_pay_are_followed() -> None:
    tunnel = Tunnel()
    web = barren(120).replace(" 0 -> f", " .9 -> f")
    assert explore(tunnel, web).reason == EXHAUSTED
    assert (tunnel.reach, tunnel.barred) == (1, None)
    assert tunnel.counts[1] == [120, 120]


def test_what_paid_in_an_earlier_crawl_is_known_from_the_start() -> None:
    tunnel, fixed = Tunnel(), Tunnel(mode="fixed", cutoff=2)
    for each in (tunnel, fixed):
        each.inherit({"counts": T11, "run": {5: 7}})
    assert (tunnel.reach, tunnel.barred, tunnel.run) == (3, 4, {})
    assert (fixed.reach, fixed.barred) == (1, 2)


def test_now_and_then_an_unknown_run_is_tried() -> None:
    visits = order(Tunnel(trial=0.1), barren(120), pages=60)
    assert [i for i, name in enumerate(visits) if name[0] == "e"] == [10, 20, 30, 40, 50]
    assert not [name for name in order(Tunnel(trial=0.0), barren(120), pages=60) if name[0] == "e"]


def test_explains_the_run() -> None:
    tunnel = Tunnel(mode="fixed", cutoff=2)
    explore(tunnel, "s .9 -> a b; a -> c; c -> d", pages=4)
    assert tunnel.explain(waiting(tunnel, "d")) == {"score": HOLD, "run": 2, "reach": 1}


@pytest.mark.parametrize("wrong", [{"cutoff": 0}, {"trial": 2.0}])
def test_parameters_that_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(StrategyError, match="tunnel"):
        Tunnel(**wrong)  # type: ignore[arg-type]
