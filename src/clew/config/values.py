"""Checks that plain values have the type of their setting, and writes them as TOML."""

from __future__ import annotations

import json
import math
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from clew.errors import ConfigError

NONE: Final = "none"
"""How a limit that is switched off is written: TOML has no null."""

_TYPE_NAMES: Final = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}


def fitted(name: str, value: Any, hint: Any, minimum: float = 0) -> Any:
    """Return the value in the type of its setting, or raise an error that says what is wrong with it.

    >>> fitted("delay", 2, float), fitted("pages", "none", int | None), fitted("seeds", "a", tuple[str, ...])
    (2.0, None, ('a',))
    >>> fitted("pages", 0, int, minimum=1)
    Traceback (most recent call last):
    clew.errors.ConfigError: pages must be at least 1, not 0
    """
    origin = get_origin(hint)
    choices = get_args(hint)
    if origin in (Union, UnionType):
        if value in (None, NONE) and type(None) in choices:
            return None
        # A setting may take a number or one of a few words.
        words = [word for choice in choices if get_origin(choice) is Literal for word in get_args(choice)]
        return value if value in words else fitted(name, value, choices[0], minimum)
    if origin is Literal:
        if value in choices:
            return value
        raise ConfigError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    if origin is tuple:
        return _strings(name, value)
    # To Python, True is an int; as a number of pages it can only be a mistake.
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint in (int, float) and is_number and isinstance(value, (int, hint)):
        return _in_range(name, hint(value), minimum)
    if hint in (str, bool) and isinstance(value, hint):
        return value
    raise ConfigError(f"{name} must be {_TYPE_NAMES[hint]}, not {value!r}")


def written(value: Any) -> str:
    """Return a value as TOML; `fitted` accepts what TOML makes of it.

    >>> written(None), written(("a", "b"))
    ('"none"', '["a", "b"]')
    """
    if isinstance(value, tuple):
        return f"[{', '.join(map(written, value))}]"
    text = json.dumps(NONE if value is None else value, ensure_ascii=False)
    # JSON leaves DEL as it is, but TOML does not allow it in a string.
    return text.replace("\x7f", "\\u007f")


def _strings(name: str, value: Any) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if isinstance(items, (list, tuple)) and all(isinstance(item, str) for item in items):
        return tuple(items)
    raise ConfigError(f"{name} must be a list of strings, not {value!r}")


def _in_range(name: str, value: Any, minimum: float) -> Any:
    if not math.isfinite(value):
        raise ConfigError(f"{name} must be finite, not {value}")
    if value < minimum:
        raise ConfigError(f"{name} must be at least {minimum:g}, not {value}")
    return value
