from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from clew.errors import StrategyError
from clew.strategies import Strategy, find, make, names
from clew.strategies.best_first import BestFirst
from clew.strategies.shark import Shark


def test_the_folder_is_the_registry() -> None:
    folder = Path(sys.modules["clew.strategies"].__path__[0])
    modules = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    assert modules <= set(names())
    assert names() == sorted(names())


@pytest.mark.parametrize("name", names())
def test_a_class_is_named_as_its_module(name: str) -> None:
    assert find(name).__name__.lower() == name.replace("_", "")  # PageRank, InfoSpiders
    assert isinstance(make(name), Strategy)


def test_parameters_in_the_name() -> None:
    assert make("best_first(n=8)") == BestFirst(n=8)
    assert make(" shark( gamma=0.1, depth=3 ) ") == Shark(gamma=0.1, depth=3)
    assert make("shark(depth=None, delta=1)") == Shark(delta=1)
    assert make("best_first()") == BestFirst()


def test_a_made_strategy_stays_as_it_is() -> None:
    mine = BestFirst(n=3)
    assert make(mine) is mine


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("best-first", "there is no strategy 'best-first'; did you mean 'best_first'"),
        ("best_frist(n=2)", "did you mean 'best_first'"),
        ("", "there is no strategy ''; there are: "),
        ("best_first(m=2)", r"no parameter 'm': best_first\(n: int = 1\)"),
        ("best_first(left=2)", "no parameter 'left'"),
        ("best_first(n='2')", r"n cannot be '2': best_first\(n: int = 1\)"),
        ("best_first(n=True)", "n cannot be True"),
        ("best_first(n=1.5)", "n cannot be 1.5"),
        (
            "shark(depth='x')",
            r"depth cannot be 'x': shark\(delta: float = 0.5, .*depth: int \| None = None\)",
        ),
        ("best_first(8)", r"write a name, or best_first\(n: int = 1\)"),
        ("best_first(**{'n': 8})", "cannot read"),
        ("best_first(n=open('x'))", "cannot read"),
        ("best_first(n=8", "cannot read"),
        ("best_first(n=8).start(None)", "cannot read"),
        ("best_first(n=0)", "at least 1"),
    ],
)
def test_what_cannot_be_made_is_explained(spec: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        make(spec)


def install(folder: Path, value: str) -> None:
    """A package of somebody else with an entry point, as an installer would leave it."""
    info = folder / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[clew.strategies]\nother_way = {value}\n")
    (folder / "other_package.py").write_text(
        "from clew.strategies import Strategy\nclass OtherWay(Strategy):\n    pass\nclass NoStrategy:\n    pass\n"
    )
    importlib.invalidate_caches()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "other_package", raising=False)
    return tmp_path


def test_other_packages_can_bring_strategies(elsewhere: Path) -> None:
    install(elsewhere, "other_package:OtherWay")
    assert "other_way" in names()
    assert find("other_way").__name__ == "OtherWay"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("other_package:Missing", "cannot be loaded"),
        ("no_such_package:Way", "cannot be loaded"),
        ("other_package:NoStrategy", "is no subclass of clew.Strategy"),
    ],
)
def test_a_broken_package_is_named(elsewhere: Path, value: str, message: str) -> None:
    install(elsewhere, value)
    with pytest.raises(StrategyError, match=message):
        find("other_way")
