"""What is shipped: a wheel that holds everything the program reads, and an installation that stays small."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from clew.version import __version__

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "install_size.py"
DATA = (
    "clew/py.typed",
    "clew/text/vectors.npz",
    "clew/strategies/_adaptive/priors.json",
    "clew/lab/report/page.html",
    "clew/lab/report/page.css",
    "clew/lab/report/page.js",
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def size_tool() -> dict[str, Any]:
    return runpy.run_path(str(TOOL))


@pytest.fixture(scope="module")
def wheel(size_tool: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = size_tool["built_wheel"](tmp_path_factory.mktemp("wheel"))
    return path


def test_the_wheel_holds_all_files_of_the_package(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    source = ROOT / "src"
    files = (path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    expected = {path.relative_to(source).as_posix() for path in files}
    assert expected <= inside
    assert set(DATA) <= inside
    manual = f"clew_crawler-{__version__}.data/data/share/man/man1/clew.1"
    assert manual in inside
    inside.remove(manual)
    assert {name.partition("/")[0] for name in inside} == {"clew", f"clew_crawler-{__version__}.dist-info"}


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        metadata = archive.read(f"clew_crawler-{__version__}.dist-info/METADATA").decode()
    head = metadata.partition("\n\n")[0].splitlines()
    assert f"Version: {__version__}" in head
    assert "Requires-Python: >=3.11" in head
    assert "Provides-Extra: all" in head


def test_a_plain_installation_is_small_and_crawls(size_tool: dict[str, Any], wheel: Path, tmp_path: Path) -> None:
    python = size_tool["installed"](wheel, [], tmp_path / "venv")
    assert sum(size_tool["sizes"](python).values()) < size_tool["LIMIT_MB"]
    command = [python, "-m", "clew", "demo", "--size", "500", "--pages", "40", "--quiet", "--folder", "demo"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "pip install 'clew-crawler[plots]'" in done.stdout


def test_the_tool_can_be_asked_for_help() -> None:
    done = subprocess.run([sys.executable, str(TOOL), "--help"], capture_output=True, text=True, check=True)
    assert "--limit" in done.stdout
