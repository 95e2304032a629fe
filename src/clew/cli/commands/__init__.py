"""One file for each command; this folder is the registry."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from typing import Protocol, cast


class Command(Protocol):
    """What a file of this folder offers; its docstring is the command's description."""

    EXAMPLES: str

    def flags(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit code."""
        ...


def commands() -> dict[str, Command]:
    """Every command by name.

    >>> "crawl" in commands()
    True
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: cast(Command, importlib.import_module(f"{__name__}.{name}")) for name in names}
