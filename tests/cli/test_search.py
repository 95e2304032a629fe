"""`clew search` and the Markdown export: what users see, and what strangers' texts cannot do."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from clew.cli.export_markdown import safe_markdown
from clew.cli.main import main
from clew.store import Records

Capture = pytest.CaptureFixture[str]
HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x9b32m\u202eevil\u2066\u200f\x08\x7f\x85\u2028\u2029\r"


def test_pages_with_snippets(crawl_folder: Path, capsys: Capture) -> None:
    assert main(["search", str(crawl_folder), "sailing", "--limit", "2"]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("http://") == 2
    assert "*sailing*" in captured.out.lower()
    assert "The best 2 pages" in captured.err


def test_json(crawl_folder: Path, capsys: Capture) -> None:
    assert main(["search", str(crawl_folder), "sailing", "--all", "--json", "--limit", "100"]) == 0
    hits = json.loads(capsys.readouterr().out)
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert {"url", "title", "snippet", "relevance", "relevant"} <= set(hits[0])


def test_nothing_found_and_bad_queries(crawl_folder: Path, capsys: Capture) -> None:
    assert main(["search", str(crawl_folder), "xylophonist"]) == 1
    assert "--all searches all of them" in capsys.readouterr().err
    assert main(["search", str(crawl_folder), "(sailing"]) == 1
    assert 'the query has a "(" without a ")"' in capsys.readouterr().err
    assert main(["search", str(crawl_folder), "sailing", "--limit", "0"]) == 2
    assert main(["search", str(crawl_folder / "nowhere"), "sailing"]) == 1


@pytest.mark.parametrize("flags", [[], ["--json"]], ids=str)
def test_hostile_texts_do_not_reach_the_terminal(
    crawl_folder: Path, tmp_path: Path, capsys: Capture, flags: list[str]
) -> None:
    folder = Path(shutil.copytree(crawl_folder, tmp_path / "crawl"))
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute("UPDATE pages SET title = ? || title", (HOSTILE,))
        db.execute("UPDATE texts SET text = ? || ' sailing ' || ?", (HOSTILE, HOSTILE))
    assert main(["search", str(folder), "sailing", *flags]) == 0
    captured = capsys.readouterr()
    assert all(c.isprintable() or c == "\n" for c in captured.out + captured.err)


def test_markdown_in_one_file_and_in_a_folder(crawl_folder: Path, tmp_path: Path) -> None:
    assert main(["export", str(crawl_folder), "--relevant", "-o", str(tmp_path / "all.md"), "--quiet"]) == 0
    assert main(["export", str(crawl_folder), "--relevant", "-f", "md", "-o", str(tmp_path / "pages"), "--quiet"]) == 0
    with Records(crawl_folder) as records:
        relevant = list(records.pages(relevant=True))
        first = records.main_text(relevant[0])
    files = sorted((tmp_path / "pages").iterdir())
    assert len(files) == len(relevant)
    page = files[0].read_text(encoding="utf-8")
    assert page.startswith(f'---\nurl: "{relevant[0].url}"\ntitle: {json.dumps(relevant[0].title)}\n')
    assert page.endswith(f"---\n\n{safe_markdown(first)}\n")
    together = (tmp_path / "all.md").read_text(encoding="utf-8")
    assert together == "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_markdown_is_safe_to_view() -> None:
    text = "<script>x</script>\n[a](javascript:b)\n```python\n<b>[c]\n```\n<i>\n`````\n<u>"
    escaped = "&lt;script>x&lt;/script>\n\\[a](javascript:b)\n```python\n<b>[c]\n```\n&lt;i>\n`````\n<u>\n`````"
    assert safe_markdown(text) == escaped


def test_texts_of_an_export_are_main_texts(crawl_folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "pages.jsonl"
    assert main(["export", str(crawl_folder), "--relevant", "--text", "-o", str(output), "--quiet"]) == 0
    rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    with Records(crawl_folder) as records:
        assert [row["text"] for row in rows] == [records.main_text(page) for page in records.pages(relevant=True)]
