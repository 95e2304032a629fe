"""A cache of arrays that are expensive to compute: one file for each set of inputs."""

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

ABANDONED_AFTER_SECONDS: Final = 3600.0  # an unfinished file of this age has no writer any more


def folder() -> Path:
    """The folder of the files: CLEW_CACHE, or else a folder in the user's cache."""
    if configured := os.environ.get("CLEW_CACHE"):
        return Path(configured)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clew"


def cached(
    name: str, place: tuple[object, ...], inputs: tuple[object, ...], make: Callable[[], dict[str, NDArray[Any]]]
) -> Arrays:
    """The arrays of these inputs, computed at most once; arrays of earlier inputs of the same place are deleted."""
    label = re.sub(r"[^A-Za-z0-9_-]+", "-", name)
    for path in sorted(folder().glob(f"{label}-*-{key(inputs)}.npz")):
        # A damaged file is as good as none: the arrays are computed again.
        with suppress(OSError, ValueError, EOFError, zipfile.BadZipFile):
            return _read(path)
    arrays = make()
    prefix = f"{label}-{_short(place)}"
    # If the disk is full or read-only, the next run computes the arrays again.
    with suppress(OSError):
        _write(folder() / f"{prefix}-{key(inputs)}.npz", arrays)
        _tidy(prefix, key(inputs))
    return arrays


def key(inputs: tuple[object, ...]) -> str:
    """The name of what the parser makes of these inputs."""
    # With the versions of the format and of the parser: files that older code wrote are not found any more.
    return _short((FORMAT, VERSION, *inputs))


def digest(path: Path) -> str:
    """The digest of a file's content."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error


def _short(content: object) -> str:
    return blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _tidy(prefix: str, current: str) -> None:
    """Delete the earlier files of the same place, and unfinished files of processes that were killed."""
    for path in folder().glob(f"{prefix}-*.npz"):
        if current not in path.name:
            path.unlink(missing_ok=True)
    for path in folder().glob("*.part"):
        if time.time() - path.stat().st_mtime > ABANDONED_AFTER_SECONDS:
            path.unlink(missing_ok=True)


def _read(path: Path) -> Arrays:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


def _write(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Renamed when it is complete: other processes never read half a file.
    unfinished = path.with_suffix(f".{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]  # its stubs know no keywords but allow_pickle
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
