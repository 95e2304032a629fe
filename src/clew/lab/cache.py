"""Arrays that were dear to make, kept in one file for each set of inputs."""

from __future__ import annotations

import os
import re
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.errors import ConfigError
from clew.lab.packing import FORMAT, Arrays
from clew.parse import VERSION

ABANDONED: Final = 3600.0  # seconds after which nobody is still writing a file


def folder() -> Path:
    """Where the files are: CLEW_CACHE, else clew's place in the user's cache."""
    if given := os.environ.get("CLEW_CACHE"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clew"


def cached(
    name: str, place: tuple[object, ...], inputs: tuple[object, ...], make: Callable[[], dict[str, NDArray[Any]]]
) -> Arrays:
    """The arrays of these inputs, made at most once; those of earlier inputs at the same place are deleted."""
    label = re.sub(r"[^A-Za-z0-9_-]+", "-", name)
    for path in sorted(folder().glob(f"{label}-*-{key(inputs)}.npz")):
        with suppress(OSError, ValueError, EOFError, zipfile.BadZipFile):  # a damaged file is made again
            return _read(path)
    arrays, lot = make(), f"{label}-{_short(place)}"
    with suppress(OSError):  # no room, or no right to write: the next run parses again
        _write(folder() / f"{lot}-{key(inputs)}.npz", arrays)
        _tidy(lot, key(inputs))
    return arrays


def key(inputs: tuple[object, ...]) -> str:
    """The name of what the parser makes of these inputs."""
    return _short((FORMAT, VERSION, *inputs))


def digest(path: Path) -> str:
    """The name of a file's content."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error


def _short(content: object) -> str:
    return blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _tidy(lot: str, current: str) -> None:
    """Delete what was at the same place before, and what a process that was killed has left unfinished."""
    for path in folder().glob(f"{lot}-*.npz"):
        if current not in path.name:
            path.unlink(missing_ok=True)
    for path in folder().glob("*.part"):
        if time.time() - path.stat().st_mtime > ABANDONED:
            path.unlink(missing_ok=True)


def _read(path: Path) -> Arrays:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


def _write(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]  # its stubs know no keywords but allow_pickle
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
