"""The lines of a summary."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from clew.cli.summary import numbers, print_pages
from clew.store import Record
from clew.types import Stats, UrlState


def test_the_forecast_is_shown_once_there_is_one_and_candidates_wait() -> None:
    stats = Stats(visited=200, waiting=40, forecast=12.3, forecast_low=5.4, forecast_high=20.1)
    assert numbers(stats)["forecast"] == "about 12 more relevant pages in the next 500 visits (5 to 21)"
    assert "forecast" not in numbers(Stats(visited=20, waiting=40))
    assert "forecast" not in numbers(replace(stats, waiting=0))


def test_duplicates_are_shown_if_there_are_any() -> None:
    result = numbers(Stats(visited=12, pages=6, failed=2, duplicates=3, redirects=1))
    assert result["pages"] == "6"
    assert result["visits"] == "12 (2 failed, 3 duplicates, 1 for robots.txt and sitemaps)"
    assert result["besides"] == "1 redirect, 0 refused by robots.txt"
    assert numbers(Stats(visited=12, pages=12))["visits"] == "12 (0 failed)"


@pytest.mark.parametrize(
    ("stats", "shown"),
    [
        (Stats(waiting=0, best=float("-inf")), "0 candidates; 0 hosts visited"),
        (Stats(waiting=107, best=float("-inf")), "107 candidates, all on hosts that must wait; 0 hosts visited"),
        (Stats(waiting=107, best=0.5), "107 candidates, best score 0.500; 0 hosts visited"),
    ],
)
def test_the_best_score_is_shown_if_a_candidate_can_be_chosen(stats: Stats, shown: str) -> None:
    assert numbers(stats)["frontier"] == shown


def printed(records: list[Record], width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    print_pages(console, "Best pages", records, empty="no relevant pages yet")
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [60, 100, 200])
def test_urls_are_never_broken(width: int) -> None:
    url = "http://a.example/" + "a-long-way/" * 9
    lines = printed([Record(3, 3, url, title="Boats", state=UrlState.FETCHED, relevance=0.9, relevant=True)], width)
    assert any(line.endswith(url) for line in (line.rstrip() for line in lines))
    assert any("3" in line and "0.900" in line and "Boats" in line for line in lines)


def test_an_empty_list_of_pages_says_so() -> None:
    assert printed([], 100) == ["", "Best pages", "no relevant pages yet"]


def test_the_last_visits_are_summed_up_once_there_are_enough() -> None:
    assert numbers(Stats(visited=45, relevant=9, recent=0.2))["harvest"] == "20 % of all visits"
    assert numbers(Stats(visited=100, relevant=9, recent=0.2))["harvest"] == "9.0 % of all visits, 20 % of the last 100"
