"""Plain values as the types that settings have, and as TOML writes them."""

from __future__ import annotations

import json
import math
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from clew.errors import ConfigError

NONE: Final = "none"
"""How a limit that is switched off is written: TOML has no null."""


def fitted(name: str, value: Any, hint: Any, least: float = 0) -> Any:
    """The value as the type that the setting wants, or one clear message.

    >>> fitted("delay", 2, float), fitted("pages", "none", int | None), fitted("seeds", "a", tuple[str, ...])
    (2.0, None, ('a',))
    >>> fitted("pages", 0, int, least=1)
    Traceback (most recent call last):
    clew.errors.ConfigError: pages must be at least 1 and finite, but is 0
    """
    origin, choices = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return None if value in (None, NONE) else fitted(name, value, choices[0], least)
    if origin is Literal:
        if value in choices:
            return value
        raise ConfigError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    if origin is tuple:
        return _strings(name, value)
    if hint in (int, float) and isinstance(value, (int, hint)) and not isinstance(value, bool):
        return _in_range(name, hint(value), least)
    if hint in (str, bool) and isinstance(value, hint):
        return value
    raise ConfigError(f"{name} must be a {hint.__name__}, not {value!r}")


def written(value: Any) -> str:
    """A value in TOML, which `fitted` takes back.

    >>> written(None), written(("a", "b"))
    ('"none"', '["a", "b"]')
    """
    if isinstance(value, tuple):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(NONE if value is None else value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _strings(name: str, value: Any) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if isinstance(items, (list, tuple)) and all(isinstance(item, str) for item in items):
        return tuple(items)
    raise ConfigError(f"{name} must be a list of strings, not {value!r}")


def _in_range(name: str, value: Any, least: float) -> Any:
    if not least <= value < math.inf:
        raise ConfigError(f"{name} must be at least {least} and finite, but is {value}")
    return value
