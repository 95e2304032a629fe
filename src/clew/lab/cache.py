"""Arrays that were dear to make, kept in one file for each set of inputs."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.lab.packing import FORMAT, Arrays
from clew.parse import VERSION


def folder() -> Path:
    """Where the files are: CLEW_CACHE, else clew's place in the user's cache."""
    if given := os.environ.get("CLEW_CACHE"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clew"


def cached(name: str, inputs: tuple[object, ...], make: Callable[[], dict[str, NDArray[Any]]]) -> Arrays:
    """The arrays of these inputs, made at most once for each version of the parser."""
    key = blake2b(repr((FORMAT, VERSION, *inputs)).encode(), digest_size=12).hexdigest()
    path = folder() / f"{re.sub(r'[^A-Za-z0-9_-]+', '-', name)}-{key}.npz"
    with suppress(OSError, ValueError, EOFError, zipfile.BadZipFile):  # a damaged file is made again
        return _read(path)
    arrays = make()
    with suppress(OSError):  # no room, or no right to write: the next run parses again
        _write(path, arrays)
    return arrays


def digest(path: Path) -> str:
    """The name of a file's content."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


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
