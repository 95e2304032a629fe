"""Live manners: the real engine and the real politeness, in virtual time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.config import Fetch
from clew.core.manners import LiveFetcher, manners_of
from clew.core.simulation import Simulation
from clew.core.virtual_time import VirtualClock
from clew.core.web_faults import WebFaults
from clew.errors import ConfigError
from clew.parse.url import domain, host
from clew.strategies import Strategy, names
from clew.testing.random_web import random_web
from clew.testing.tiny_web import TinyWeb, TinyWebFetcher, explore, name_of
from clew.types import Candidate

# A good host, and three that are not; the portal links to all of them.
PORTAL = """
portal.org/ -> good.org/1 [.9] good.org/2 [.8] good.org/3 [.7] bad.com/1 [.1] bad.net/1 [.1] bad.de/1 [.1] bad.fr/1 [.1]
"""


@dataclass
class ByAnchor(Strategy):
    """The chance of a page is the number in its anchor."""

    waits = "by score"

    def score(self, candidates: Sequence[Candidate]) -> list[float]:
        rate = self._crawl.interest.rate
        return [max((rate(link.anchor) for link in each.links), default=1.0) for each in candidates]


def crawl(web: TinyWeb | str, strategy: Strategy | str = "best_first", manners: str = "live", **more) -> Simulation:
    return explore(strategy, web, manners=manners, **{"pages": 1000} | more)


def requests(web: TinyWeb, **more) -> list[tuple[float, str]]:
    """When each request went out, and for which URL."""
    fetchers: list[LiveFetcher] = []
    crawl(web, prepare=lambda engine: fetchers.append(engine.fetcher), **more)
    return fetchers[0].requests


def visited(simulation: Simulation) -> list[str]:
    return [name_of(url) for url in simulation.order]


def test_a_patient_crawl_takes_the_good_pages_first() -> None:
    patient = crawl(PORTAL, ByAnchor(), pages=4)
    hasty = crawl(PORTAL, ByAnchor(), "live(patience=0)", pages=4)
    still = crawl(PORTAL, ByAnchor(), "still", pages=4)
    assert visited(patient) == visited(still) == ["portal.org/", "good.org/1", "good.org/2", "good.org/3"]
    assert set(visited(hasty)) == {"portal.org/", "good.org/1", "bad.com/1", "bad.net/1"}


def test_without_a_limit_of_pages_a_crawl_does_not_wait() -> None:
    orders = [visited(crawl(PORTAL, ByAnchor(), f"live(patience={turns})", pages=None)) for turns in (0, 2)]
    assert orders[0] == orders[1]


def test_breadth_first_does_not_wait() -> None:
    """Its order is no order of worth."""
    orders = [visited(crawl(PORTAL, "breadth_first", f"live(patience={turns})")) for turns in (0, 2)]
    assert orders[0] == orders[1]


def test_a_crawl_of_one_host_is_left_alone() -> None:
    web = random_web(pages=40)
    for strategy in ("best_first", "adaptive"):
        runs = [crawl(web, strategy, f"live(patience={turns}, per_host=3)") for turns in (0, 2)]
        assert runs[0].order == runs[1].order
        assert runs[0].times == runs[1].times


def test_stats_say_what_was_waited_for() -> None:
    seen = []
    simulation = crawl(PORTAL, ByAnchor(), pages=4, watch=seen.append)
    waits = [stats for stats in seen if stats.waits_for]
    assert {stats.waits_for for stats in waits} == {"good.org"}
    assert max(stats.waits_score for stats in waits) == 0.9
    assert 1.0 < simulation.stats.waited < simulation.stats.seconds


def test_times_are_virtual_and_rise() -> None:
    simulation = crawl(random_web(pages=60, hosts=6))
    assert len(simulation.times) == len(simulation.order)
    assert simulation.times == sorted(simulation.times)
    assert simulation.stats.seconds > 10
    assert simulation.stats.seconds == pytest.approx(simulation.times[-1], abs=5)


@pytest.mark.parametrize("delay", [0.5, 2.0])
def test_politeness_holds_in_virtual_time(delay: float) -> None:
    last: dict[str, float] = {}
    for at, url in requests(random_web(pages=90, hosts=5, seed=3), manners=f"live(delay={delay})"):
        assert at - last.get(host(url), -100.0) >= delay
        last[host(url)] = at
    assert len(last) == 5


def test_the_hosts_of_a_domain_share_its_limit() -> None:
    """Eight hosts of one domain: four at a time and four requests a second, though each host alone is ready."""
    links = " ".join(f"h{number}.example.org/{page}" for page in range(4) for number in range(8))
    log = requests(TinyWeb.read(f"portal.org/ -> {links}"), manners="live(patience=0)")
    times = [at for at, url in log if domain(url) == "example.org"]
    assert len(times) == 32
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert min(gaps) >= 0.25 - 1e-6
    assert times[-1] - times[0] == pytest.approx(31 * 0.25, rel=0.35)


def test_the_same_crawl_twice_is_the_same() -> None:
    runs = [crawl(random_web(pages=80, hosts=7, seed=1), "adaptive") for _ in range(2)]
    assert runs[0].order == runs[1].order
    assert runs[0].times == runs[1].times


def test_the_hash_seed_of_python_does_not_matter() -> None:
    code = (
        "from clew.testing.random_web import random_web\n"
        "from clew.testing.tiny_web import explore\n"
        "crawl = explore('shark', random_web(pages=60, hosts=6), manners='live', pages=1000)\n"
        "print(crawl.order, crawl.times)"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1] != b""


@pytest.mark.parametrize("strategy", names())
def test_no_strategy_stalls(strategy: str) -> None:
    """Those that hold candidates back, too: an hour is far more than 60 pages need."""
    simulation = crawl(random_web(pages=60, hosts=5, seed=2), strategy, minutes=600.0)
    hasty = crawl(random_web(pages=60, hosts=5, seed=2), strategy, "live(patience=0)")
    assert "minutes" not in simulation.reason
    assert simulation.stats.seconds < 3600
    assert len(simulation.order) >= 0.5 * len(hasty.order)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1000),
    hosts=st.integers(1, 9),
    delay=st.sampled_from([0.0, 0.1, 1.0, 20.0]),
    patience=st.sampled_from([0.5, 2.0, 50.0]),
    parallel=st.sampled_from([1, 3, 16]),
    strategy=st.sampled_from(["adaptive", "best_first", "shark", "hard_focus", "tunnel"]),
)
def test_a_wait_always_ends(seed: int, hosts: int, delay: float, patience: float, parallel: int, strategy: str) -> None:
    web = random_web(pages=30, hosts=hosts, seed=seed)
    manners = f"live(delay={delay}, patience={patience}, parallel={parallel})"
    simulation = crawl(web, strategy, manners, minutes=6000.0)
    assert "minutes" not in simulation.reason
    # Every visit waits for its host and for a better page, at most.
    assert simulation.stats.seconds <= 40 * (60 + 15 * patience)


def test_a_host_answers_as_fast_as_its_kind_and_the_median_is_as_documented() -> None:
    fetcher = LiveFetcher(TinyWebFetcher(TinyWeb()), Fetch(), VirtualClock(), seed=1)
    seconds = [fetcher.latency(f"http://host{number}.org/") for number in range(2000)]
    assert median(seconds) == pytest.approx(0.3, rel=0.1)
    assert fetcher.latency("http://host1.org/") == seconds[1]


def test_manners_with_settings() -> None:
    behaviour = manners_of("live(delay=2, patience=0)")
    assert behaviour.is_live
    assert behaviour.settings["delay"] == 2
    assert behaviour.settings["patience"] == 0
    with pytest.raises(ConfigError, match="no setting 'dellay'; did you mean 'delay'"):
        manners_of("live(dellay=2)")


def test_settings_of_the_caller_come_first() -> None:
    """A second between two requests to a host, although the caller of `explore` says nothing of manners."""
    slow = crawl("a -> b c", manners="live", delay=10.0)
    assert slow.times[-1] > 20


def states(simulation: Simulation) -> Counter[str]:
    return Counter(record.state for record in simulation.records)


def wide_web() -> TinyWeb:
    """Two hundred hosts with two folders each, all linked from the portal."""
    links = " ".join(f"h{number}.org/{folder}/1" for number in range(200) for folder in "ab")
    return TinyWeb.read(f"portal.org/ -> {links}")


def test_dead_hosts_answer_nothing() -> None:
    simulation = crawl(wide_web(), manners="live(dead_hosts=0.3)")
    failed = {host(record.url) for record in simulation.records if record.state == "failed"}
    fetched = {host(record.url) for record in simulation.records if record.state == "fetched"}
    assert not failed & fetched
    assert len(failed) == pytest.approx(60, abs=20)
    assert "portal.org" in fetched


def test_failures_pass() -> None:
    """With retries nearly every page comes in the end; without them as many are lost as fail."""
    assert states(crawl(wide_web(), manners="live(failures=0.2)"))["failed"] < 20
    assert states(crawl(wide_web(), manners="live(failures=0.2, retries=0)"))["failed"] == pytest.approx(80, abs=25)


def test_robots_forbid_folders_and_cost_a_request() -> None:
    log = requests(wide_web(), manners="live(forbidden=0.4)")
    simulation = crawl(wide_web(), manners="live(forbidden=0.4)")
    asked = [url for _, url in log]
    assert sum(url.endswith("/robots.txt") for url in asked) == 201
    refused = [record.url for record in simulation.records if record.state == "refused"]
    assert len(refused) == pytest.approx(160, abs=40)
    assert not set(refused) & set(asked)
    # They are no visits.
    assert not set(refused) & set(simulation.order)
    assert states(crawl(wide_web(), manners="live(forbidden=0.4, robots=False)"))["refused"] == 0


def test_a_crawl_delay_is_kept() -> None:
    links = " ".join(f"h{number}.org/{page}" for number in range(40) for page in range(3))
    last: dict[str, float] = {}
    gaps: dict[str, list[float]] = {}
    for at, url in requests(TinyWeb.read(f"portal.org/ -> {links}"), manners="live(crawl_delays=0.5)"):
        if host(url) in last:
            gaps.setdefault(host(url), []).append(at - last[host(url)])
        last[host(url)] = at
    faults = WebFaults(crawl_delays=0.5)
    slow = {name for name in gaps if faults.crawl_delay(name)}
    assert 10 < len(slow) < 30
    for name in gaps:
        assert min(gaps[name]) >= (faults.crawl_delay(name) if name in slow else 1.0) - 1e-6


def test_the_same_faults_meet_every_crawl() -> None:
    manners = "live(failures=0.1, dead_hosts=0.1, forbidden=0.2, crawl_delays=0.2)"
    first, second, other = (crawl(wide_web(), manners=manners, seed=seed) for seed in (1, 1, 2))
    assert first.order == second.order
    assert first.times == second.times
    refused = [{record.url for record in each.records if record.state == "refused"} for each in (first, other)]
    assert refused[0] != refused[1]


def test_start_pages_are_spared() -> None:
    simulation = crawl("a -> b", manners="live(failures=1, dead_hosts=1, forbidden=1)")
    assert visited(simulation)[0] == "a"
    assert simulation.records[0].state == "fetched"


@pytest.mark.parametrize("share", ["2", "-0.1", "True", "'many'"])
def test_a_share_is_between_0_and_1(share: str) -> None:
    with pytest.raises(ConfigError, match="failures must be a share from 0 to 1"):
        manners_of(f"live(failures={share})")


def test_still_manners_know_no_faults() -> None:
    with pytest.raises(ConfigError, match="failures need live manners"):
        manners_of("still(failures=0.1)")
