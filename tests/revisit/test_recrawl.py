"""Recrawls: what has changed, what is kept, which links are new, and what happens after a kill."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

import clew
from clew.base import codec
from clew.cli.main import main
from clew.errors import ConfigError, FolderInUse, StoreError
from clew.revisit.change_rate import USUAL_CHANGES_PER_DAY
from clew.store import Records, SqliteStore
from clew.store.other_answers import load_other_answers
from clew.strategies import Stale, Strategy
from clew.types import Candidate, Page

DAY = 86_400
SIX = [f"/{n}" for n in range(6)]


@pytest.fixture
def small(site: Any, tmp_path: Path) -> Path:
    """A start page with six pages, crawled; half of them answer conditional requests."""
    site.pages = {path: site.sheet(site.prose(path), tagged=int(path[1:]) % 2 == 0) for path in SIX}
    site.pages["/"] = site.sheet(site.prose("/"), tuple(SIX))
    result = site.crawl(tmp_path / "crawl")
    assert result.stats.visited == 7
    site.asked.clear()
    return tmp_path / "crawl"


def test_nothing_has_changed(site: Any, small: Path) -> None:
    result = site.recrawl(small)
    assert (len(result.visits), result.changed, result.links) == (7, [], 0)
    assert sorted(visit.status for visit in result.visits) == [200] * 4 + [304] * 3
    kinds = [record.headers["WARC-Profile"].rpartition("/")[2] for record in _archived(small, WarcRecordType.revisit)]
    assert sorted(kinds) == ["identical-payload-digest"] * 4 + ["server-not-modified"] * 3
    assert not list(_archived(small, WarcRecordType.response))


def test_the_records_of_a_recrawl_refer_to_the_first_ones_and_robots_files_are_kept(site: Any, small: Path) -> None:
    dates = _dates(small)
    site.recrawl(small)
    visits = [record.headers for record in _archived(small, WarcRecordType.revisit)]
    assert len(visits) == 7
    assert all(visit["WARC-Refers-To-Date"] == dates[visit["WARC-Target-URI"]] for visit in visits)
    assert all(visit["WARC-IP-Address"] == "127.0.0.1" for visit in visits)
    requests = {record.headers["WARC-Concurrent-To"] for record in _archived(small, WarcRecordType.request)}
    assert requests == {visit["WARC-Record-ID"] for visit in visits}
    with Records(small) as records:
        assert [answer.url for answer in load_other_answers(records.store.db)] == [f"{site.root}/robots.txt"] * 2


def test_another_text_is_a_change_and_another_date_is_none(site: Any, small: Path) -> None:
    site.pages["/1"].text = site.prose("another")
    site.pages["/2"].text = site.prose("yet another")
    site.pages["/3"].text += " 16 November"
    result = site.recrawl(small)
    assert site.changed(result) == ["/1", "/2"]
    assert len(list(_archived(small, WarcRecordType.response))) == 3
    assert site.recrawl(small).changed == []  # now compared with the new versions


def test_pages_that_were_visited_recently_are_not_due(site: Any, small: Path) -> None:
    assert site.recrawl(small, every=1).visits == []
    site.days = 2
    assert len(site.recrawl(small, every=1, pages=3).visits) == 3
    assert len(site.recrawl(small, every=1).visits) == 4
    assert site.recrawl(small, every=1).visits == []


def test_gone_moved_and_back(site: Any, small: Path) -> None:
    before = site.pages["/1"]
    site.pages["/1"] = replace(before, status=404)
    site.pages["/2"] = replace(site.pages["/2"], status=301, to="/new", tagged=False)
    site.pages["/3"] = replace(site.pages["/3"], status=500)
    result = site.recrawl(small, retries=0)
    assert site.changed(result) == ["/1", "/2"]
    assert [v.changed for v in result.visits if v.url.endswith("/3")] == [None]
    assert result.links == 1
    assert site.changed(site.recrawl(small, retries=0)) == []  # still gone, still moved
    site.pages["/1"] = before
    assert site.changed(site.recrawl(small, retries=0)) == ["/1"]


def test_the_newest_version_is_shown(site: Any, small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/1"].text = site.prose("another")
    site.pages["/2"].raw = b"<p>" + b"nothing of interest " * 100
    site.pages["/3"].status = 404
    site.recrawl(small)
    with Records(small) as records:
        now = {record.url.removeprefix(site.root): record for record in records.newest()}
        assert records.text(now["/1"]).endswith(site.prose("another"))
        assert records.text(now["/4"]).endswith(site.prose("/4"))
        relevant = {record.url.removeprefix(site.root) for record in records.newest(relevant=True)}
    assert relevant == {"/", *SIX} - {"/2"}
    assert now["/3"].reason == "since then HTTP 404"
    assert main(["export", str(small), "--text"]) == 0
    rows = {row["url"].removeprefix(site.root): row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert [rows[path]["version"] for path in SIX] == [1, 2, 2, 1, 1, 1]
    assert rows["/1"]["text"].endswith(site.prose("another"))
    assert (rows["/2"]["relevant"], rows["/3"]["relevant"]) == (False, True)
    assert main(["explain", str(small), f"{site.root}/1"]) == 0
    assert "number 2, the newest; last revisited" in capsys.readouterr().out
    assert clew.explain(small, f"{site.root}/3").reason == "since then HTTP 404"


def test_a_label_is_valid_for_the_newest_version_of_its_page(site: Any, small: Path) -> None:
    clew.label(small, {f"{site.root}/2": True})
    site.pages["/2"].raw = b"<p>" + b"nothing of interest " * 100
    site.recrawl(small)
    with Records(small) as records:
        found = records.latest(records.find(f"{site.root}/2"))
        assert (found.relevant, records.text(found)[:7]) == (True, "nothing")


def test_new_links_become_candidates_of_the_crawl(site: Any, small: Path) -> None:
    site.pages["/4"].links = ("/found", "/0")
    site.pages["/found"] = site.sheet(site.prose("found"))
    visits = _visits(small)
    result = site.recrawl(small)
    assert (site.changed(result), result.links) == (["/4"], 1)
    assert "/found" not in site.paths
    assert _visits(small) == visits  # the crawl itself is unchanged
    assert clew.explain(small, f"{site.root}/found").state == "queued"
    assert [step.url for step in clew.explain(small, f"{site.root}/found").path][-2] == f"{site.root}/4"
    assert clew.resume(small, pages=20).stats.visited == 8
    assert site.paths[-1] == "/found"


def test_a_share_of_the_visits_goes_to_new_pages(site: Any, small: Path) -> None:
    site.pages["/"].links = (*SIX, "/a", "/b", "/c", "/d")
    site.pages |= {f"/{name}": site.sheet(site.prose(name)) for name in "abcd"}
    result = site.recrawl(small, pages=8, new=0.25)
    assert len(result.visits) == 6
    assert result.news is not None
    assert result.news.visited == 9
    assert Records(small).stats().visited == 9
    assert Records(small).config.until.pages == 1000  # settings of this run only


def test_it_is_as_polite_as_the_crawl(site: Any, small: Path) -> None:
    site.pages["/robots.txt"] = site.sheet("", raw=b"User-agent: *\nDisallow: /5\n", kind="text/plain")
    result = site.recrawl(small, delay=0.15, per_host=1)
    times = [when for *_, when in site.asked]
    assert all(later - earlier > 0.14 for earlier, later in pairwise(times))
    assert "/5" not in site.paths
    refused = [visit for visit in result.visits if visit.url.endswith("/5")]
    assert [(visit.changed, "robots" in visit.reason) for visit in refused] == [(None, True)]


def test_pages_that_change_at_known_rates(site: Any, small: Path) -> None:
    """Page n changes every n + 1 days; seen every second day, the estimates are in that order."""
    for _ in range(12):
        site.days += 2
        for path in SIX[1:]:
            site.pages[path].text = site.prose((path, site.days // (2 * int(path[1:]))))
        site.recrawl(small)
    due = {d.url.removeprefix(site.root): d for d in site.recrawl(small, dry_run=True).plan}
    rates = [due[path].rate for path in SIX[1:]]
    assert rates == sorted(rates, reverse=True)
    assert due["/0"].rate < USUAL_CHANGES_PER_DAY < due["/1"].rate
    assert due["/2"].rate == pytest.approx(0.35, abs=0.15)  # half of the visits find a change: ln 2 / 2
    site.days += 1
    site.asked.clear()
    site.recrawl(small, pages=2, parallel=1, per_host=1)
    assert set(site.paths) == {"/1", "/2"}  # the most valuable first


def test_a_sitemap_announces_changes(site: Any, tmp_path: Path) -> None:
    site.pages = {path: site.sheet(site.prose(path)) for path in SIX}
    site.pages["/"] = site.sheet(site.prose("/"), tuple(SIX))
    site.pages["/robots.txt"] = site.sheet("", raw=f"Sitemap: {site.root}/map.xml".encode(), kind="text/plain")
    site.pages["/map.xml"] = site.sheet("", raw=_sitemap(site.root, time.time() - 9 * DAY), kind="application/xml")
    site.crawl(tmp_path / "crawl", sitemaps=3)
    site.days = 2
    site.pages["/map.xml"].raw = _sitemap(site.root, site.now() - DAY)
    site.pages["/3"].text = site.prose("new")
    site.asked.clear()
    result = site.recrawl(tmp_path / "crawl", pages=2, parallel=1)
    assert site.paths == ["/map.xml", "/3"]
    assert [visit.hinted for visit in result.visits] == [False, True]


def _sitemap(root: str, moment: float) -> bytes:
    day = datetime.fromtimestamp(moment, UTC).isoformat()
    return f"<urlset><url><loc>{root}/3</loc><lastmod>{day}</lastmod></url></urlset>".encode()


def test_killed_in_the_middle(site: Any, tmp_path: Path) -> None:
    paths = [f"/{n}" for n in range(120)]
    site.pages = {path: site.sheet(site.prose(path)) for path in paths} | {
        "/": site.sheet(site.prose("/"), tuple(paths))
    }
    folder = tmp_path / "crawl"
    site.crawl(folder, host_pages=0, commit_seconds=0.05)
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute("UPDATE pages SET at = at - 86400")
    visits = _visits(folder)
    for path in paths:
        site.pages[path].text = site.prose(("new", path))
        site.pages[path].links = (f"/new{path}",)
    site.slow = 0.02
    command = [sys.executable, "-m", "clew", "recrawl", str(folder), "--every", "0.5", "--quiet", "--per-host", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while _revisits(folder) < 10:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = _revisits(folder)
    assert 10 <= done < 121
    site.slow = 0.0
    shutil.copytree(folder, tmp_path / "copy")
    more = clew.resume(tmp_path / "copy", visits=122)  # adds the links that the killed recrawl has found
    assert more.stats.waiting >= done - 2
    result = clew.recrawl(folder, every=0.5)
    assert len(result.visits) + done == _revisits(folder) == 121
    assert len({visit.url for visit in Records(folder).revisits()}) == 121  # none is lost, none repeated
    assert _visits(folder) == visits
    assert len(list(_archived(folder, WarcRecordType.response))) == 120
    for archive in sorted((folder / "again").glob("*.warc.gz")):
        subprocess.run([Path(sys.executable).with_name("warcio"), "check", archive], check=True)
    with Records(folder) as records:
        queued = records.store.db.execute("SELECT count(*) FROM candidates WHERE url LIKE '%/new/%'").fetchone()
    assert queued == (120,)


def test_it_can_be_interrupted_and_has_a_time_limit(site: Any, small: Path) -> None:
    once = iter([os.getpid()])
    result = site.recrawl(small, parallel=1, watch=lambda visit: [os.kill(pid, signal.SIGINT) for pid in once])
    assert 0 < len(result.visits) < 7
    assert result.reason == "interrupted"
    assert [visit.url for visit in Records(small).revisits()] == [visit.url for visit in result.visits]
    assert Records(small).revisits(result.visits[0].url)[0].changed is False
    result = site.recrawl(small, minutes=1e-9)
    assert (result.visits, result.reason) == ([], "time is up")


def test_bad_limits_and_folders(site: Any, small: Path, tmp_path: Path) -> None:
    for wrong in ({"pages": 0}, {"new": 1}, {"every": -1}, {"minutes": 0}):
        with pytest.raises(ConfigError, match="share"):
            site.recrawl(small, **wrong)
    with pytest.raises(ConfigError, match="changes, freshness"):
        site.recrawl(small, aim="age")
    with pytest.raises(StoreError, match="not a crawl folder"):
        site.recrawl(tmp_path / "nowhere")
    with SqliteStore(small), pytest.raises(FolderInUse):
        site.recrawl(small)


def _dates(folder: Path) -> dict[str, str]:
    """When each page was fetched by the crawl, as the archive says."""
    found = _archived(folder, WarcRecordType.response, "pages")
    return {record.headers["WARC-Target-URI"]: record.headers["WARC-Date"] for record in found}


def _archived(folder: Path, kind: WarcRecordType, name: str = "again") -> Any:
    for path in sorted((folder / name).glob("*.warc.gz")):
        with path.open("rb") as file:
            yield from ArchiveIterator(file, record_types=kind)


def _visits(folder: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        return db.execute('SELECT * FROM pages ORDER BY "order"').fetchall()


def _revisits(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'revisits'").fetchone():
            return 0
        return int(db.execute("SELECT count(*) FROM revisits").fetchone()[0])


@dataclass
class Watcher(Strategy):
    """Remembers what recrawls say of pages; as good as the best parent."""

    changes: list[str] = field(default_factory=list, init=False)

    def learn_change(self, page: Page, new_links: Sequence[str]) -> Stale:
        names = [url.rpartition("/")[2] for url in new_links]
        self.changes.append(f"{page.url.rpartition('/')[2]} {page.relevant} {'boats' in page.title} {names}")
        return ()

    def value(self, candidate: Candidate) -> float:
        return max([self._crawl.relevance(link.source) for link in candidate.links], default=1.0)


@pytest.fixture
def two(site: Any, tmp_path: Path) -> Path:
    """Two start pages, of which each leads to one that waits; only the first is about sailing."""
    site.pages = {path: site.sheet(site.prose(path)) for path in ("/a", "/c", "/d", "/e")}
    site.pages["/a"].links = ("/c",)
    golf = "nothing but golf and cars " * 30
    site.pages["/b"] = site.sheet("", raw=f"<title>golf</title><p>{golf}</p><a href='/d'>more</a>".encode())
    return tmp_path / "crawl"


def crawl_two(site: Any, folder: Path, strategy: Any) -> None:
    usual: dict[str, Any] = {"judge": "plain", "delay": 0, "allow_private": True, "folder": str(folder), "pages": 2}
    clew.crawl("sailing", [f"{site.root}/a", f"{site.root}/b"], strategy=strategy, **usual)


def waiting(folder: Path, root: str) -> dict[str, float]:
    """The scores of the pages that wait."""
    scores: dict[str, float] = {}
    for name in ("c", "d", "e"):
        found = clew.explain(folder, f"{root}/{name}")
        if found.state == "queued":
            scores[name] = next(iter(found.parts.values()))
    return scores


@pytest.mark.parametrize("strategy", ["best_first", "shark", "adaptive"])
def test_the_links_of_a_page_rise_when_a_recrawl_finds_it_relevant(site: Any, two: Path, strategy: str) -> None:
    crawl_two(site, two, strategy)
    before = waiting(two, site.root)
    assert before.keys() == {"c", "d"}
    site.pages["/b"] = site.sheet(site.prose("b"), ("/d", "/e"))
    assert site.recrawl(two).links == 1
    after = waiting(two, site.root)
    assert after["d"] > before["d"]
    assert "e" in after
    # The crawl itself is as it was: its record of the page says what was true at the visit.
    with Records(two) as records:
        assert not records.find(f"{site.root}/b").relevant


def test_a_strategy_learns_what_has_changed(site: Any, two: Path) -> None:
    crawl_two(site, two, Watcher())
    site.pages["/b"].raw = f"<title>boats</title><p>{site.prose('b')}</p><a href='/d'>d</a> <a href='/e'>e</a>".encode()
    site.recrawl(two, strategy=Watcher())
    with SqliteStore(two, reading=True) as store:
        assert codec.loads(store.checkpoint()["strategy"])["changes"] == ["b False True ['e']"]


def test_a_label_counts_more_than_a_change(site: Any, two: Path) -> None:
    crawl_two(site, two, "best_first")
    clew.label(two, f"{site.root}/b", relevant=False)
    site.pages["/b"] = site.sheet(site.prose("b"), ("/d",))
    site.recrawl(two)
    assert waiting(two, site.root)["d"] == 0.0


def test_the_search_index_has_the_newest_version_only(site: Any, small: Path) -> None:
    first = site.prose("/1").split()[-1]
    assert f"{site.root}/1" in [hit.url for hit in clew.search(small, first)]
    site.pages["/1"].text = f"{site.prose('another')} catamaran"
    site.recrawl(small)
    [hit] = clew.search(small, "catamaran")
    assert hit.url == f"{site.root}/1"
    assert f"{site.root}/1" not in [hit.url for hit in clew.search(small, first)]
    with Records(small) as records:
        old = records.find(hit.url)
        assert old
        assert "catamaran" in records.main_text(hit.record)
        assert "catamaran" not in records.main_text(old)
        records.store.db.close()
    with closing(sqlite3.connect(small / "crawl.db")) as db:
        db.execute("INSERT INTO text_index (text_index, rank) VALUES ('integrity-check', 1)")


def test_without_kept_texts_a_new_version_is_indexed_when_it_is_searched(site: Any, tmp_path: Path) -> None:
    site.pages["/"] = site.sheet(site.prose("/"))
    folder = tmp_path / "crawl"
    site.crawl(folder, main_text=False)
    assert clew.search(folder, "catamaran") == []
    site.pages["/"].text = f"{site.prose('another')} catamaran"
    site.recrawl(folder)
    assert len(clew.search(folder, "catamaran")) == 1
