"""Starts crawls as processes of their own, which survive the service."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from clew import config as settings_of
from clew.config import Config, configure
from clew.errors import ConfigError, StoreError
from clew.serve.data.crawl_folders import LOG
from clew.serve.data.summary import last_words
from clew.store.whole import databases

SETTINGS_FILE: Final = "start.toml"
"""The settings with which the service started a crawl; the crawl writes its own file."""
WAIT_SECONDS: Final = 20.0
LOOK_SECONDS: Final = 0.1
MAX_NAME: Final = 60
_NAME: Final = re.compile(r"[^\W_][\w .-]*")


def start(home: Path, config: Config, name: str = "") -> Path:
    """Start a crawl in a new folder below `home`; return when it runs, or say why it does not."""
    folder = new_folder(home, name or config.what.interest, is_chosen=bool(name))
    config = configure(config, folder=str(folder))
    settings_of.write(config, folder / SETTINGS_FILE)
    process = spawn(folder, ["crawl", "--config", str(folder / SETTINGS_FILE), "--quiet"])
    wait_until(process, folder, lambda: bool(databases(folder)))
    return folder


def resume(folder: Path, flags: Sequence[str] = ()) -> None:
    """Let a crawl that is stopped go on."""
    spawned_at = time.time()
    process = spawn(folder, ["resume", str(folder), "--quiet", *flags])

    def has_begun() -> bool:
        logs = [path.with_name(f"{path.name}-wal") for path in databases(folder)]
        return any(log.is_file() and log.stat().st_mtime > spawned_at for log in logs)

    wait_until(process, folder, has_begun)


def spawn(folder: Path, words: Sequence[str]) -> subprocess.Popen[bytes]:
    """Run a command of clew that outlives this process and writes to the log of the folder."""
    with (folder / LOG).open("ab") as log:
        # A session of its own: Ctrl-C and the end of the service are not meant for it.
        process = subprocess.Popen(
            [sys.executable, "-m", "clew", *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    # Somebody must wait for a child, or its entry stays in the table of processes.
    threading.Thread(target=process.wait, daemon=True).start()
    return process


def wait_until(process: subprocess.Popen[bytes], folder: Path, has_begun: Callable[[], bool]) -> None:
    """Wait a while until a crawl has begun; ConfigError with its own words if it ended before."""
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        if process.poll():
            why = last_words(folder) or f"it ended with code {process.returncode}"
            _forget(folder)
            raise ConfigError(f"the crawl could not begin: {why.removeprefix('clew: ')}")
        if process.poll() == 0 or has_begun():
            return
        time.sleep(LOOK_SECONDS)


def new_folder(home: Path, name: str, is_chosen: bool) -> Path:
    """A new folder below `home`; a name that nobody chose gets a number if it is taken."""
    if is_chosen and (not _NAME.fullmatch(name) or len(name) > MAX_NAME):
        raise ConfigError(f"a name has letters, digits, blanks, '.', '-' and '_', at most {MAX_NAME}: {name!r} has not")
    short = name if is_chosen else re.sub(r"\W+", "-", name.lower()).strip("-")[:MAX_NAME] or "crawl"
    folder = home / short
    number = 1
    while folder.exists():
        if is_chosen:
            raise ConfigError(f"there is a crawl named {name!r} already; choose another name")
        number += 1
        folder = home / f"{short}-{number}"
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise StoreError(f"cannot make the folder {folder}: {error.strerror}") from error
    return folder


def _forget(folder: Path) -> None:
    """Remove the folder of a crawl that never began, unless it holds more than its settings and its log."""
    if databases(folder):
        return
    for name in (SETTINGS_FILE, LOG):
        (folder / name).unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()
