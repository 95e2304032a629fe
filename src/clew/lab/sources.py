"""A digest of the code on which a result depends, so that cached results of changed code are not used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import clew
from clew.strategies import find

ENGINE: Final = "clew.lab.trial"  # imports everything that takes part in a trial, except the strategy
EXCLUDED: Final = ("clew.fetch.", "clew.labyrinth.")  # no trial calls them; what they make is in the world's digest
POLITENESS: Final = "clew.fetch.politeness"  # but this, with live manners
LIBRARIES: Final = ("numpy",)
DATA_FILES: Final = ("*.json", "*.npz")
_IMPORT: Final = re.compile(r"^ *from (clew[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


@cache
def digest(recipe: str) -> str:
    """A digest of the strategy's module, the engine and the judges, with every module of clew that these import.

    So only the strategy that was changed runs again, while a change of the engine reruns everything.
    """
    strategy = find(recipe.partition("(")[0].strip()).__module__
    modules = {**closure(ENGINE), **closure(strategy)}
    libraries = [_version(name) for name in LIBRARIES]
    return blake2b(repr((sorted(modules.items()), libraries)).encode(), digest_size=12).hexdigest()


def _version(library: str) -> str:
    """The version of a library; "" for an optional one that is not installed."""
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


@cache
def closure(module: str) -> dict[str, str]:
    """A module and all of clew that it imports, each with the digest of its source and of the data beside it."""
    digests: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in digests or (f"{name}.".startswith(EXCLUDED) and name != POLITENESS):
            continue
        path = _file(name)
        if path is None:
            continue
        source = path.read_bytes()
        digests[name] = blake2b(source + _data_beside(path), digest_size=12).hexdigest()
        waiting += _imports(source.decode())
    return digests


def _data_beside(path: Path) -> bytes:
    """The content of the data files in a module's folder: the module may read any of them."""
    data = b""
    for pattern in DATA_FILES:
        data += b"".join(map(Path.read_bytes, sorted(path.parent.glob(pattern))))
    return data


def _imports(source: str) -> Iterator[str]:
    # The imports are read from the text, not executed: strategies load each other by name only, so the code of one
    # strategy never becomes part of another's digest.
    for module, names in _IMPORT.findall(source):
        # The names of `clew` itself are for users; following them would lead everywhere.
        if module != "clew":
            yield module
        # An imported name may be a module of its own.
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))


@cache
def _file(module: str) -> Path | None:
    """The file of a module; None if the name is that of something inside a module."""
    top, *inner = module.split(".")
    if top != clew.__name__:
        spec = find_spec(module)
        return Path(spec.origin) if spec and spec.origin else None
    path = Path(clew.__path__[0]).joinpath(*inner)
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None
