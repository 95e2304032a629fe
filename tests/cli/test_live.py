from __future__ import annotations

import io
from dataclasses import replace

from rich.console import Console

from clew.cli.live import Lines, LiveView, Trail, line, watching
from clew.config import configure
from clew.types import Doc, Page, Stats

CONFIG = configure(interest="sailing [bold]", pages=1000)
STATS = Stats(
    visited=400, pages=250, relevant=100, seconds=25, recent=0.5, waiting=1234, hosts=7, best=0.8, bytes=10**6
)


def shown(view: LiveView) -> str:
    console = Console(file=io.StringIO(), width=100)
    console.print(view)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_panel_shows_the_numbers() -> None:
    view = LiveView(CONFIG)
    view.watch(STATS)
    text = shown(view)
    for part in (
        "sailing [bold]",
        "250 of 1,000",
        "25 %",
        "50 %",
        "10.0 pages/s",
        "1,234",
        "0.800",
        "1:15 left",
    ):
        assert part in text


def test_the_panel_shows_a_wider_focus_only_when_there_is_one() -> None:
    view = LiveView(CONFIG)
    view.watch(Stats())
    assert "focus" not in shown(view)
    view.watch(Stats(focus="sports"))
    assert "sports" in shown(view)


def test_the_panel_shows_the_forecast_once_there_is_one() -> None:
    view = LiveView(CONFIG)
    view.watch(STATS)
    assert "forecast" not in shown(view)
    view.watch(replace(STATS, forecast=119.7, forecast_low=80.2, forecast_high=169.5))
    assert "about 120 more relevant pages in the next 500 visits (80 to 170)" in shown(view)


def test_a_better_page_that_is_waited_for_is_named() -> None:
    waiting = replace(STATS, waits_for="docs.example.org", waits_score=0.83, waits_seconds=1.23)
    view = LiveView(CONFIG)
    view.watch(STATS)
    assert "waiting" not in shown(view)
    view.watch(waiting)
    assert "waiting  1.2 s for docs.example.org (0.830), a better page" in shown(view)
    view.watch(replace(STATS, waited=3.0))
    assert "waiting  no better page is out of reach" in shown(view)
    assert line(waiting).endswith("1,234 candidates; waiting 1.2 s for docs.example.org (0.830), a better page")


def test_a_crawl_that_mostly_waits_says_what_would_hurry_it() -> None:
    view = LiveView(CONFIG)
    view.watch(replace(STATS, seconds=400.0, waited=300.0))
    assert "waited 75 % of the time for better pages; --patience 0 never waits" in " ".join(
        shown(view).replace("│", " ").split()
    )
    view.watch(replace(STATS, seconds=400.0, waited=100.0))
    assert "patience" not in shown(view)


def test_a_log_shows_the_forecast_too() -> None:
    assert line(replace(STATS, forecast=3, forecast_low=0.4, forecast_high=8.4)).endswith(
        "1,234 candidates; forecast: at most 9 more relevant pages in the next 500 visits"
    )


def test_the_panel_without_a_limit_of_pages() -> None:
    view = LiveView(configure(pages=None))
    view.watch(STATS)
    assert "left" not in shown(view)


def test_the_panel_says_what_it_waits_for_before_the_first_visit() -> None:
    assert "reading the start pages" in shown(LiveView(CONFIG))
    assert "Ray, then 3 shards; for 0:00" in shown(LiveView(configure(shards=3)))


def test_the_trail_stays_bounded_and_keeps_the_whole_crawl() -> None:
    trail = Trail(width=32)
    for visited in range(100_000):
        trail.add(Stats(visited=visited, relevant=visited // 2))
    assert len(trail.points) <= 32
    assert trail.points[0] == (0, 0)
    assert set(trail.drawn()) <= {"▄", "▅"}


def test_a_log_gets_a_line_every_few_seconds() -> None:
    console = Console(file=io.StringIO(), width=200)
    lines = Lines(console, every=5)
    for tenth in range(200):
        lines.watch(Stats(visited=tenth, seconds=tenth / 10))
    assert console.file.getvalue().count("\n") == 3  # type: ignore[attr-defined]


def test_quiet_means_no_watching_at_all() -> None:
    with watching(CONFIG, quiet=True) as eyes:
        assert eyes == {}


def test_the_last_relevant_pages_are_shown() -> None:
    view = LiveView(CONFIG)
    for number in range(5):
        view.add(Page(f"http://{number}.example/", title=f"Page {number}", relevant=True), Doc(""))
    view.add(Page("http://b.example/", title="Sails\x1b[2J [and] masts", relevant=True, relevance=0.75), Doc(""))
    text = shown(view)
    assert "0.750  Sails[2J [and] masts" in text
    assert ("Page 4" in text, "Page 0" in text) == (True, False)


def test_a_pause_and_the_reason_of_a_focus_are_shown() -> None:
    view = LiveView(CONFIG)
    view.watch(STATS)
    assert "paused" not in shown(view)
    view.watch(replace(STATS, paused=True, focus="sports", focus_reason="widened, s = 0.040", cached=7))
    text = shown(view)
    for part in ("paused", "clew tell FOLDER go-on", "widened, s = 0.040", "7 answers from the cache"):
        assert part in text


def test_lines_say_when_the_crawl_pauses_and_goes_on() -> None:
    console = Console(file=io.StringIO(), width=100)
    lines = Lines(console)
    for paused in (False, True, True, False):
        lines.watch(replace(STATS, seconds=0.0, paused=paused))
    assert console.file.getvalue().split("\n") == ["paused", "going on", ""]  # type: ignore[attr-defined]
