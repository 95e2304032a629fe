"""A project outside the repository: clew from its wheel, and the parts of the how-to guides, word for word.

Each part is used from Python, from TOML, on the command line, and as an entry point of an installed package.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import sqlite3
import subprocess
import sys
import sysconfig
import textwrap
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from clew.store import Records

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GUIDES = ("strategy", "judge", "sink", "stop-rule")
PARTS = {"strategy": "nearest.py", "judge": "boats.py", "sink": "titles.py", "stop-rule": "enough.py"}
MAX_LINES = 15
BREADTH = "nearest:Nearest(penalty=100)"
DEPTH = "nearest:Nearest(penalty=-100)"
REASON = re.compile(r"only \d+% of the last 100 pages are relevant")
BOATS = ("boat", "yacht", "sail", "harbour")


def titled_blocks(guide: str) -> dict[str, str]:
    """The files of a guide."""
    text = (ROOT / "docs" / "how-to" / f"{guide}.md").read_text(encoding="utf-8")
    fence = re.compile(r"^( *)```\w+ title=\"([^\"]+)\"\n(.*?)^\1```", re.M | re.S)
    return {match[2]: textwrap.dedent(match[3]) for match in fence.finditer(text)}


@dataclass
class Project:
    """A folder of a user's, with an interpreter that has clew from the wheel."""

    folder: Path
    python: Path
    web: Any
    modules: str = ""  # a folder with installed packages of the user's

    def run(self, *command: str) -> str:
        """What a command prints; it must succeed."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if self.modules:
            environment["PYTHONPATH"] = self.modules
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def program(self, text: str) -> str:
        """What a Python program prints."""
        (self.folder / "program.py").write_text(textwrap.dedent(text), encoding="utf-8")
        return self.run(str(self.python), "program.py")

    def crawl(self, name: str, *flags: str, pages: int = 40) -> str:
        """`clew crawl` into a folder, by the installed command."""
        where = ["--seeds", *self.web.seeds, "--resolve", self.web.resolve, "--allow-private", "--delay", "0"]
        how = ["--parallel", "1", "--pages", str(pages), "--folder", name]
        return self.run(str(self.python.with_name("clew")), "crawl", *flags, *where, *how, "--quiet")

    def toml(self, name: str, text: str) -> str:
        """`clew crawl -c` with a file that holds the settings, too."""
        settings = self.web.toml(Path(name)).replace("pages = 20", "pages = 40")
        (self.folder / f"{name}.toml").write_text(settings + text, encoding="utf-8")
        return self.run(str(self.python.with_name("clew")), "crawl", "-c", f"{name}.toml", "--quiet")

    def settings(self, name: str) -> str:
        """The settings as keyword arguments of a program."""
        return f"**{self.web.settings(Path(name), pages=40)!r}"

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The visits of a crawl, with their texts, as `clew export` writes them."""
        out = self.run(str(self.python.with_name("clew")), "export", name, "--format", "jsonl", "--all", "--text")
        rows = [json.loads(line) for line in out.splitlines()]
        with Records(self.folder / name) as records:
            for row in rows:
                # The export has the main text; the judge sees the whole page.
                record = records.find(row["url"])
                row["whole"] = records.text(record) if record and row["state"] == "fetched" else ""
        return rows


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool = runpy.run_path(str(ROOT / "tools" / "install_size.py"))
    path: Path = tool["built_wheel"](tmp_path_factory.mktemp("wheel"))
    return path


def pip(*arguments: object) -> None:
    words = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, arguments)]
    subprocess.run(words, check=True, timeout=300)


@pytest.fixture(scope="module")
def project(wheel: Path, web: Any, tmp_path_factory: pytest.TempPathFactory) -> Project:
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment)
    python = environment / "bin" / "python"
    pip("--python", python, "install", "--no-deps", wheel)
    # The dependencies are those of this interpreter: to download them again would take minutes. Its own .pth files do
    # not count there, so an editable clew is not among them.
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    folder = tmp_path_factory.mktemp("project")
    for guide in GUIDES:
        for name, text in titled_blocks(guide).items():
            if name.endswith(".py"):
                (folder / name).write_text(text, encoding="utf-8")
    return Project(folder, python, web)


@pytest.fixture(scope="module")
def installed_parts(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The same parts in a package of the user's that registers them, seen from an empty folder."""
    source = tmp_path_factory.mktemp("my-crawl-parts")
    lines = [
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"',
        f"[tool.hatch.build.targets.wheel]\ninclude = {sorted(PARTS.values())}",
        titled_blocks("strategy")["pyproject.toml"],
    ]
    for guide in GUIDES:
        (source / PARTS[guide]).write_text((project.folder / PARTS[guide]).read_text())
        if guide != "strategy":
            _, header, table = titled_blocks(guide)["pyproject.toml"].partition("[project.entry-points")
            lines.append(header + table)
    (source / "pyproject.toml").write_text("\n".join(lines))
    assert len(tomllib.loads((source / "pyproject.toml").read_text())["project"]["entry-points"]) == 4
    packages = tmp_path_factory.mktemp("packages")
    pip("install", "--no-deps", "--target", packages, source)
    return Project(tmp_path_factory.mktemp("elsewhere"), project.python, project.web, str(packages))


def depths(rows: list[dict[str, Any]]) -> list[int]:
    return [row["depth"] for row in rows if row["state"] != "sitemap"]


def assert_breadth_first(rows: list[dict[str, Any]]) -> None:
    assert len(rows) >= 40
    assert depths(rows) == sorted(depths(rows))


def assert_judged(rows: list[dict[str, Any]]) -> None:
    fetched = [row for row in rows if row["state"] == "fetched"]
    for row in fetched:
        share = sum(word in row["whole"].lower() for word in BOATS) / len(BOATS)
        assert (row["relevance"], row["relevant"]) == (share, share >= 0.5)
    assert 0 < sum(row["relevant"] for row in fetched) < len(fetched)


def relevant(rows: list[dict[str, Any]]) -> list[str]:
    return [row["url"] for row in rows if row["relevant"]]


def shown(output: str) -> list[str]:
    """The URLs that the sink of the guide has printed."""
    return re.findall(r"^\d\.\d\d  .*  (http\S+)$", output, re.M)


@pytest.mark.parametrize("guide", GUIDES)
def test_a_part_takes_few_lines(guide: str) -> None:
    lines = [line for line in titled_blocks(guide)[PARTS[guide]].splitlines() if line.strip()]
    assert len(lines) <= MAX_LINES


def test_clew_comes_from_the_wheel(project: Project) -> None:
    place = project.program("import clew; print(clew.__file__)").strip()
    assert Path(place).is_relative_to(project.python.parents[1])
    assert not Path(place).is_relative_to(ROOT)


def test_the_strategy(project: Project) -> None:
    project.program(f"""
        import clew
        from nearest import Nearest
        clew.crawl("sailing", {project.web.seeds}, strategy=Nearest(penalty=100), {project.settings("s-python")})
    """)
    project.toml("s-toml", f'interest = "sailing"\nstrategy = "{BREADTH}"\n')
    project.crawl("s-flag", "sailing", "--strategy", BREADTH)
    project.crawl("s-other", "sailing", "--strategy", DEPTH)
    orders = [[row["url"] for row in project.rows(name)] for name in ("s-python", "s-toml", "s-flag")]
    assert orders[0] == orders[1] == orders[2]
    assert_breadth_first(project.rows("s-flag"))
    assert max(depths(project.rows("s-other"))) > max(depths(project.rows("s-flag")))


def test_the_judge(project: Project) -> None:
    project.program(f"""
        import clew
        from boats import about_boats
        clew.crawl(seeds={project.web.seeds}, judge=about_boats, {project.settings("j-python")})
    """)
    project.toml("j-toml", 'judge = "boats:about_boats"\n')
    project.crawl("j-flag", "--judge", "boats:about_boats")
    rows = {name: project.rows(name) for name in ("j-python", "j-toml", "j-flag")}
    assert_judged(rows["j-python"])
    assert relevant(rows["j-python"]) == relevant(rows["j-toml"]) == relevant(rows["j-flag"])
    # The crawl that was made in Python goes on from the command line: the judge is in a module.
    project.run(str(project.python.with_name("clew")), "resume", "j-python", "--pages", "60", "--quiet")
    assert_judged(project.rows("j-python"))


def test_the_sink(project: Project) -> None:
    printed = project.program(f"""
        import clew
        from titles import show
        from to_sqlite import ToSqlite
        sinks = [show, ToSqlite("python.db")]
        clew.crawl("sailing", {project.web.seeds}, judge="plain", sinks=sinks, {project.settings("k-python")})
    """)
    assert shown(printed) == relevant(project.rows("k-python")) != []
    table = '\n[[sinks]]\nuse = "to_sqlite:ToSqlite"\nfile = "toml.db"\n\n[[sinks]]\nuse = "titles:show"\n'
    printed = project.toml("k-toml", f'interest = "sailing"\njudge = "plain"\n{table}')
    assert shown(printed) == relevant(project.rows("k-toml"))
    sinks = ["titles:show", "to_sqlite:ToSqlite(file='flag.db')", "jsonl(path='flag.jsonl')"]
    printed = project.crawl("k-flag", "sailing", "--judge", "plain", "--sinks", *sinks)
    found = relevant(project.rows("k-flag"))
    assert shown(printed) == found
    lines = (project.folder / "flag.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["url"] for line in lines] == found
    for way in ("python", "toml", "flag"):
        fetched = {row["url"] for row in project.rows(f"k-{way}") if row["state"] == "fetched"}
        with sqlite3.connect(project.folder / f"{way}.db") as db:
            kept = {url for (url,) in db.execute("SELECT url FROM pages")}
        db.close()
        assert fetched <= kept


def test_the_stop_rule(project: Project) -> None:
    printed = project.program(f"""
        import clew
        from enough import enough
        result = clew.crawl("sailing", {project.web.seeds}, stop_rules=[enough], {project.settings("r-python")})
        print(result.reason)
    """)
    assert REASON.fullmatch(printed.strip())
    project.toml("r-toml", 'interest = "sailing"\nstop_rules = ["enough:enough"]\n')
    project.crawl("r-flag", "sailing", "--stop-rules", "enough:enough")
    for name in ("r-python", "r-toml", "r-flag"):
        status = json.loads(project.run(str(project.python.with_name("clew")), "status", name, "--json"))
        assert REASON.fullmatch(status["reason"]), status
        assert 21 <= status["stats"]["visited"] < 40


def test_entry_points(installed_parts: Project) -> None:
    project = installed_parts
    assert list(project.folder.glob("*.py")) == []
    listed = project.run(str(project.python.with_name("clew")), "strategies")
    assert re.search(r"^\W*nearest\b", listed, re.M)
    project.crawl("strategy", "sailing", "--strategy", "nearest(penalty=100)")
    assert_breadth_first(project.rows("strategy"))
    printed = project.crawl("rest", "--judge", "about_boats", "--sinks", "show", "--stop-rules", "enough")
    rows = project.rows("rest")
    assert_judged(rows)
    assert shown(printed) == relevant(rows)
    project.toml("all", 'judge = "about_boats"\nsinks = ["show"]\nstop_rules = ["enough"]\nstrategy = "nearest"\n')
    for name in ("rest", "all"):
        status = json.loads(project.run(str(project.python.with_name("clew")), "status", name, "--json"))
        assert REASON.fullmatch(status["reason"]), status
    printed = project.program(f"""
        import clew
        parts = dict(strategy="nearest", judge="about_boats", sinks=["show"], stop_rules=["enough"])
        print(clew.crawl(seeds={project.web.seeds}, **parts, {project.settings("python")}).reason)
    """)
    assert REASON.fullmatch(printed.splitlines()[-1])
    assert shown(printed) == relevant(project.rows("python"))
