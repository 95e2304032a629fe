"""The strategies by name: the modules of this folder, entry points of other packages, and `module:Class`."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import MISSING, Field, fields
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from clew.config import unknown
from clew.config.parts import find_part, importable_name, load_entry_point, parse_spec, plugins
from clew.errors import ConfigError, StrategyError
from clew.strategies._base import Strategy

PACKAGE = "clew.strategies"
KIND = "strategies"


def names() -> list[str]:
    """The name of every strategy there is; imports none of them.

    >>> "best_first" in names()
    True
    """
    return sorted({*_modules(), *plugins(KIND)})


def find(name: str) -> type[Strategy]:
    """The class behind a name.

    >>> find("shark").__name__
    'Shark'
    >>> find("shrk")
    Traceback (most recent call last):
    clew.errors.StrategyError: there is no strategy 'shrk'; did you mean 'shark'?
    """
    if name in _modules():
        return _public_class(name)
    points = plugins(KIND)
    if name not in points and ":" not in name:
        raise StrategyError(unknown("strategy", name, names()))
    try:
        found = load_entry_point(points[name]) if name in points else find_part(name, KIND, {})
    except ConfigError as error:
        raise StrategyError(f"strategy {error}") from error
    if not _is_strategy(found):
        raise StrategyError(f"strategy {name!r} is no subclass of clew.Strategy")
    return cast(type[Strategy], found)


def name_of(strategy: Strategy) -> str:
    """The name by which a checkpoint knows a strategy: its registered one, or that of the user's own class.

    >>> name_of(make("best_first(n=8)"))
    'best_first'
    """
    cls = type(strategy)
    package, _, module = cls.__module__.rpartition(".")
    if package == PACKAGE:
        return module
    own = importable_name(cls) or f"{cls.__module__}:{cls.__qualname__}"
    registered = [point.name for point in plugins(KIND).values() if point.value == own]
    return registered[0] if registered else own


def make(spec: str | Strategy) -> Strategy:
    """A strategy from its name, alone or with parameters; one that is made already stays as it is.

    >>> make("best_first(n=8)")
    BestFirst(n=8)
    """
    if isinstance(spec, Strategy):
        return spec
    try:
        name, arguments = parse_spec(spec)
    except ConfigError:
        name = spec.partition("(")[0].strip()
        signature = _signature(name, find(name))
        raise StrategyError(f"cannot read {spec!r}; write a name, or {signature} with plain values") from None
    cls = find(name)
    arguments = arguments or {}
    _check(name, cls, arguments)
    return cls(**arguments)


def _modules() -> list[str]:
    path = importlib.import_module(PACKAGE).__path__
    return [module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")]


def _public_class(name: str) -> type[Strategy]:
    module = importlib.import_module(f"{PACKAGE}.{name}")
    found = [value for value in vars(module).values() if _is_strategy(value) and _is_own(value, module.__name__)]
    if len(found) != 1:
        raise StrategyError(f"{module.__name__} must hold one public strategy, but holds {len(found)}")
    return cast(type[Strategy], found[0])


def _is_strategy(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, Strategy)


def _is_own(cls: type, module: str) -> bool:
    return cls.__module__ == module and not cls.__name__.startswith("_")


def _check(name: str, cls: type[Strategy], arguments: dict[str, Any]) -> None:
    known = _parameters(cls)
    hints = get_type_hints(cls)
    for key, value in arguments.items():
        if key not in known:
            raise StrategyError(f"{name} has no parameter {key!r}: {_signature(name, cls)}")
        if not _fits(value, hints[key]):
            raise StrategyError(f"{name}: {key} cannot be {value!r}: {_signature(name, cls)}")


def _parameters(cls: type[Strategy]) -> dict[str, Field[Any]]:
    return {each.name: each for each in fields(cls) if each.init and not each.name.startswith("_")}


def _signature(name: str, cls: type[Strategy]) -> str:
    """What may be written: 'best_first(n: int = 1)'."""
    parts: list[str] = []
    for each in _parameters(cls).values():
        default = "" if each.default is MISSING else f" = {each.default!r}"
        parts.append(f"{each.name}: {each.type}{default}")
    return f"{name}({', '.join(parts)})"


def _fits(value: object, hint: Any) -> bool:
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return any(_fits(value, choice) for choice in get_args(hint))
    if kind is Literal:
        return value in get_args(hint)
    # A bool is an int in Python, but not in a user's mind.
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)
