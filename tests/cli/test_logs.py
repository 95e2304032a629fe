"""`--verbose` and `--log-file`: what is logged, where, and that a live view survives it."""

from __future__ import annotations

import argparse
import io
import logging
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.live import Live

from clew.cli.logs import logging_for
from clew.cli.main import build_parser, main
from clew.errors import ConfigError

Capture = pytest.CaptureFixture[str]
ENGINE = logging.getLogger("clew.engine")


def flags(verbose: int = 0, log_file: Path | None = None) -> argparse.Namespace:
    return argparse.Namespace(verbose=verbose, log_file=log_file and str(log_file))


def speak() -> None:
    ENGINE.debug("a detail")
    ENGINE.info("an event")
    ENGINE.warning("a warning")


@pytest.mark.parametrize(("verbose", "levels"), [(0, []), (1, ["INFO", "WARNING"]), (2, ["DEBUG", "INFO", "WARNING"])])
def test_each_v_shows_more(capsys: Capture, verbose: int, levels: list[str]) -> None:
    with logging_for(flags(verbose)):
        speak()
    lines = capsys.readouterr().err.splitlines()
    if verbose:
        assert [line.split()[1] for line in lines] == levels
        assert all(re.match(r"\d\d:\d\d:\d\d [A-Z]+ clew\.engine: a", line) for line in lines)
    else:
        assert lines == ["warning: a warning"]


def test_many_warnings_become_two_lines(tmp_path: Path, capsys: Capture) -> None:
    with logging_for(flags()):
        for number in range(3):
            ENGINE.warning("sink %d failed", number)
    assert capsys.readouterr().err == "warning: sink 0 failed\n2 more warnings; --verbose shows all\n"
    with logging_for(flags(log_file=tmp_path / "clew.log")):
        ENGINE.warning("first")
        ENGINE.warning("second")
    assert f"1 more warning; all are in {tmp_path / 'clew.log'}\n" in capsys.readouterr().err


def test_a_warning_is_shown_at_once_even_if_another_part_was_first(capsys: Capture) -> None:
    with logging_for(flags()):
        ENGINE.warning("a sink failed")
        logging.getLogger("clew.store").warning("an answer is lost")
        assert capsys.readouterr().err == "warning: a sink failed\nwarning: an answer is lost\n"


def test_a_log_file_has_every_detail_with_a_time_stamp_and_is_continued(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "clew.log"
    for _ in range(2):
        with logging_for(flags(log_file=file)):
            speak()
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 6
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} DEBUG clew\.engine: a detail", lines[0])
    assert capsys.readouterr().err == "warning: a warning\n" * 2


def test_afterwards_everything_is_as_before(tmp_path: Path) -> None:
    logger = logging.getLogger("clew")
    before = (list(logger.handlers), logger.level)
    with logging_for(flags(2, tmp_path / "clew.log")):
        assert len(logger.handlers) == len(before[0]) + 2
    assert (list(logger.handlers), logger.level) == before


def test_strangers_cannot_forge_lines_or_steer_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "clew.log"
    with logging_for(flags(log_file=file)):
        ENGINE.info("title %s", "\x1b[2Jevil\n2026-01-01 INFO clew.engine: forged")
        try:
            raise ValueError("bad\x07")
        except ValueError:
            ENGINE.exception("failed")
    text = file.read_text(encoding="utf-8")
    assert text.count("INFO") == 2
    assert len(re.findall(r"^\d{4}-.* INFO", text, re.M)) == 1
    assert "Traceback (most recent call last):\n  File" in text
    assert not set(text) & {"\x1b", "\x07"}


def test_log_lines_appear_above_a_live_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich erases and redraws its view around them; a line written straight to the terminal would tear it."""
    terminal = io.StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    console = Console(stderr=True, force_terminal=True, width=80)
    with logging_for(flags(1)), Live("the view", console=console, transient=True, auto_refresh=False) as live:
        live.refresh()
        ENGINE.info("an event")
    shown = terminal.getvalue()
    assert re.search(r"\x1b\[2K.*INFO clew\.engine: an event\n.*the view", shown, re.S)
    assert shown.count("an event") == 1


def test_a_log_file_that_cannot_be_written(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigError, match="cannot write the log file"),
        logging_for(flags(log_file=tmp_path / "no" / "x")),
    ):
        pass


@pytest.mark.parametrize(
    "command", ["crawl x", "resume f", "recrawl f", "lab compare shark", "lab run experiment.toml"]
)
def test_every_command_that_crawls_has_the_flags(command: str) -> None:
    args = build_parser().parse_args([*command.split(), "-vv", "--log-file", "clew.log"])
    assert (args.verbose, args.log_file) == (2, "clew.log")


def test_the_trials_of_a_comparison_are_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    words = "lab compare shark --world labyrinth:300 --topics 1 --distance 0 --budget 10 --jobs 1 --quiet -v"
    assert main(words.split()) == 0
    assert capsys.readouterr().err.count("INFO clew.lab: done: ") == 2


def test_a_sink_that_fails_is_reported_without_any_flag(
    web: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "my_sinks.py").write_text("def broken(page, doc):\n    raise ValueError('oh')\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert web.crawl(tmp_path / "c", "--pages", "10", "--sinks", "my_sinks:broken", "--quiet") == 0
    message = capsys.readouterr().err
    assert message.startswith("warning: sink ")
    assert "ValueError: oh\n" in message
    assert message.endswith("--verbose shows all\n")


def test_a_crawl_can_be_logged(web: Any, tmp_path: Path) -> None:
    assert web.crawl(tmp_path / "c", "--pages", "5", "--quiet", "--log-file", str(tmp_path / "clew.log")) == 0
    assert (tmp_path / "clew.log").exists()
