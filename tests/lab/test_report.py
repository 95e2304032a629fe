"""Reports: what can be checked without looking at them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from selectolax.lexbor import LexborHTMLParser

from clew.errors import ConfigError
from clew.lab import report
from clew.lab.comparison import Comparison
from clew.lab.report.cases import cases
from clew.lab.report.drawing import LEADS, Palette, short
from clew.lab.report.wording import setup, verdict
from clew.lab.running import JobFailure
from clew.lab.trial import Trial, TrialResult

ODD = "odd<&>\"'$x$"
SKILLS = {"shark(gamma=0.1, and_a_long_name=True)": 0.8, "breadth_first": 0.3, ODD: 0.5, "blind": 0.0}
TOPICS = {"here": ("boats & <ships>", "music"), "there:600": ("boats & <ships>",)}


def result(trial: Trial, skill: float, visits: int) -> TrialResult:
    """A crawl in which a share of the pages, the skill, is relevant."""
    best = np.minimum(np.arange(1, trial.budget + 1), 40)
    hits = np.arange(visits) % 10 < 10 * skill
    found = np.minimum(np.cumsum(hits), best[:visits])
    area = np.pad(found, (0, trial.budget - visits), mode="edge").sum() / best.sum() if visits else 0.0
    numbers = {"visits": visits, "found": int(hits.sum()), "reachable": 50, "area": float(area), "cpu_ms": 1 + skill}
    numbers |= dict.fromkeys(("share", "harvest", "recall"), skill)
    spent = {"strategy": skill / 100, "rest": 0.01}
    distances = np.bincount(np.arange(hits.sum()) % 4) if hits.any() else np.zeros(0, int)
    return TrialResult(trial, numbers, found, best, np.arange(visits, dtype=np.int32), distances, spent, "budget")


def compared(skills: dict[str, float], judges: tuple[str, ...] = ("truth",), visits: int = 60) -> Comparison:
    results = [
        result(Trial(world, topic, name, judge, budget=60), skill, visits)
        for world, topics in TOPICS.items()
        for topic in topics
        for judge in judges
        for name, skill in skills.items()
    ]
    return Comparison(results)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Several worlds and judges, odd names, a strategy that finds nothing, and crawls that ended early."""
    known = compared(SKILLS, ("truth", "classifier"))
    early = [result(known.results[0].trial, 0.8, 25), result(known.results[1].trial, 0.3, 0)]
    broken = JobFailure(replace(known.results[0].trial, strategy="bro<ken"), "it broke")
    return Comparison([*early, *known.results[2:]], failures=[broken], notes=["no start pages for <x>"])


@pytest.fixture(scope="module")
def page(comparison: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab") / "new" / "report"
    return report.write(comparison, folder, "A <title>", "What & why")


def test_the_page_is_self_contained(page: Path) -> None:
    text = page.read_text("utf-8")
    assert "http:" not in text
    assert "https:" not in text
    assert "@import" not in text
    tree = LexborHTMLParser(text)
    assert not tree.css("link, img, iframe, script[src], object, embed")
    targets = [node.attributes["href"] or "" for node in tree.css("[href]")]
    local = {target for target in targets if not target.startswith("#")}
    assert local
    for target in local:
        assert target.startswith("plots/")
        assert (page.parent / target).is_file()


def test_every_reference_inside_the_page_has_one_target(page: Path) -> None:
    text = page.read_text("utf-8")
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)) <= {(i, "") for i in ids} | {("", i) for i in ids}


def test_names_are_escaped(page: Path, comparison: Comparison) -> None:
    tree = LexborHTMLParser(page.read_text("utf-8"))
    assert tree.css_first("h1").text() == "A <title>"
    assert len(tree.css("section")) == len(tree.css("h2")) == 8
    strategies, topics = tree.css("table")
    rows = [[cell.text() for cell in row.css("td")] for row in strategies.css("tbody tr")]
    assert {row[2] for row in rows} == set(SKILLS)
    assert len(rows) == 2 * len(SKILLS)
    known = {(world, topic) for world, names in TOPICS.items() for topic in names}
    assert {tuple(cell.text() for cell in row.css("td")[1:3]) for row in topics.css("tbody tr")} == known
    missing = tree.css_first("details").text()
    assert "bro<ken" in missing
    assert "<x>" in missing
    assert not tree.css("ken, ships, x")  # no part of a name has become an element


def test_every_plot_is_in_the_page_and_in_a_file(page: Path) -> None:
    tree = LexborHTMLParser(page.read_text("utf-8"))
    files = sorted((page.parent / "plots").iterdir())
    assert len(files) == len(tree.css("figure svg")) > 15
    for file in files:
        assert imread(file)[..., :3].std() > 0.02, f"{file.name} is blank"


def test_colours_are_those_of_the_page(page: Path) -> None:
    text = page.read_text("utf-8")
    drawn = "".join(re.findall(r"<svg.*?</svg>", text, flags=re.S))
    assert not re.findall(r"#[0-9a-f]{6}\b", drawn)
    assert set(re.findall(r"var\((--\w+)\)", drawn)) <= set(re.findall(r"(--\w+):", text))


def test_same_comparison_gives_the_same_bytes_and_links_the_tables(tmp_path: Path) -> None:
    single = Comparison([result(Trial("here", "boats", ODD, budget=60), 1.0, 1)])
    for name in ("one", "other"):
        single.write(tmp_path / name)
    page, again = (report.write(single, tmp_path / name) for name in ("one", "other"))
    assert page.read_bytes() == again.read_bytes()
    assert LexborHTMLParser(page.read_text("utf-8")).css('a[href="trials.csv"]')
    for file in (tmp_path / "one" / "plots").iterdir():
        assert file.read_bytes() == (tmp_path / "other" / "plots" / file.name).read_bytes()


def test_a_crawl_without_visits_makes_a_report(tmp_path: Path) -> None:
    trial = Trial("here", "boats", "blind", budget=60)
    text = report.write(Comparison([result(trial, 0.0, 0)]), tmp_path).read_text("utf-8")
    assert "No strategy found anything." in text


def test_a_report_needs_crawls(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no crawls"):
        report.write(Comparison([]), tmp_path)


def test_the_verdict_names_the_leader_and_the_certainty() -> None:
    [clear] = cases(compared({"good": 0.6, "bad": 0.2}))
    assert verdict(clear).startswith(
        "good reaches 72 % of the oracle’s area, 46.7 points ahead of bad. This is a clear lead"
    )
    [same] = cases(compared({"one": 0.5, "two": 0.5}))
    assert "two does exactly as well on 3 topics" in verdict(same)
    [nothing] = cases(compared({"one": 0.0, "two": 0.0}))
    assert verdict(nothing) == "No strategy found anything."
    [alone] = cases(compared({"one": 0.5}))
    assert "no other strategy" in verdict(alone)


def test_the_setup_is_one_line(comparison: Comparison) -> None:
    words = setup(comparison.results)
    for fact in (
        "4 strategies",
        "2 worlds (here and there:600)",
        "3 topics",
        "classifier and truth",
        "60 visits",
        "24",
    ):
        assert fact in words


def test_only_the_best_few_are_coloured() -> None:
    many = Palette((*(f"s{place}" for place in range(27)), "breadth_first"))
    assert many.leads == ("s0", "s1", "s2", "s3")
    assert many.highlighted == (*many.leads, "breadth_first")
    assert len({many.line(name) for name in many.strategies}) == 4 + 2
    few = Palette(("a", "b"))
    assert few.leads == few.banded == ("a", "b")
    assert few.line("b") == LEADS[1]


@pytest.mark.parametrize("length", range(8, 40))
def test_short_names_are_short(length: int) -> None:
    assert len(short("n" * length, 20)) == min(length, 20)
