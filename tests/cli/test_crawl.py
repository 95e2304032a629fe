"""`clew crawl`, `resume`, `status`, `explain` and `export` against a labyrinth on loopback."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from clew.cli.main import main
from clew.store import Records

Capture = pytest.CaptureFixture[str]


def stdout_of(capsys: Capture, *argv: str, code: int = 0) -> str:
    """The stdout of a command."""
    assert main(argv) == code
    return capsys.readouterr().out


def failed(capsys: Capture, *argv: str, code: int = 1) -> str:
    """The message of a command that must fail."""
    assert main(argv) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("clew: ")
    return captured.err


def spawned(web: Any, folder: Path, *more: str) -> subprocess.Popen[str]:
    words = ["crawl", "sailing", *web.flags, "--folder", str(folder), *more]
    return subprocess.Popen(
        [sys.executable, "-m", "clew", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for_pages(folder: Path) -> None:
    for _ in range(200):
        if (folder / "crawl.db").exists() and Records(folder).stats().visited > 2:
            return
        time.sleep(0.05)
    raise AssertionError("the crawl has not begun")


def test_an_interest_that_is_given_twice_is_refused(capsys: Capture) -> None:
    error = failed(capsys, "crawl", "sailing", "--interest", "golf", "--seeds", "https://a.example/")
    assert "given twice, as FORMULA and with --interest" in error


def test_crawl_reports_and_draws(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--pages", "20") == 0
    text = capsys.readouterr().out
    # How many visits that took depends on which dead links were met.
    for part in ("pages  20", " failed", "Best pages", "threshold"):
        assert part in text
    assert str(tmp_path / "c") in "".join(text.split())  # a long path is folded where the terminal ends
    assert (tmp_path / "c" / "report" / "harvest.png").read_bytes().startswith(b"\x89PNG")


def test_crawl_as_json(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--pages", "10", "--json") == 0
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert data["stats"]["visited"] == 10
    assert data["best"][0]["relevant"]
    assert captured.err == ""


def test_quiet_says_the_folder_only(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--pages", "5", "--quiet") == 0
    assert capsys.readouterr() == (f"{tmp_path / 'c'}\n", "")


def test_resume_goes_on_with_other_limits(web: Any, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "c"
    assert web.crawl(folder, "--pages", "8", "--quiet") == 0
    capsys.readouterr()
    data = json.loads(stdout_of(capsys, "resume", str(folder), "--pages", "15", "--json"))
    assert data["stats"]["visited"] == 15


def test_interrupt_stops_cleanly_and_says_how_to_go_on(web: Any, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    process = spawned(web, folder, "--delay", "0.3", "--parallel", "2", "--pages", "10000", "--quiet")
    wait_for_pages(folder)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (out.strip(), Records(folder).reason) == (str(folder), "interrupted")
    assert f"clew resume {folder}" in err
    assert main(["resume", str(folder), "--pages", str(Records(folder).stats().visited + 3), "--quiet"]) == 0


def test_a_second_interrupt_leaves_at_once(web: Any, tmp_path: Path) -> None:
    """As safe as kill -9: what was committed is there, and the crawl goes on from it."""
    folder = tmp_path / "c"
    process = spawned(web, folder, "--delay", "0.1", "--pages", "10000")
    wait_for_pages(folder)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, "Traceback" in err, "clew resume" in err) == (130, False, True)
    with Records(folder) as records:
        kept = [record.url for record in records.pages()]
    assert main(["resume", str(folder), "--pages", str(len(kept) + 5), "--quiet"]) == 0
    with Records(folder) as records:
        urls = [record.url for record in records.pages()]
    assert urls[: len(kept)] == kept
    assert len(set(urls)) == len(urls)


def test_a_folder_in_use_is_reported(web: Any, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "c"
    process = spawned(web, folder, "--delay", "0.5", "--pages", "10000", "--quiet")
    try:
        wait_for_pages(folder)
        assert "in use" in failed(capsys, "resume", str(folder))
        assert "running" in stdout_of(capsys, "status", str(folder))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


@pytest.mark.parametrize(
    ("formula", "more", "messages"),
    [
        ("sailing AND (wind", (), ["parenthesis", "sailing AND (wind", "^"]),
        ("sailing", ("--strategy", "best_frist"), ["did you mean 'best_first'"]),
        (
            "sailing",
            ("--deny", "re:/20[0-9/"),
            ["deny: 're:/20[0-9/' is not a regular expression: unterminated character set at character 4"],
        ),
        ("sailing", ("--allow", "/docs/"), ["allow: '/docs/' names no host", "write https://example.org/docs/"]),
        (
            "zebracorn",
            ("--judge", "plain", "--threshold", "start-pages"),
            ["start pages is about zebracorn (relevance 0)", "set threshold (--threshold", "0.000  http://"],
        ),
    ],
)
def test_a_crawl_that_cannot_start_says_why(
    web: Any, tmp_path: Path, capsys: Capture, formula: str, more: tuple[str, ...], messages: list[str]
) -> None:
    error = failed(capsys, "crawl", formula, *web.flags, "--folder", str(tmp_path / "c"), "--quiet", *more)
    assert all(message in error for message in messages)


def test_a_crawl_starts_where_nothing_matches_and_says_so(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert main(["crawl", "zebracorn", *web.flags, "--folder", str(tmp_path / "c"), "--pages", "12"]) == 0
    assert "start pages matches zebracorn: the crawl looks around from here" in capsys.readouterr().err
    with Records(tmp_path / "c") as records:
        assert records.stats().pages == 12


def test_no_start_page_answers(web: Any, tmp_path: Path, capsys: Capture) -> None:
    lab = ["--allow-private", "--resolve", web.resolve, "--delay", "0", "--quiet", "--folder", str(tmp_path / "c")]
    assert "no start page answers" in failed(capsys, "crawl", "sailing", "--seeds", "http://nobody.labyrinth/", *lab)


def test_start_pages_that_fail_are_reported(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--seeds", "http://nobody.labyrinth/", "--pages", "5") == 0
    assert "1 of 4 start pages failed: http://nobody.labyrinth/ (" in capsys.readouterr().err


def test_a_folder_that_holds_a_crawl_is_reported(crawl_folder: Path, web: Any, capsys: Capture) -> None:
    assert "clew resume" in failed(capsys, "crawl", "sailing", *web.flags, "--folder", str(crawl_folder))


def test_resume_says_if_there_is_nothing_to_do(crawl_folder: Path, capsys: Capture) -> None:
    assert main(["resume", str(crawl_folder)]) == 0
    error = capsys.readouterr().err
    assert "The crawl is finished: fetched 60 pages. To go further: clew resume " in error
    assert "--pages 120" in error


def test_resume_says_how_to_go_on_after_any_limit(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--relevant", "3", "--quiet") == 0
    assert main(["resume", str(tmp_path / "c")]) == 0
    advice = f"The crawl is finished: found 3 relevant pages. To go further: clew resume {tmp_path / 'c'} --relevant 6"
    assert advice in capsys.readouterr().err
    assert main(["resume", str(tmp_path / "c"), "--relevant", "6"]) == 0
    assert "finished" not in capsys.readouterr().err


def test_resume_says_that_nothing_is_left(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--max-depth", "0", "--quiet") == 0
    assert main(["resume", str(tmp_path / "c")]) == 0
    message = (
        "The crawl is finished: no candidates are left: the scope excludes every link (max_depth). A new crawl with"
    )
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "from 0.500 on, where the judge expects the best balance of precision and recall; all pages are judged"),
        (("--threshold", "0.4"), "from 0.400 on, set by --threshold (before: 0.500); all pages are judged again"),
    ],
)
def test_another_interest_says_its_threshold(
    web: Any, tmp_path: Path, capsys: Capture, more: tuple[str, ...], message: str
) -> None:
    assert web.crawl(tmp_path / "c", "--pages", "8", "--quiet") == 0
    assert main(["resume", str(tmp_path / "c"), "--interest", "sailing OR golf", *more]) == 0
    assert message in capsys.readouterr().err


def test_resume_keeps_its_start_pages(crawl_folder: Path, capsys: Capture) -> None:
    error = failed(capsys, "resume", str(crawl_folder), "--seeds", "http://a.example/", code=2)
    assert "the start pages of a crawl cannot be changed; start a new crawl" in error


@pytest.mark.parametrize("command", ["status", "resume", "export"])
def test_a_folder_without_a_crawl_is_reported(command: str, tmp_path: Path, capsys: Capture) -> None:
    assert "not a crawl folder" in failed(capsys, command, str(tmp_path))


def test_status_for_people(crawl_folder: Path, capsys: Capture) -> None:
    text = stdout_of(capsys, "status", str(crawl_folder))
    for part in ("stopped: ", "sailing", "pages  60", "Hosts", "Latest pages", ".labyrinth"):
        assert part in text


def test_status_as_json(crawl_folder: Path, capsys: Capture) -> None:
    data = json.loads(stdout_of(capsys, "status", str(crawl_folder), "--json", "-n", "3"))
    assert data["stats"]["pages"] == 60
    assert len(data["hosts"]) == len(data["last"]) == 3
    assert data["harvest"] == data["stats"]["relevant"] / data["stats"]["visited"]


def test_explain_shows_the_path(crawl_folder: Path, capsys: Capture) -> None:
    deepest = max(Records(crawl_folder).pages(relevant=True), key=lambda record: record.depth)
    text = stdout_of(capsys, "explain", str(crawl_folder), deepest.url)
    assert "Path from a start page" in text
    assert text.count("http://") >= deepest.depth + 2
    data = json.loads(stdout_of(capsys, "explain", str(crawl_folder), deepest.url, "--json"))
    assert data["state"] == "fetched"
    assert data["path"][0]["kind"] == "start"
    assert data["path"][-1]["url"] == deepest.url


def test_explain_compares_the_relevance_with_the_threshold(crawl_folder: Path, capsys: Capture) -> None:
    with Records(crawl_folder) as records:
        threshold = f"the threshold of {records.threshold:.3f}"
        pages = list(records.pages())
    relevant = next(page for page in pages if page.relevant)
    irrelevant = next(page for page in pages if page.state == "fetched" and not page.relevant)
    text = stdout_of(capsys, "explain", str(crawl_folder), relevant.url)
    assert f"{relevant.relevance:.3f}  relevance, reaches {threshold}" in text
    assert "Why it is relevant" in text
    text = stdout_of(capsys, "explain", str(crawl_folder), irrelevant.url)
    assert f"{irrelevant.relevance:.3f}  relevance, below {threshold}" in text
    assert "Why it is not relevant" in text


def test_explain_counts_the_words_that_make_a_page_relevant(crawl_folder: Path, capsys: Capture) -> None:
    with Records(crawl_folder) as records:
        page = next(records.pages(relevant=True))
        text = records.text(page).lower()
    shown = stdout_of(capsys, "explain", str(crawl_folder), page.url)
    assert shown.index("Why it is relevant") < shown.index("Why it was visited")
    counts = dict(re.findall(r"(\w+) (\d+)×", shown))
    assert counts
    assert all(len(re.findall(rf"\b{word}\b", text)) == int(count) for word, count in counts.items())


def test_explain_shows_no_score_of_a_start_page(crawl_folder: Path, capsys: Capture) -> None:
    start = next(iter(Records(crawl_folder).pages()))
    text = stdout_of(capsys, "explain", str(crawl_folder), start.url)
    assert "It is a start page." in text
    assert f"start page, relevance {start.relevance:.3f}" in text
    assert "9.000" not in text


def test_explain_shows_the_numbers_of_long_parts_in_a_narrow_terminal(
    crawl_folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    page = max(Records(crawl_folder).pages(relevant=True), key=lambda record: record.depth)
    text = stdout_of(capsys, "explain", str(crawl_folder), page.url)
    assert max(map(len, text.splitlines())) <= 60
    parts = text.partition("What its score was made of")[2].splitlines()[1:]
    assert re.match(r" *\d+(\.\d)? %  chance", parts[0])
    assert re.match(r" *-?\d+\.\d{3}  \w", parts[1])


def test_explain_what_waits_and_what_is_unknown(crawl_folder: Path, capsys: Capture) -> None:
    query = "SELECT url FROM candidates WHERE url NOT IN (SELECT url FROM pages) AND reason = '' LIMIT 1"
    with Records(crawl_folder) as records:
        [waiting] = records.store.db.execute(query).fetchone()
    text = stdout_of(capsys, "explain", str(crawl_folder), waiting)
    assert "queued" in text
    assert "What its score is made of" in text
    assert main(["explain", str(crawl_folder), f"{waiting}x"]) == 1
    text = capsys.readouterr().out
    assert "unknown: the crawl has never seen this URL" in text
    assert waiting in text.partition("Did you mean")[2].split()


def test_export_comes_back_in_every_format(crawl_folder: Path, tmp_path: Path, capsys: Capture) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    expected = [record.url for record in Records(crawl_folder).pages(relevant=True)]
    files = {form: tmp_path / f"pages.{form}" for form in ("jsonl", "csv", "urls", "parquet")}
    for form, file in files.items():
        stdout_of(capsys, "export", str(crawl_folder), "--format", form, "--relevant", "-o", str(file))
    lines = {form: files[form].read_text(encoding="utf-8").splitlines() for form in ("jsonl", "urls")}
    assert [json.loads(line)["url"] for line in lines["jsonl"]] == expected
    assert lines["urls"] == expected
    table = csv.DictReader(io.StringIO(files["csv"].read_text(encoding="utf-8"), newline=""))
    assert [row["url"] for row in table] == expected
    assert parquet.read_table(files["parquet"])["url"].to_pylist() == expected


def test_an_exported_page_says_how_it_was_found(crawl_folder: Path, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "pages.jsonl"
    stdout_of(capsys, "export", str(crawl_folder), "-o", str(file))
    rows = {row["url"]: row for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())}
    deepest = max(rows.values(), key=lambda row: row["depth"])
    with Records(crawl_folder) as records:
        steps = records.path(deepest["url"])
    assert deepest["path"] == [step.url for step in steps]
    assert (deepest["parent"], deepest["anchor"]) == (steps[-2].url, steps[-1].anchor)
    assert {row["content_type"] for row in rows.values()} == {"text/html"}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", row["at"]) for row in rows.values())


def test_the_links_between_exported_pages_are_a_graph(crawl_folder: Path, tmp_path: Path, capsys: Capture) -> None:
    for name in ("web.graphml", "web.csv"):
        form = ["--format", "edges"] if name == "web.csv" else []
        stdout_of(capsys, "export", str(crawl_folder), *form, "-o", str(tmp_path / name))
    root = ElementTree.parse(tmp_path / "web.graphml").getroot()
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    nodes = [node.get("id") for node in root.iterfind("g:graph/g:node", space)]
    edges = [(edge.get("source"), edge.get("target")) for edge in root.iterfind("g:graph/g:edge", space)]
    with Records(crawl_folder) as records:
        pages = [record for record in records.pages() if record.state == "fetched"]
        links = {(page.url, link.url) for page in pages for link in records.doc(page).links}
    assert nodes == [page.url for page in pages]
    inside = {pair for pair in links if pair[1] in nodes and pair[0] != pair[1]}
    assert inside <= set(edges)
    assert len(edges) == len(set(edges))
    assert all(target in nodes for _, target in edges)
    listed = csv.DictReader(io.StringIO((tmp_path / "web.csv").read_text(encoding="utf-8"), newline=""))
    assert [(row["source"], row["target"]) for row in listed] == edges


@pytest.mark.parametrize(("name", "first"), [("a.csv", "order,"), ("a.json", "{"), ("a.txt", "http://"), ("a", "{")])
def test_the_name_of_the_file_chooses_the_format(
    name: str, first: str, crawl_folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    stdout_of(capsys, "export", str(crawl_folder), "-o", str(tmp_path / name))
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(first)


def test_export_takes_either_relevant_pages_or_all_visits(crawl_folder: Path, capsys: Capture) -> None:
    assert "not allowed with" in failed(capsys, "export", str(crawl_folder), "--relevant", "--all", code=2)


def test_export_with_text_to_stdout(crawl_folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["export", str(crawl_folder), "--relevant", "--text", "--json"]) == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert all(len(row["text"]) > 100 for row in rows)


def test_exported_urls_are_start_pages(crawl_folder: Path, web: Any, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "urls.txt"
    stdout_of(capsys, "export", str(crawl_folder), "-f", "urls", "--relevant", "-o", str(file), "--quiet")
    flags = ["--allow-private", "--resolve", web.resolve, "--delay", "0", "--config", str(web.topics), "--pages", "5"]
    stdout_of(capsys, "crawl", "sailing", "-s", f"@{file}", *flags, "--folder", str(tmp_path / "c"), "--quiet")


def test_the_panel_in_a_real_terminal(web: Any, tmp_path: Path) -> None:
    """A pseudo-terminal shows the panel while it lasts, and gives the cursor back."""
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    words = ["crawl", "sailing", *web.flags, "--folder", str(tmp_path / "c"), "--pages", "15", "--delay", "0.05"]
    command = [sys.executable, "-m", "clew", *words]
    process = subprocess.Popen(
        command, stdin=child, stdout=subprocess.PIPE, stderr=child, env={**os.environ, "TERM": "xterm"}
    )
    seen = b""
    while process.poll() is None or _waits(parent):  # our own end stays open: else the last words may be lost
        seen += os.read(parent, 65536) if _waits(parent) else b""
    process.communicate(timeout=20)
    os.close(child)
    os.close(parent)
    assert b"harvest" in seen
    assert b"frontier" in seen
    assert seen.rindex(b"\x1b[?25h") > seen.rindex(b"\x1b[?25l")


def _waits(terminal: int) -> bool:
    """Whether there is something to read."""
    return bool(select.select([terminal], [], [], 0.1)[0])


def test_a_file_of_topics_with_examples_needs_no_start_pages(web: Any, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "boats.toml"
    file.write_text(f'interest = "boats"\n[topics.boats]\nkeywords = ["sailing"]\nexamples = ["{web.seeds[0]}"]\n')
    lab = ["--allow-private", "--resolve", web.resolve, "--delay", "0", "--pages", "3"]
    assert main(["crawl", "--config", str(file), *lab, "--folder", str(tmp_path / "crawl")]) == 0
    shown = capsys.readouterr()
    words = " ".join((shown.out + shown.err).split())
    assert "no start pages were given: the crawl starts at the example of boats" in words
