"""Checks plain values from TOML or Python and converts them to the fields of an experiment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from clew.config import unknown
from clew.errors import ConfigError

Fit = Callable[[str, Any], Any]
RECIPE_KEYS: Final = ("name", "spec", "learned_from")


def one(kind: type, minimum: int = 0) -> Fit:
    """A check for a single value; numbers have a minimum.

    >>> one(int, 1)("sets", 0)
    Traceback (most recent call last):
    clew.errors.ConfigError: sets must be at least 1, not 0
    """

    def fit(name: str, value: Any) -> Any:
        # A bool is an int to Python, but `true` is never meant as a number.
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ConfigError(f"{name} must be a {kind.__name__}, not {value!r}")
        if isinstance(value, int) and value < minimum:
            raise ConfigError(f"{name} must be at least {minimum}, not {value}")
        return value

    return fit


def numbers(minimum: int, check_name: Callable[[str], object] | None = None) -> Fit:
    """A check for one whole number or a list of them; with `check_name` names may stand among them.

    >>> numbers(1)("budgets", 500)
    (500,)
    """
    number = one(int, minimum)

    def fit(name: str, value: Any) -> tuple[int | str, ...]:
        values = many(name, value)
        for item in values:
            if check_name and isinstance(item, str):
                check_name(item)
            else:
                number(name, item)
        return tuple(values)

    return fit


def switches(name: str, value: Any) -> tuple[bool, ...]:
    """True, false, or both in a list to compare them.

    >>> switches("link_source", True)
    (True,)
    """
    values = many(name, value)
    for item in values:
        if not isinstance(item, bool):
            raise ConfigError(f"{name} must be true or false, or both in a list, not {item!r}")
    return tuple(values)


def names(check: Callable[[str], object] = lambda name: None) -> Fit:
    """A check for one name or a list of them; `check` raises for an unknown name."""

    def fit(name: str, value: Any) -> tuple[str, ...]:
        values = tuple(one(str)(name, item) for item in many(name, value))
        for item in values:
            check(item)
        return values

    return fit


def recipes(name: str, value: Any) -> tuple[tuple[str, str, str], ...]:
    """Strategies as name, specification and topic of an earlier crawl; a plain name is the first two.

    >>> recipes("strategies", ["shark", {"name": "gentle", "spec": "shark(gamma=0.1)"}])
    (('shark', 'shark', ''), ('gentle', 'shark(gamma=0.1)', ''))
    """
    found = tuple(_recipe(name, item) for item in many(name, value))
    seen: set[str] = set()
    for label, *_ in found:
        # Tables and plots tell strategies apart by name only.
        if label in seen:
            raise ConfigError(f"two strategies are called {label!r}; give one of them another name")
        seen.add(label)
    return found


def wanted_topics(name: str, value: Any) -> Any:
    """A number of topics, a list of topics or formulas, or a table of these by world."""
    if isinstance(value, Mapping):
        return {str(world): wanted_topics(f"{name}.{world}", topics) for world, topics in value.items()}
    if isinstance(value, int):
        return one(int, 1)(name, value)
    if isinstance(value, str | list | tuple):
        return names()(name, value)
    raise ConfigError(f"{name} must be a number, a list of topics, or a table of these for each world, not {value!r}")


def many(name: str, value: Any) -> list[Any]:
    """A list without duplicates; a single value becomes a list of one."""
    items = list(value) if isinstance(value, list | tuple | range) else [value]
    if not items:
        raise ConfigError(f"{name} is an empty list; give at least one value")
    return [item for index, item in enumerate(items) if item not in items[:index]]


def _recipe(name: str, item: Any) -> tuple[str, str, str]:
    if isinstance(item, str):
        return item, item, ""
    if not isinstance(item, Mapping):
        raise ConfigError(f'{name} must hold names and tables {{name = "…", spec = "…"}}, not {item!r}')
    for key in item:
        if key not in RECIPE_KEYS:
            raise ConfigError("strategies: " + unknown("key", key, list(RECIPE_KEYS)))
        if not isinstance(item[key], str):
            raise ConfigError(f"{name}: {key} must be text, not {item[key]!r}")
    if "spec" not in item:
        example = '{name = "gentle", spec = "shark(gamma=0.1)"}'
        raise ConfigError(f"a strategy given as a table needs a spec, as in {example}, not {item}")
    return item.get("name") or item["spec"], item["spec"], item.get("learned_from", "")
