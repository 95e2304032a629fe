"""The core works without optional libraries, and what needs one names the extra that brings it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from clew.base.extras import DISTRIBUTION, EXTRAS, missing, require
from clew.errors import ConfigError

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
BLOCKED = (*EXTRAS, "scipy", "sklearn", "uvloop")
# Put before a program: every import of an optional library fails, as where it is not installed.
BLOCKER = f"""
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocker())
"""
LABYRINTH = """
from clew.labyrinth import Labyrinth, serving
labyrinth = Labyrinth(pages=300, seed=1)
settings = dict(delay=0, allow_private=True, threshold=0.5, pages=30)
"""


def alone(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program without any optional library."""
    command = [sys.executable, "-c", BLOCKER + program]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=60)


def extras_in(requirement: str) -> list[str]:
    """The extras of clew itself that a requirement names."""
    found = re.fullmatch(rf"{DISTRIBUTION}\[(.*)\]", requirement)
    return found[1].split(",") if found else []


def libraries(extra: str) -> set[str]:
    """The requirements of an extra, those of the extras that it names included."""
    found: set[str] = set()
    for requirement in OPTIONAL[extra]:
        named = extras_in(requirement)
        found.update(*map(libraries, named)) if named else found.add(requirement)
    return found


def test_all_is_every_other_extra() -> None:
    [everything] = OPTIONAL["all"]
    assert extras_in(everything) == sorted(set(OPTIONAL) - {"all"})
    assert libraries("all") == set().union(*(libraries(extra) for extra in OPTIONAL if extra != "all"))


def test_lab_is_what_draws_pictures() -> None:
    assert libraries("lab") == libraries("plots")


def test_no_optional_library_is_required() -> None:
    required = {re.match(r"[\w.-]+", line)[0] for line in PROJECT["dependencies"]}  # type: ignore[index]
    optional = {re.match(r"[\w.-]+", line)[0] for line in libraries("all")}  # type: ignore[index]
    assert not required & optional


@pytest.mark.parametrize("library", EXTRAS)
def test_the_extra_that_is_named_brings_the_library(library: str) -> None:
    assert any(line.startswith(f"{library}>=") for line in libraries(EXTRAS[library]))


@pytest.mark.parametrize("library", EXTRAS)
def test_a_missing_library_is_one_clear_error(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ConfigError) as error:
        require(library, "things")
    assert str(error.value) == missing(library, "things")
    assert f"pip install 'clew-crawler[{EXTRAS[library]}]'" in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_there_is_no_error() -> None:
    require("numpy", "arrays")


def test_importing_clew_imports_nothing_optional(tmp_path: Path) -> None:
    program = "import clew, clew.cli.main, clew.cli.commands.crawl, clew.cli.summary, clew.lab.compare; clew.crawl"
    done = alone(program, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_crawl_from_python_needs_nothing_optional(tmp_path: Path) -> None:
    program = f"""
import clew
{LABYRINTH}
with serving(labyrinth) as web:
    seeds = labyrinth.seeds("sailing", 3)
    for strategy in ("adaptive", "link_context(every=10)"):
        settings |= dict(strategy=strategy, folder=strategy, resolve=[web.resolve])
        result = clew.crawl("sailing", seeds, **settings)
        print(result.stats.pages, result.stats.relevant > 0)
    clew.label("adaptive", seeds[0], relevant=False)
    print(clew.resume("adaptive", pages=40).stats.pages)
"""
    done = alone(program, tmp_path)
    assert (done.stdout.splitlines(), done.stderr) == (["30 True", "30 True", "40"], "")


def test_a_crawl_from_the_command_line_ends_well_and_says_what_the_picture_needs(tmp_path: Path) -> None:
    program = f"""
from clew.cli.main import main
{LABYRINTH}
with serving(labyrinth) as web:
    words = ["crawl", "sailing", "--seeds", *labyrinth.seeds("sailing", 3), "--pages", "20", "--delay", "0"]
    words += ["--threshold", "0.5", "--allow-private", "--resolve", web.resolve, "--folder", "here"]
    sys.exit(main(words))
"""
    done = alone(program, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("need matplotlib: pip install 'clew-crawler[plots]'") == 1
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("program", "extra"),
    [
        ("from pathlib import Path; from clew.cli import crawl_plot; crawl_plot.harvest({}, Path('x.png'))", "plots"),
        ("from clew.fetch._chromium import located; located('')", "browser"),
        ("from clew.interests.rdf import parse; parse(b'', 'x.ttl')", "ontology"),
        ("import io; from clew.cli.exporting import to_parquet; to_parquet([], {}, io.BytesIO())", "parquet"),
    ],
    ids=lambda text: text if text in OPTIONAL else "",
)
def test_what_needs_a_library_names_the_extra(
    program: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for library in EXTRAS:
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ConfigError, match=rf"need \S+: pip install 'clew-crawler\[{extra}\]'"):
        exec(program, {"io": io})
