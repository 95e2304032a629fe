from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys

from clew.cli.main import main


def opened(*flags: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-u", "-m", "clew", "labyrinth", "--pages", "200", *flags]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def closed(process: subprocess.Popen[str]) -> tuple[int, str]:
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=20)[1]
    return process.returncode, err


def test_it_says_how_to_crawl_it_and_that_works(tmp_path: object) -> None:
    process = opened("--quiet")
    try:
        words = shlex.split(process.stdout.readline())  # type: ignore[union-attr]
        assert words[0] == "clew"
        assert main([*words[1:], "--pages", "5", "--quiet", "--folder", f"{tmp_path}/c"]) == 0
    finally:
        assert closed(process) == (0, "")


def test_it_tells_machines_where_it_is() -> None:
    process = opened("--json")
    try:
        data = json.loads(process.stdout.readline())  # type: ignore[union-attr]
        assert str(data["port"]) in data["resolve"]
        assert data["seeds"]
    finally:
        assert closed(process) == (0, "")
