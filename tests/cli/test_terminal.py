from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli import terminal
from clew.types import Link, Stats


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x9b31m", "a\rb", "‮evil", "\x00", "\x07"])
def test_no_control_character_reaches_the_terminal(hostile: str) -> None:
    shown = terminal.clean(f"before {hostile} after")
    assert shown.isprintable()
    assert shown.startswith("before")
    assert shown.endswith("after")


def test_brackets_are_text_and_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.out().print(terminal.words("[bold]x[/bold]"))
    assert capsys.readouterr().out.strip() == "[bold]x[/bold]"


def test_json_takes_everything_we_have(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.dump({"stats": Stats(best=float("-inf")), "link": Link("a", "b"), "path": Path("x"), "ä": [(1, 2)]})
    data = json.loads(capsys.readouterr().out)
    assert data["stats"]["best"] is None
    assert data["link"]["url"] == "b"
    assert (data["path"], data["ä"]) == ("x", [[1, 2]])


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0 %"), (0.001, "0.1 %"), (0.0999, "10 %"), (0.5, "50 %"), (1, "100 %")]
)
def test_percent(share: float, text: str) -> None:
    assert terminal.percent(share) == text


def test_size_at_the_edges() -> None:
    assert [terminal.size(n) for n in (0, 1, 999, 1000, 10**16)] == [
        "0 bytes",
        "1 bytes",
        "999 bytes",
        "1.0 kB",
        "10000.0 TB",
    ]
