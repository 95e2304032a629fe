"""The documentation is true: its code runs, its commands exist, its links lead somewhere."""

from __future__ import annotations

import argparse
import functools
import importlib
import importlib.util
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import clew
from clew.cli.main import build_parser, main
from clew.config import SETTINGS, configure, flatten
from clew.interests import parse
from clew.store import Records

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDES = sorted((DOCS / "how-to").glob("*.md"))
WRITTEN_BY_HAND = [ROOT / "README.md", DOCS / "index.md", DOCS / "tutorial.md", *GUIDES]
EXPLANATIONS = sorted((DOCS / "explanation").glob("*.md"))
ALL_PAGES = [*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))]
ALL_PAGES += [ROOT / "experiments" / "README.md", *sorted((ROOT / "experiments" / "results").glob("*.md"))]
# Their commands name hosts that nobody serves, or serve until somebody ends them.
ONLY_PARSED = ("politeness", "README", "index", "serve", "rest", "mcp")
FLAG_OF_GROUP = {
    "clew.strategies": "--strategy",
    "clew.judges": "--judge",
    "clew.sinks": "--sinks",
    "clew.stop_rules": "--stop-rules",
    "clew.fetchers": "--fetcher",
    "clew.search_sources": "--search-sources",
}


class Block(NamedTuple):
    """A code block of a page."""

    language: str
    title: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    """The code blocks of a page, also those in tabs."""
    fence = re.compile(r"^( *)```(\w*)(?: title=\"([^\"]+)\")?\n(.*?)^\1```", re.M | re.S)
    for match in fence.finditer(page.read_text(encoding="utf-8")):
        yield Block(match[2], match[3] or "", textwrap.dedent(match[4]))


def commands(text: str) -> Iterator[list[str]]:
    """The arguments of each `clew …` command of a console block; pipes and comments left out."""
    one_line_each = re.sub(r"\\\n\s*", "", text)
    for line in re.findall(r"^\$ clew (.*)$", one_line_each, re.M):
        words = shlex.split(line, comments=True)
        ends = [place for place, word in enumerate(words) if word in (">", "|")]
        yield words[: min(ends)] if ends else words


def shown_commands() -> Iterator[Any]:
    for page in [*ALL_PAGES]:
        for block in blocks(page):
            for words in commands(block.text) if block.language == "console" else ():
                yield pytest.param(words, id=f"{page.stem}: clew {' '.join(words)[:60]}")


@pytest.mark.parametrize("words", list(shown_commands()))
def test_every_command_that_is_shown_is_understood(words: list[str]) -> None:
    args, extra = build_parser().parse_known_args(words)
    flags = [word for word in extra if word.startswith("-")]
    assert not flags
    assert not extra or isinstance(args.pages, list)  # `clew label` takes several URLs


@pytest.mark.parametrize("page", [*WRITTEN_BY_HAND, *EXPLANATIONS], ids=lambda page: page.stem)
def test_every_flag_that_is_named_exists(page: Path) -> None:
    prose = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    named = set(re.findall(r"(?<![\w-])--([a-z][a-z-]+[a-z])", prose))
    assert named <= all_flags(build_parser()) | {"strict"}  # mkdocs' and mypy's


def all_flags(parser: Any) -> set[str]:
    """The flags of a parser and of all its commands."""
    found = {flag.removeprefix("--") for action in parser._actions for flag in action.option_strings}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= {flag for inner in action.choices.values() for flag in all_flags(inner)}
    return found


def test_every_setting_in_the_tables_of_safety_exists() -> None:
    rows = [line.split("|") for line in (DOCS / "explanation" / "safety.md").read_text().splitlines() if "|" in line]
    named = {name for row in rows if len(row) == 6 for name in re.findall(r"`(\w+)`", row[3])}
    assert len(named) > 20
    assert named <= set(SETTINGS)


@pytest.mark.parametrize("page", [*EXPLANATIONS, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_every_file_that_is_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    whole = set(re.findall(r"(?:src|tests|benchmarks|experiments|tools)/[\w/]+\.(?:py|toml|md)", text))
    assert all((ROOT / path).exists() for path in whole), [path for path in whole if not (ROOT / path).exists()]
    inside = set(re.findall(r"`((?:base|config|core|fetch|lab|revisit|store|testing)/\w+\.py)`", text))
    assert all((ROOT / "src" / "clew" / path).exists() for path in inside), inside
    short = set(re.findall(r"(?<![/\w])test_\w+\.py", text))
    assert short <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: "/".join(page.parts[-2:]))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https?:|mailto:", target):
            file, _, anchor = target.partition("#")
            path = (page.parent / file).resolve() if file else page
            assert path.exists(), target
            assert not anchor or anchor in anchors(path), target


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'id="(\w+)"', text))


def test_every_formula_of_the_guide_to_topics_can_be_read() -> None:
    page = DOCS / "how-to" / "topics.md"
    formulas = next(block for block in blocks(page) if block.language == "text").text.splitlines()
    predicates = re.findall(r"^\| `(\w+\(.*?\))` \|", page.read_text(encoding="utf-8"), re.M)
    assert len(formulas) > 3
    assert len(predicates) > 8
    for formula in [*formulas, *(predicate.replace("\\|", "|") for predicate in predicates)]:
        parse(formula)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 700


def test_every_extra_is_documented() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = re.findall(r"^\| `(\w+)` \|", (DOCS / "index.md").read_text(encoding="utf-8"), re.M)
    assert set(project["optional-dependencies"]) <= set(listed)


def test_every_extra_is_in_the_readme() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install = (ROOT / "README.md").read_text(encoding="utf-8").split("## Install")[1].split("## First")[0]
    assert set(project["optional-dependencies"]) <= set(re.findall(r"`(\w+)`", install))


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(line for lines in extras.values() for line in lines)]
    names = {re.match(r"[\w.-]+", line)[0].lower() for line in needed} - {"clew-crawler"}  # type: ignore[index]
    table = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8").split("## Why these libraries")[1]
    assert [name for name in names if name not in table.lower()] == []
    for extra in set(extras) - {"all"}:
        assert f"`{extra}`" in table


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M))
    there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    results = {f"results/{path.name}" for path in (ROOT / "experiments" / "results").glob("*.md")}
    assert listed == there | results | {"results/experiments.md"}  # tools/mkdocs_hooks.py brings it


def test_the_listing_of_the_folders_is_true() -> None:
    text = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8")
    there = {p.name for p in (ROOT / "src/clew").iterdir() if p.name[0] not in "_." and p.suffix in ("", ".py")}
    listed = set(re.findall(r"^  ([a-z]+(?:\.py|/))", text.split("## Folders")[1].split("## The")[0], re.M))
    assert {name.rstrip("/") for name in listed} == there


@pytest.fixture
def fresh_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example_org: str) -> Iterator[Path]:
    """An empty folder with what the guides take for granted; example.org is the small web of these tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    here = {"resolve": [example_org], "allow_private": True, "delay": 0}
    for name in ("crawl", "acrawl", "stream"):
        if name in clew.__all__:
            monkeypatch.setattr(clew, name, functools.partial(getattr(clew, name), **here))
    (tmp_path / "page.html").write_text("<title>Sailing</title><p>A yacht in the harbour")
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "index.html").write_text("<title>Sailing</title><p>sailing <a href=/boat.html>boats</a>")
    (tmp_path / "mirror" / "boat.html").write_text("<title>Boats</title><p>sailing boats")
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDES], ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page: Path, fresh_project: Path, example_org: str) -> None:
    if page.stem in ("export", "review", "web-page"):  # they begin with a crawl that was made before
        clew.crawl("sailing", ["http://example.org/"], pages=20, folder="crawls/sailing")
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        text = block.text.replace("https://example.org", "http://example.org")
        if block.title:
            (fresh_project / block.title).write_text(text)
        if block.title == "pyproject.toml":
            check_entry_point(tomllib.loads(text), fresh_project, example_org)
        elif block.language == "toml" and block.title != "experiment.toml":
            configure(**flatten(tomllib.loads(text)))
        elif block.language == "python" and not block.title:
            run_python(text, names)
        elif block.language == "console" and page.stem not in ONLY_PARSED:
            for words in commands(text):
                run_command(words, example_org)


def run_python(text: str, names: dict[str, Any]) -> None:
    """Run a block in the namespace of its page; one that needs a package that is not here is left out."""
    if "to_pandas" in text and importlib.util.find_spec("pandas") is None:
        return
    exec(compile(text, "<documentation>", "exec"), names)


def run_command(words: list[str], example_org: str) -> None:
    """Run a command as a user would, with the address of the small web."""
    if "parquet" in words and importlib.util.find_spec("pyarrow") is None:
        return
    where = ["--resolve", example_org, "--allow-private", "--delay", "0"]
    needs_address = words[0] == "crawl" or words[:2] == ["topics", "test"]
    assert main([*words, *where] if needs_address else words) == 0, words


def check_entry_point(project: dict[str, Any], folder: Path, example_org: str) -> None:
    """Install the package of the page, as far as its entry point goes, and use the part by its name."""
    [(group, points)] = project["project"]["entry-points"].items()
    installed = folder / "my_crawl_parts-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my-crawl-parts\nVersion: 1\n")
    lines = [f"{name} = {target}" for name, target in points.items()]
    (installed / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
    importlib.invalidate_caches()
    for name in points:
        flag = [FLAG_OF_GROUP[group], name]
        run_command(["crawl", "sailing", "--seeds", "http://example.org/", "--pages", "5", *flag], example_org)


def test_the_tutorial_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "120")
    server: subprocess.Popen[str] | None = None
    port = ""
    try:
        for block in blocks(DOCS / "tutorial.md"):
            text = re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{port}", block.text) if port else block.text
            if block.title:
                (tmp_path / block.title).write_text(text)
            elif block.language == "python":
                exec(compile(text, "<tutorial>", "exec"), {"__name__": "__main__"})
            for words, shown in with_output(text) if block.language == "console" else ():
                if words[0] == "labyrinth":
                    server, printed = serve(words)
                    port = re.findall(r"127\.0\.0\.1:(\d+)", printed)[0]
                    assert without_port(printed) in without_port(text)
                else:
                    capsys.readouterr()
                    assert main(words) == 0, words
                    assert missing_lines(shown, capsys.readouterr().out) == [], words
    finally:
        if server:
            server.terminate()
            server.communicate()
    first, second, blind = (relevant(tmp_path / "crawls" / name) for name in ("first", "second", "blind"))
    assert second > blind
    assert first > blind


def with_output(text: str) -> Iterator[tuple[list[str], str]]:
    """Each `clew …` command of a console block with the output that is shown below it."""
    one_line_each = re.sub(r"\\\n\s*", "", text)
    for part in re.split(r"^(?=\$ )", one_line_each, flags=re.M):
        line, _, output = part.partition("\n")
        for words in commands(line):
            yield words, output


def missing_lines(shown: str, printed: str) -> list[str]:
    """The lines of the documentation that a command did not print; numbers and the pages that it found may differ."""
    there = {stable(line) for line in printed.splitlines()}
    return [line for line in shown.splitlines() if line != "..." and stable(line) not in there]


def stable(line: str) -> str:
    """A line of output without what changes from run to run: numbers, spaces, bars, and the titles of pages."""
    line = re.sub(r"^ +\d+ +[\d.]+  \S.*", "page found", line)
    line = re.sub(r"^ {7}http\S+ *$", "its URL", line)
    line = re.sub(r"^ *\S+\.labyrinth(?=  )", "host", line)
    # How sure the forecast is decides about its wording.
    line = re.sub(r"^ *forecast  .* more relevant pages in the next .*", "forecast", line)
    # While good hosts rest, the line names no best score.
    line = re.sub(r"^ *frontier  .* candidates, .*", "frontier", line)
    return " ".join(re.sub(r"\d[\d.,:]*|━+", "#", line).split())


def without_port(text: str) -> str:
    """What is the same in each run; lines may break elsewhere."""
    return " ".join(re.sub(r":\d+'", "", text).split())


def serve(words: list[str]) -> tuple[subprocess.Popen[str], str]:
    """A labyrinth in a process of its own, and what it prints, the command at the end."""
    process = subprocess.Popen([sys.executable, "-m", "clew", *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    printed = ""
    for line in process.stdout:
        printed += line
        if line.startswith("clew crawl"):
            break
    return process, printed


def relevant(folder: Path) -> int:
    """How many relevant pages are among the first 300 visits of a crawl."""
    with Records(folder) as records:
        return int(records.flags()[:300].sum())
