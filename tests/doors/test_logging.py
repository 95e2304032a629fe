"""The logger `clew`: silent by default, visits at DEBUG, the reason to stop at INFO."""

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import clew


def test_nothing_is_said_by_default(web: Any, tmp_path: Path) -> None:
    """In a process of its own, for pytest listens to all loggers. A warning would be shown by Python's last resort."""
    code = f"""
        import logging, clew

        def broken(page, doc):
            raise ValueError("no room")

        result = clew.crawl("sailing", {web.seeds}, sinks=[broken], **{web.settings(tmp_path / "c")!r})
        assert result.sink_errors["broken"] > 0
        assert [type(handler) for handler in logging.getLogger("clew").handlers] == [logging.NullHandler]
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_visits_are_details_and_the_end_is_an_event(web: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="clew"):
        clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "c"))
    details = [record.getMessage() for record in caplog.records if record.levelno == logging.DEBUG]
    events = [record.getMessage() for record in caplog.records if record.levelno == logging.INFO]
    with clew.Records(tmp_path / "c") as records:
        for record in records.pages():
            assert f"{record.state} {record.url} {record.reason}" in details
    assert events[-1] == "stopped: fetched 20 pages"
    assert all(record.name.startswith("clew.") for record in caplog.records)


def test_at_info_only_events_are_shown(web: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="clew"):
        clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "c"))
    assert {record.levelno for record in caplog.records} == {logging.INFO}
    assert any("stopped: fetched 20 pages" in record.getMessage() for record in caplog.records)


def test_one_part_can_be_quieted(web: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="clew"), caplog.at_level(logging.WARNING, logger="clew.engine"):
        clew.crawl("sailing", web.seeds, **web.settings(tmp_path / "c"))
    assert not [record for record in caplog.records if record.name == "clew.engine"]
