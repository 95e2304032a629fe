"""The code on which a result depends, as one digest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import clew
from clew.strategies import find

ENGINE: Final = "clew.lab.trial"  # imports all that takes part in a trial, but for the strategy
APART: Final = ("clew.fetch.", "clew.labyrinth.")  # no trial calls them, and what they made is in the world's digest
LIBRARIES: Final = ("numpy", "scikit-learn")
DATA: Final = ("*.json", "*.npz")
_IMPORT: Final = re.compile(r"^ *from (clew[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


@cache
def digest(recipe: str) -> str:
    """Of the strategy's module, of the engine and of the judges, with every module of clew that these import.

    So a strategy that was changed is run again and the others are not; whoever changes the engine runs all again.
    The imports are read, not made: other strategies are loaded by name only, and so are never among them.
    """
    strategy = find(recipe.partition("(")[0].strip()).__module__
    found = {**closure(ENGINE), **closure(strategy)}
    libraries = [version(name) for name in LIBRARIES]
    return blake2b(repr((sorted(found.items()), libraries)).encode(), digest_size=12).hexdigest()


@cache
def closure(module: str) -> dict[str, str]:
    """A module and all of clew that it imports, each with the digest of its source and of the data beside it."""
    found, waiting = dict[str, str](), [module]
    while waiting:
        name = waiting.pop()
        if name not in found and not f"{name}.".startswith(APART) and (path := _file(name)):
            source, data = path.read_bytes(), [beside for kind in DATA for beside in sorted(path.parent.glob(kind))]
            found[name] = blake2b(source + b"".join(map(Path.read_bytes, data)), digest_size=12).hexdigest()
            waiting += _imports(source.decode())
    return found


def _imports(source: str) -> Iterator[str]:
    for module, names in _IMPORT.findall(source):
        if module != "clew":  # its names are for users; to follow them would lead everywhere
            yield module
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))  # a name may be a module


@cache
def _file(module: str) -> Path | None:
    """Where a module is; None if it is the name of something inside one."""
    top, *inner = module.split(".")
    if top != clew.__name__:
        spec = find_spec(module)
        return Path(spec.origin) if spec and spec.origin else None
    place = Path(clew.__path__[0]).joinpath(*inner)
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
