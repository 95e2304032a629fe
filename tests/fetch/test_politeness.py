from __future__ import annotations

import pytest

from clew.config import Fetch
from clew.fetch import Politeness
from clew.fetch import politeness as module
from clew.fetch.politeness import BUSY_RETRY_SECONDS, MAX_BACKOFF_SECONDS, MAX_REST_SECONDS
from clew.types import Fetched

GOOD, BUSY = Fetched("", 200), Fetched("", 503)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def polite(clock, **settings):
    return Politeness(Fetch(**{"delay": 1.0, "host_failures": 5} | settings), clock)


def backoffs(politeness, *answers, host="a"):
    """The pause after each answer, without its jitter."""
    found = []
    for answer in answers:
        politeness.note(host, answer)
        found.append(politeness._places[host].backoff)
    return found


def test_the_delay_runs_from_the_last_answer(clock):
    politeness = polite(clock, delay=2.0)
    assert politeness.pause("a") == 0
    politeness.note("a", GOOD)
    assert (politeness.pause("a"), politeness.pause("b")) == (2, 0)
    clock.now += 1.5
    assert politeness.pause("a") == 0.5
    clock.now += 5
    assert politeness.pause("a") == 0


@pytest.mark.parametrize(("theirs", "pause"), [(0, 2), (1, 2), (10, 10), (1000, 60)])
def test_crawl_delay(clock, theirs, pause):
    politeness = polite(clock, delay=2.0)
    politeness.note("a", GOOD, crawl_delay=theirs)
    assert politeness.pause("a") == pause


def test_back_off_doubles_and_is_halved_by_success(clock):
    politeness = polite(clock, host_failures=0)
    assert backoffs(politeness, *[BUSY] * 4) == [4, 8, 16, 32]
    assert backoffs(politeness, GOOD, GOOD, BUSY, GOOD) == [16, 8, 16, 8]
    assert backoffs(politeness, *[GOOD] * 2) == [4, 0]


def test_back_off_has_a_cap(clock):
    assert backoffs(polite(clock, host_failures=0), *[BUSY] * 20)[-1] == MAX_BACKOFF_SECONDS


def test_back_off_without_a_delay(clock):
    assert backoffs(polite(clock, delay=0.0), BUSY, BUSY) == [1, 2]


def test_jitter_is_small_differs_and_repeats(clock):
    politeness = polite(clock)
    for host in "abc":
        politeness.note(host, BUSY)
    pauses = [politeness.pause(host) for host in "abc"]
    assert len(set(pauses)) == 3
    assert all(4 <= pause <= 5 for pause in pauses)
    again = polite(clock)
    again.note("a", BUSY)
    assert again.pause("a") == pauses[0]


@pytest.mark.parametrize("error", ["timeout", "dns", "refused", "tls"])
def test_failures_count(clock, error):
    assert backoffs(polite(clock), Fetched("", error=error)) == [4]


@pytest.mark.parametrize(
    "answer", [Fetched("", 404), Fetched("", 500), Fetched("", 200, error="too large"), Fetched("", 302)]
)
def test_an_answer_is_no_failure(clock, answer):
    politeness = polite(clock)
    assert backoffs(politeness, *[answer] * 9) == [0] * 9
    assert not politeness.given_up("a")


def test_retry_after(clock):
    politeness = polite(clock)
    politeness.note("a", Fetched("", 429, retry_after=120))
    assert politeness.pause("a") == 120
    politeness.note("b", Fetched("", 429, retry_after=1))
    assert politeness.pause("b") > 1


def test_a_host_that_wants_a_long_rest_is_given_up_for_as_long(clock):
    politeness = polite(clock)
    politeness.note("a", Fetched("", 503, retry_after=MAX_REST_SECONDS + 100))
    assert politeness.given_up("a")
    assert politeness.pause("a") == 0
    clock.now += 101
    assert not politeness.given_up("a")
    assert politeness.pause("a") == MAX_REST_SECONDS - 1


def test_given_up_after_failures_in_a_row(clock):
    politeness = polite(clock, host_failures=3)
    for answer in (BUSY, BUSY, GOOD, BUSY, BUSY):
        politeness.note("a", answer)
        assert not politeness.given_up("a")
    politeness.note("a", BUSY)
    assert politeness.given_up("a")
    assert not politeness.given_up("b")
    assert politeness.pause("a") == 0


def test_never_given_up_if_the_limit_is_zero(clock):
    politeness = polite(clock, host_failures=0)
    for _ in range(100):
        politeness.note("a", BUSY)
    assert not politeness.given_up("a")


def test_memory_is_bounded_and_the_idle_go_first(clock, monkeypatch):
    monkeypatch.setattr(module, "MAX_PLACES", 100)
    politeness = polite(clock, delay=5.0)
    for i in range(1000):
        politeness.note("busy", GOOD)
        politeness.note(str(i), GOOD)
    assert len(politeness._places) == 100
    assert (politeness.pause("busy"), politeness.pause("999"), politeness.pause("5")) == (5, 5, 0)


def test_a_slow_host_is_left_alone_for_longer(clock):
    politeness = polite(clock, delay_factor=2.0)
    for seconds, pause in ((0.1, 1.0), (4.0, 2.54), (4.0, 4.178), (1000, 60)):
        politeness.note("a", Fetched("", 200, seconds=seconds))
        assert politeness.pause("a") == pytest.approx(pause)
    hasty = polite(clock, delay_factor=2.0, delay=0.0)
    hasty.note("a", Fetched("", 200, seconds=4.0))
    assert hasty.pause("a") == 0


def test_a_host_has_one_turn_at_a_time_and_then_its_rest(clock):
    politeness = polite(clock)
    slots = politeness.slots_for("http://www.a.example:8080/x")
    assert (slots.host, politeness.wait(slots)) == ("www.a.example:8080", None)
    politeness.begin(slots)
    assert politeness.wait(slots) == (slots.host, 1.0)
    clock.now += 50
    assert politeness.wait(slots) == (slots.host, BUSY_RETRY_SECONDS)
    politeness.end(slots)
    assert politeness.wait(slots) == (slots.host, 1.0)
    clock.now += 1
    assert politeness.wait(slots) is None


def test_turns_at_a_domain_and_at_an_address(clock):
    politeness = polite(clock, per_domain=2, per_address=4)
    one, two, three = (politeness.slots_for(f"http://{name}.a.co.uk/", ["192.0.2.1"]) for name in "xyz")
    other = politeness.slots_for("http://b.co.uk/", ["192.0.2.1", "192.0.2.2"])
    assert one.shared == ("domain a.co.uk", "address 192.0.2.1")
    politeness.begin(one)
    assert politeness.wait(two) == ("domain a.co.uk", 0.5)
    assert politeness.wait(other) == ("address 192.0.2.1", 0.25)
    clock.now += 0.5
    assert politeness.wait(two) is politeness.wait(other) is None
    politeness.begin(two)
    clock.now += 9
    assert politeness.wait(three) == ("domain a.co.uk", 0)
    politeness.begin(other)
    clock.now += 9
    politeness.begin(politeness.slots_for("http://c.co.uk/", ["192.0.2.2", "192.0.2.1"]))
    clock.now += 9
    assert politeness.wait(politeness.slots_for("http://d.co.uk/", ["192.0.2.1"])) == ("address 192.0.2.1", 0)
    politeness.end(one)
    clock.now += 9
    assert politeness.wait(three) is None


def test_an_answer_does_not_prolong_the_pause_of_a_shared_place(clock):
    politeness = polite(clock, per_domain=4)
    one, two = (politeness.slots_for(f"http://{name}.a.example/") for name in "xy")
    politeness.begin(one)
    clock.now += 0.2
    politeness.end(one)
    assert politeness.wait(two) == ("domain a.example", pytest.approx(0.05))
    assert politeness.wait(one) == ("x.a.example", 1.0)


def test_shared_limits_are_those_of_the_domain_and_then_of_the_latest_addresses(clock):
    politeness = polite(clock, per_domain=2, per_address=4)
    url = "http://www.a.example/x"
    assert politeness.shared_limits(url) == (("domain a.example", 2, 0.5),)
    politeness.slots_for(url, ["192.0.2.1"])
    assert politeness.shared_limits(url) == (("domain a.example", 2, 0.5), ("address 192.0.2.1", 4, 0.25))
    assert polite(clock, per_domain=0).shared_limits(url) == ()


def test_shared_limits_can_be_off(clock):
    assert polite(clock, per_domain=0, per_address=0).slots_for("http://a.example/", ["1.1.1.1"]).shared == ()


def test_connections_to_one_host_share_the_delay(clock):
    politeness = polite(clock, per_host=2)
    slots = politeness.slots_for("http://a/")
    politeness.begin(slots)
    assert politeness.wait(slots) == ("a", 1)
    clock.now += 1
    assert politeness.wait(slots) is None
    politeness.begin(slots)
    clock.now += 1
    assert politeness.wait(slots) == ("a", BUSY_RETRY_SECONDS)


def test_a_crawl_delay_counts_as_soon_as_it_is_known(clock):
    politeness = polite(clock)
    slots = politeness.slots_for("http://a/")
    politeness.begin(slots)
    politeness.end(slots)
    politeness.set_crawl_delay("a", 10)
    assert politeness.wait(slots) == ("a", 10)


def test_a_host_that_is_given_up_is_reported_once(clock):
    politeness = polite(clock, host_failures=2)
    for _ in range(4):
        politeness.note("a", Fetched("", error="timeout"))
    assert politeness.news() == ("given up: a failed 2 times in a row, most recently with timeout",)
    assert politeness.news() == ()
    politeness.note("b", Fetched("", 503, retry_after=7200))
    assert politeness.news() == ("given up: b asks for a rest of more than 60 minutes",)


def test_places_in_use_are_not_forgotten(clock, monkeypatch):
    monkeypatch.setattr(module, "MAX_PLACES", 10)
    politeness = polite(clock, per_domain=0)
    slots = politeness.slots_for("http://busy/")
    politeness.begin(slots)
    for i in range(100):
        politeness.note(str(i), GOOD)
    assert politeness.wait(slots)
    politeness.end(slots)
