"""Writes src/clew/config/typed.py: the settings as a TypedDict, so that type checkers know every keyword argument.

python tools/settings_types.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Union, get_args, get_origin

from clew.config.settings import HINTS, SETTINGS

TARGET = Path(__file__).parents[1] / "src" / "clew" / "config" / "typed.py"
OWN_ARGUMENTS = {"interest", "seeds", "strategy", "judge", "sinks", "stop_rules", "fetcher", "search_sources"}
HEAD = '''"""The settings as typed keyword arguments. Written by tools/settings_types.py: change settings.py instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from clew.config.settings import Topic


class Settings(TypedDict, total=False):
    """Every setting that `crawl`, `resume` and `simulate` take by name; each is described in `settings.py`."""

'''


def text() -> str:
    """The module as it should be."""
    names = [name for name in SETTINGS if name not in OWN_ARGUMENTS]
    lines = [f"    {name}: {_shown(HINTS[name])}\n" for name in names]
    return "".join([HEAD, *lines, "    topics: Mapping[str, Topic | Mapping[str, Any]]\n"])


def _shown(hint: object) -> str:
    if get_origin(hint) is Union:
        return " | ".join(map(_shown, get_args(hint)))
    shown = hint.__name__ if isinstance(hint, type) and not hasattr(hint, "__args__") else str(hint)
    shown = shown.replace("typing.", "").replace("tuple[str, ...]", "str | Sequence[str]").replace("'", '"')
    return shown.replace("NoneType", "None")


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text(encoding="utf-8") != text() and "config/typed.py is not what settings.py says")
    TARGET.write_text(text(), encoding="utf-8")
