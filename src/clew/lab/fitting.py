"""Plain values from a TOML file or from Python, brought into the form that an experiment has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from clew.config import unknown
from clew.errors import ConfigError

Fit = Callable[[str, Any], Any]


def one(kind: type, least: int = 0) -> Fit:
    """A single value.

    >>> one(int, 1)("sets", 0)
    Traceback (most recent call last):
    clew.errors.ConfigError: sets must be at least 1, not 0
    """

    def fit(name: str, value: Any) -> Any:
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ConfigError(f"{name} must be a {kind.__name__}, not {value!r}")
        if isinstance(value, int) and value < least:
            raise ConfigError(f"{name} must be at least {least}, not {value}")
        return value

    return fit


def numbers(least: int) -> Fit:
    """Whole numbers, or one.

    >>> numbers(1)("budgets", 500)
    (500,)
    """
    return lambda name, value: tuple(one(int, least)(name, item) for item in many(name, value))


def switches(name: str, value: Any) -> tuple[bool, ...]:
    """True or false, or both to compare them.

    >>> switches("link_source", True)
    (True,)
    """
    found = many(name, value)
    if wrong := [item for item in found if not isinstance(item, bool)]:
        raise ConfigError(f"{name} must be true or false, or both in a list, not {wrong[0]!r}")
    return tuple(found)


def names(check: Callable[[str], None] = lambda name: None) -> Fit:
    """Names, or one; `check` complains about those that nobody knows."""

    def fit(name: str, value: Any) -> tuple[str, ...]:
        found = tuple(one(str)(name, item) for item in many(name, value))
        for item in found:
            check(item)
        return found

    return fit


def recipes(name: str, value: Any) -> tuple[tuple[str, str], ...]:
    """Strategies as they are called and made; a name alone is both.

    >>> recipes("strategies", ["shark", {"name": "gentle", "spec": "shark(gamma=0.1)"}])
    (('shark', 'shark'), ('gentle', 'shark(gamma=0.1)'))
    """
    found = tuple(_recipe(name, item) for item in many(name, value))
    called = [pair[0] for pair in found]
    if double := next((item for item in called if called.count(item) > 1), None):
        raise ConfigError(f"two strategies are called {double!r}; give one of them another name")
    return found


def wanted_topics(name: str, value: Any) -> Any:
    """A number, names or formulas, or a table of these by world."""
    if isinstance(value, Mapping):
        return {str(world): wanted_topics(f"{name}.{world}", topics) for world, topics in value.items()}
    if isinstance(value, int):
        return one(int, 1)(name, value)
    if isinstance(value, str | list | tuple):
        return names()(name, value)
    raise ConfigError(f"{name} must be a number, a list of topics, or a table of these for each world, not {value!r}")


def many(name: str, value: Any) -> list[Any]:
    """A list without repetitions; a single value is a list of one."""
    items = list(value) if isinstance(value, list | tuple | range) else [value]
    if not items:
        raise ConfigError(f"{name} is an empty list")
    return [item for place, item in enumerate(items) if item not in items[:place]]


def _recipe(name: str, item: Any) -> tuple[str, str]:
    if isinstance(item, str):
        return item, item
    if not isinstance(item, Mapping):
        raise ConfigError(f'{name} holds names and tables {{name = "…", spec = "…"}}, not {item!r}')
    for key in item:
        if key not in ("name", "spec"):
            raise ConfigError("strategies: " + unknown("key", key, ["name", "spec"]))
    if not isinstance(item.get("spec"), str) or not isinstance(item.get("name", ""), str):
        raise ConfigError(f'a strategy as a table needs a spec: {{name = "gentle", spec = "shark(gamma=0.1)"}}: {item}')
    return item.get("name") or item["spec"], item["spec"]
