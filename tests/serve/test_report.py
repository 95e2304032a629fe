"""The report of a crawl: what is in it, where it is written, and what keeps it small."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.serve import report
from clew.store import Records


def embedded(file: Path) -> dict:
    return json.loads(re.search(r'id="data">(.*?)</script>', file.read_text(), re.S)[1])


def test_it_has_the_numbers_and_the_best_pages_of_the_crawl(folder: Path, tmp_path: Path, capsys) -> None:
    assert main(["report", str(folder), "-o", str(tmp_path / "r.html")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "r.html")
    data = embedded(tmp_path / "r.html")
    with Records(folder) as records:
        best = records.best(1)[0]
        assert data["overview"]["visited"] == records.stats().visited == 80
    pages = {page["url"]: page for page in data["pages"]}
    assert pages[best.url]["relevance"] == best.relevance
    assert data["explanations"][best.url]["path"][-1]["url"] == best.url
    assert not list(tmp_path.glob("*.new"))


def test_its_size_is_bounded(folder: Path, monkeypatch) -> None:
    for name in ("MAX_PAGES", "MAX_LATEST", "MAX_HOSTS", "MAX_CANDIDATES", "MAX_EXPLAINED"):
        monkeypatch.setattr(report, name, 2)
    with Records(folder) as records:
        found = report.contents(records)
    lengths = [len(found[name]) for name in ("pages", "hosts", "next", "explanations")]
    assert lengths[0] <= 4
    assert lengths[1:] == [2, 2, 2]


@pytest.mark.parametrize(("flags", "has_report"), [((), True), (("--no-report",), False)])
def test_every_crawl_writes_one_unless_told_not_to(web, tmp_path: Path, capsys, flags, has_report: bool) -> None:
    target = tmp_path / "crawl"
    seeds = web.labyrinth.seeds("sailing", 2)
    reach = ["--allow-private", "--resolve", web.resolve, "--delay", "0", "--pages", "5"]
    assert main(["crawl", "sailing", "--seeds", *seeds, *reach, "--folder", str(target), "--json", *flags]) == 0
    told = json.loads(capsys.readouterr().out)["report"]
    file = target / "report" / "report.html"
    assert (told, file.exists()) == ((str(file), True) if has_report else (None, False))


def test_a_report_that_cannot_be_written_fails_no_crawl(web, tmp_path: Path, capsys) -> None:
    target = tmp_path / "crawl"
    seeds = web.labyrinth.seeds("sailing", 2)
    (target / "report" / "report.html").mkdir(parents=True)
    reach = ["--allow-private", "--resolve", web.resolve, "--delay", "0", "--pages", "5"]
    assert main(["crawl", "sailing", "--seeds", *seeds, *reach, "--folder", str(target), "--quiet"]) == 0
    assert "The report could not be written" in capsys.readouterr().err
