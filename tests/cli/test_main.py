from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from clew import __version__
from clew.cli.commands import commands
from clew.cli.main import build_parser, main
from clew.strategies import make, names

Capture = pytest.CaptureFixture[str]


def failed(capsys: Capture, *argv: str, code: int = 1) -> str:
    """The message on stderr of a command that must fail, without a traceback."""
    assert main(argv) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("clew: ")
    assert "Traceback" not in captured.err
    return captured.err


@pytest.mark.parametrize("name", commands())
def test_help_of_every_command_has_an_example_and_the_common_flags(name: str, capsys: Capture) -> None:
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"\n  clew {name}" in text.partition("examples:")[2]
    assert "--json" in text
    assert "--quiet" in text


SUBCOMMANDS = ["lab worlds", "lab compare", "lab run", "lab gate", "topics test"]


@pytest.mark.parametrize("command", [*commands(), *SUBCOMMANDS])
def test_help_fits_into_a_terminal_of_100_columns(
    command: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main([*command.split(), "--help"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 99] == []


def test_resume_shows_no_defaults_because_the_crawl_has_its_own_settings(capsys: Capture) -> None:
    assert main(["resume", "--help"]) == 0
    assert "default: 1000" not in capsys.readouterr().out


def test_every_command_is_named_in_the_help() -> None:
    text = build_parser().format_help()
    wanted = {"crawl", "resume", "status", "explain", "strategies", "topics", "export", "labyrinth", "demo"}
    assert wanted <= set(commands())
    assert all(name in text for name in wanted)


def test_module_and_version() -> None:
    run = subprocess.run([sys.executable, "-m", "clew", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"clew {__version__}\n"


def test_help_imports_neither_engine_nor_matplotlib() -> None:
    code = (
        "import sys; from clew.cli.main import main; main(['crawl', '--help']);"
        "sys.exit(any(m in sys.modules for m in ('clew.api', 'matplotlib', 'sklearn', 'aiohttp')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_nothing_shows_the_help(capsys: Capture) -> None:
    assert main([]) == 2
    assert "COMMAND" in capsys.readouterr().err


def test_unknown_command_names_the_nearest(capsys: Capture) -> None:
    assert "did you mean crawl?" in failed(capsys, "crwl", code=2)


@pytest.mark.parametrize(("flag", "near"), [("--page", "--pages"), ("--max_depth=3", "--max-depth")])
def test_unknown_flag_names_the_nearest(capsys: Capture, flag: str, near: str) -> None:
    assert f"did you mean {near}?" in failed(capsys, "crawl", "x", flag, "5", code=2)


def test_flags_are_never_guessed(capsys: Capture) -> None:
    assert "there is no flag --strat" in failed(capsys, "crawl", "x", "--strat", "fish", code=2)


def test_formula_without_quotes(capsys: Capture) -> None:
    assert "quotes" in failed(capsys, "crawl", "sailing", "AND", "ruegen", code=2)


def test_not_a_number(capsys: Capture) -> None:
    message = failed(capsys, "crawl", "x", "--pages", "many", code=2)
    assert "argument --pages: 'many' is not a whole number or 'none'" in message


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "what you are interested in"),
        (("sailing",), "at least one start page"),
        (("--seeds", "http://a.example/", "sailing"), "put the formula before --seeds"),
        (("sailing", "--config", "nothing.toml"), "there is no file nothing.toml"),
        (("sailing", "-s", "http://a.example/", "--pages", "-5"), "pages must be at least 1"),
    ],
)
def test_incomplete_crawls_are_reported_before_they_begin(capsys: Capture, argv: tuple[str, ...], message: str) -> None:
    assert message in failed(capsys, "crawl", *argv)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pages: 5", "is not a TOML file"),
        ("page = 5", "did you mean 'pages'?"),
        ("pages = 'x'", "must be a whole number"),
    ],
)
def test_bad_files_are_reported(capsys: Capture, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "clew.toml"
    file.write_text(text, encoding="utf-8")
    assert message in failed(capsys, "crawl", "x", "-c", str(file))


def test_our_own_mistakes_are_ours(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("clew.cli.commands.strategies.run", broken)
    message = failed(capsys, "strategies")
    assert "ZeroDivisionError: oh" in message
    assert "report it" in message
    monkeypatch.setenv("CLEW_DEBUG", "1")
    assert main(["strategies"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_interrupt_leaves_at_once_with_130() -> None:
    code = (
        "from clew.cli import main; from clew.cli.commands import strategies\n"
        "def run(args): raise KeyboardInterrupt\n"
        "strategies.run = run; main.main(['strategies'])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 130
    assert "clew resume" in run.stderr


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m clew strategies --quiet | true"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert run.stderr == ""


@pytest.mark.parametrize("name", names())
def test_the_example_of_a_strategy_can_be_pasted(name: str, capsys: Capture) -> None:
    assert main(["strategies", name]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    if last.startswith("clew crawl"):
        assert repr(make(shlex.split(last)[-1])) == repr(make(name))
