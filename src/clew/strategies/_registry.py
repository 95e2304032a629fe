"""The strategies by name: the modules of this folder, then the entry points of other packages."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from dataclasses import MISSING, Field, fields
from importlib.metadata import EntryPoint, entry_points
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from clew.config import unknown
from clew.errors import StrategyError
from clew.strategies._base import Strategy

PACKAGE = "clew.strategies"


def names() -> list[str]:
    """The name of every strategy there is; imports none of them.

    >>> "best_first" in names()
    True
    """
    return sorted({*_modules(), *_plugins()})


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
    if name in (plugins := _plugins()):
        return _load(plugins[name])
    raise StrategyError(unknown("strategy", name, names()))


def name_of(strategy: Strategy) -> str:
    """The name by which a checkpoint knows a strategy: its registered one, or that of the user's own class.

    >>> name_of(make("best_first(n=8)"))
    'best_first'
    """
    module, _, name = type(strategy).__module__.rpartition(".")
    if module == PACKAGE:
        return name
    plugged_in = f"{type(strategy).__module__}:{type(strategy).__qualname__}"
    registered = [point.name for point in _plugins().values() if point.value == plugged_in]
    return registered[0] if registered else plugged_in


def make(spec: str | Strategy) -> Strategy:
    """A strategy from its name, alone or with parameters; one that is made already stays as it is.

    >>> make("best_first(n=8)")
    BestFirst(n=8)
    """
    if isinstance(spec, Strategy):
        return spec
    name, arguments = _parse(spec)
    cls = find(name)
    _check(name, cls, arguments)
    return cls(**arguments)


def _modules() -> list[str]:
    path = importlib.import_module(PACKAGE).__path__
    return [module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_")]


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=PACKAGE)}


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


def _load(point: EntryPoint) -> type[Strategy]:
    try:
        cls = point.load()
    except (ImportError, AttributeError) as error:
        raise StrategyError(f"strategy {point.name!r} ({point.value}) cannot be loaded: {error}") from error
    if not _is_strategy(cls):
        raise StrategyError(f"strategy {point.name!r} ({point.value}) is no subclass of clew.Strategy")
    return cast(type[Strategy], cls)


def _parse(spec: str) -> tuple[str, dict[str, Any]]:
    """'best_first(n=8)' to its name and arguments; only literal values, so a spec can do no harm."""
    name = spec.partition("(")[0].strip()
    if "(" not in spec:
        return name, {}
    try:
        match ast.parse(spec.strip(), mode="eval").body:
            case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if all(k.arg for k in keywords):
                return name, {str(k.arg): ast.literal_eval(k.value) for k in keywords}
    except (SyntaxError, ValueError):
        pass
    raise StrategyError(f"cannot read {spec!r}; write a name, or {_signature(name, find(name))} with plain values")


def _check(name: str, cls: type[Strategy], arguments: dict[str, Any]) -> None:
    known, hints = _parameters(cls), get_type_hints(cls)
    for key, value in arguments.items():
        if key not in known:
            raise StrategyError(f"{name} has no parameter {key!r}: {_signature(name, cls)}")
        if not _fits(value, hints[key]):
            raise StrategyError(f"{name}: {key} cannot be {value!r}: {_signature(name, cls)}")


def _parameters(cls: type[Strategy]) -> dict[str, Field[Any]]:
    return {f.name: f for f in fields(cls) if f.init and not f.name.startswith("_")}


def _signature(name: str, cls: type[Strategy]) -> str:
    """What may be written: 'best_first(n: int = 1)'."""
    parts = [
        f"{f.name}: {f.type}" + ("" if f.default is MISSING else f" = {f.default!r}") for f in _parameters(cls).values()
    ]
    return f"{name}({', '.join(parts)})"


def _fits(value: object, hint: Any) -> bool:
    kind = get_origin(hint) or hint
    if kind in (Union, UnionType):
        return any(_fits(value, choice) for choice in get_args(hint))
    if kind is Literal:
        return value in get_args(hint)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, (int, float) if kind is float else kind)
