"""The commands of `clew`: every module in this folder is one."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from typing import Protocol, cast


class Command(Protocol):
    """What a module in this folder must have; its docstring is the text of `--help`."""

    EXAMPLES: str

    def flags(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's own arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Run the command and return its exit code."""
        ...


def commands() -> dict[str, Command]:
    """Return every command by name.

    >>> "crawl" in commands()
    True
    """
    # The folder is the registry: to add a command is to add a file.
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: cast(Command, importlib.import_module(f"{__name__}.{name}")) for name in names}
