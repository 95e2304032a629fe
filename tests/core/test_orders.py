"""Orders as changes of settings, and what becomes of them in a crawl folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.config import Config, configure
from clew.core.order_inbox import OrderInbox, tell
from clew.core.orders import KINDS, order_of
from clew.core.pausing import Pause
from clew.errors import ConfigError
from clew.filters.scope import ScopeFilter, is_by_pattern
from clew.frontier import Frontier
from clew.store.told_settings import difference
from clew.types import UrlState

hosts = st.sampled_from(["a.example", "b.example", "*.c.example", "https://d.example/x"])
some_hosts = st.lists(hosts, min_size=1, max_size=3)
limits = st.sampled_from(["pages=10", "pages=none", "minutes=2.5", "delay=0", "parallel=3", "drought=50"])
orders = st.one_of(
    st.tuples(st.sampled_from(["deny", "allow"]), some_hosts),
    st.tuples(st.just("seeds"), some_hosts.map(lambda found: [name.replace("*.", "") for name in found])),
    st.tuples(st.just("limit"), st.lists(limits, min_size=1, max_size=3)),
    st.tuples(st.just("threshold"), st.sampled_from([["0.2"], ["0.7"]])),
    st.tuples(st.just("interest"), st.sampled_from([["sailing"], ["golf AND NOT ads"]])),
)
starts = st.sampled_from([Config(), configure(allow=["a.example"], deny=["b.example"], pages=5)])


def after(config: Config, told: list[tuple[str, list[str]]]) -> Config:
    for kind, words in told:
        config = order_of(kind, words).changed(config)
    return config


@given(starts, orders)
def test_an_order_changes_nothing_the_second_time(config: Config, order: tuple[str, list[str]]) -> None:
    once = after(config, [order])
    assert after(once, [order]) == once


@given(starts, st.lists(orders, max_size=6))
def test_a_list_of_orders_changes_nothing_the_second_time(config: Config, told: list[tuple[str, list[str]]]) -> None:
    once = after(config, told)
    twice = after(once, told)
    # Start pages and patterns may stand in another order, which means nothing.
    assert set(twice.scope.deny) == set(once.scope.deny)
    assert set(twice.scope.allow) == set(once.scope.allow)
    assert set(twice.what.seeds) == set(once.what.seeds)
    assert (twice.until, twice.fetch, twice.what.interest) == (once.until, once.fetch, once.what.interest)


@given(starts, st.lists(orders, max_size=4))
def test_the_difference_of_settings_brings_them_back(config: Config, told: list[tuple[str, list[str]]]) -> None:
    import json

    changed = after(config, told)
    text = difference(config, changed)
    assert configure(config, **json.loads(text or "{}")) == changed
    assert (text == "") == (config == changed)


def test_allow_takes_back_a_deny_but_never_restricts() -> None:
    assert after(configure(deny=["a.example", "b.example"]), [("allow", ["a.example"])]).scope.deny == ("b.example",)
    assert after(Config(), [("allow", ["a.example"])]).scope.allow == ()
    assert after(configure(allow=["a.example"]), [("allow", ["b.example"])]).scope.allow == ("a.example", "b.example")


def test_every_kind_says_what_it_does() -> None:
    for name, kind in KINDS.items():
        assert kind.__doc__, name
        assert name == kind(()).name


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="is not a crawl folder"):
        tell(tmp_path, "limit", "pages=3")
    with pytest.raises(ConfigError, match="there is no order"):
        tell(tmp_path, "sing")
    assert OrderInbox.__doc__


def test_what_leaves_the_scope_in_flight_is_not_asked_for_again() -> None:
    frontier = Frontier()
    first = frontier.slot_for("http://a.example/")
    second = frontier.slot_for("http://b.example/")
    frontier.set([first, second], [1.0, 0.5])
    assert frontier.pop(now=0.0) == first
    assert [slot for slot, _ in frontier.in_state(UrlState.IN_FLIGHT)] == [first]
    frontier.exclude(first, "denied by a.example (deny)")
    assert frontier.waiting == 1
    frontier.release(first, now=0.0)
    frontier.retry(first)
    assert (frontier.waiting, frontier.state(first)) == (1, UrlState.OUT_OF_SCOPE)
    frontier.exclude(second, "denied by b.example (deny)")
    assert frontier.waiting == 0


def test_sitemaps_of_a_denied_host_are_denied_too() -> None:
    scope = ScopeFilter(configure(allow=["b.example"]).scope)
    assert scope.sitemap("http://a.example/sitemap.xml", 0) == ""
    scope.change(configure(allow=["b.example"], deny=["a.example"]).scope)
    assert is_by_pattern(scope.sitemap("http://a.example/sitemap.xml", 0))
    assert is_by_pattern(scope("http://c.example/", 0))


def test_pauses_add_up() -> None:
    pause = Pause()
    assert not pause.end(1.0)
    assert pause.begin(2.0)
    assert pause.end(5.0)
    assert pause.begin(7.0)
    assert (pause.seconds(8.0), pause.is_on) == (4.0, True)
