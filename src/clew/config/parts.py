"""Finds the parts that a user brings: written as text, registered as entry points, or imported.

All kinds of parts are written in the same way: `name`, `name(parameter=1)`, `package.module:Attribute` or
`package.module:Attribute(parameter=1)`. Values are literals, so reading a text can do no harm.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from clew.config.loading import unknown
from clew.errors import ConfigError


class PartSpec(NamedTuple):
    """A part as it is written: its name, and its parameters if it has parentheses."""

    name: str
    arguments: dict[str, Any] | None = None


def parse_spec(text: str) -> PartSpec:
    """Split a text into name and parameters.

    >>> parse_spec("mine:Enough(n=50)"), parse_spec("jsonl")
    (PartSpec(name='mine:Enough', arguments={'n': 50}), PartSpec(name='jsonl', arguments=None))
    >>> parse_spec("enough(50)")
    Traceback (most recent call last):
    clew.errors.ConfigError: cannot read 'enough(50)': write a name, or name(parameter=value) with plain values
    """
    name, bracket, _ = text.partition("(")
    name = name.strip()
    if not bracket:
        return PartSpec(name)
    try:
        # A colon cannot be part of a Python name, so only the parentheses are parsed as Python.
        call = ast.parse("f" + text.strip()[len(name) :].strip(), mode="eval").body
    except SyntaxError:
        call = None
    if isinstance(call, ast.Call) and not call.args and all(keyword.arg for keyword in call.keywords):
        try:
            return PartSpec(name, {str(each.arg): ast.literal_eval(each.value) for each in call.keywords})
        except ValueError:
            pass
    raise ConfigError(f"cannot read {text!r}: write a name, or name(parameter=value) with plain values")


def write_spec(name: str, arguments: Mapping[str, Any]) -> str:
    """Return the text of a part; `parse_spec` is the inverse.

    >>> write_spec("jsonl", {"path": "a.jsonl"})
    "jsonl(path='a.jsonl')"
    """
    inner = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    return f"{name}({inner})" if inner else name


def plugins(kind: str) -> dict[str, EntryPoint]:
    """Return the parts of this kind that other packages register, in the entry-point group `clew.<kind>`."""
    return {point.name: point for point in entry_points(group=f"clew.{kind}")}


def make_part(text: str, kind: str, built_in: Mapping[str, Any]) -> Any:
    """Return the part that a text names; a class is instantiated, and anything else is called if it has parentheses.

    `kind` is the plural that names the entry-point group: "sinks", "judges".
    """
    spec = parse_spec(text)
    found = find_part(spec.name, kind, built_in)
    if spec.arguments is None and not inspect.isclass(found):
        return found
    arguments = spec.arguments or {}
    _check_parameters(spec.name, found, arguments)
    try:
        return found(**arguments)
    # Whatever the constructor of a user's class raises, the text is what the user can change.
    except Exception as error:
        raise ConfigError(f"cannot make {text!r}: {type(error).__name__}: {error}") from error


def _check_parameters(name: str, part: Any, arguments: Mapping[str, Any]) -> None:
    """Refuse parameters that a class or function does not have, and show those that it has."""
    try:
        parameters = inspect.signature(part).parameters.values()
    except (TypeError, ValueError):
        # Some callables written in C have no signature; calling them shows what they accept.
        return
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    known = [parameter for parameter in parameters if parameter.kind is not parameter.VAR_POSITIONAL]
    names = [parameter.name for parameter in known]
    for key in arguments:
        if key not in names:
            signature = ", ".join(map(_written_parameter, known))
            raise ConfigError(f"{name} has no parameter {key!r}: {name}({signature})")


def _written_parameter(parameter: inspect.Parameter) -> str:
    """Return a parameter as its definition has it: "n: int = 1"."""
    text = parameter.name
    if parameter.annotation is not parameter.empty:
        # With `from __future__ import annotations`, an annotation is text already, and needs no quotes.
        hint = parameter.annotation
        text += f": {hint if isinstance(hint, str) else inspect.formatannotation(hint)}"
    return text if parameter.default is parameter.empty else f"{text} = {parameter.default!r}"


def find_part(name: str, kind: str, built_in: Mapping[str, Any]) -> Any:
    """Return the object behind a name: a built-in part, an entry point, or `module:attribute`."""
    if name in built_in:
        return built_in[name]
    if name in (points := plugins(kind)):
        return load_entry_point(points[name])
    if ":" in name:
        return _import(name)
    part = kind.replace("_", " ").removesuffix("s")
    message = unknown(part, name, [*built_in, *points])
    raise ConfigError(f"{message} (a {part} of your own is written 'module:name')")


def load_entry_point(point: EntryPoint) -> Any:
    """Import what another package registers."""
    try:
        return point.load()
    except Exception as error:
        raise ConfigError(
            f"{point.name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def importable_name(part: object) -> str:
    """Return how a class or function is written as text; "" if importing that would not give the same object."""
    module = getattr(part, "__module__", "")
    name = getattr(part, "__qualname__", "")
    if not module or not name or module == "__main__" or "<" in name:
        return ""
    try:
        found = _import(f"{module}:{name}")
    except ConfigError:
        return ""
    return f"{module}:{name}" if found is part else ""


def importable_text(part: object) -> str:
    """Return how a function, or an instance of a dataclass, is written as text; "" if it has no such text."""
    if not is_dataclass(part) or inspect.isclass(part):
        return importable_name(part)
    name = importable_name(type(part))
    arguments = {each.name: getattr(part, each.name) for each in fields(part) if each.init}
    changed = {each.name for each in fields(part) if each.init and arguments[each.name] != each.default}
    text = write_spec(name, {key: value for key, value in arguments.items() if key in changed})
    try:
        is_readable = (parse_spec(text).arguments or {}).keys() == changed
    except ConfigError:
        # A model or a connection, say, cannot be written as a literal.
        is_readable = False
    return text if name and is_readable else ""


def _import(name: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"cannot import {module!r}, which {name!r} names: {error}; it must be installed or in the current folder"
        ) from error
    except Exception as error:
        raise ConfigError(f"cannot import {module!r}, which {name!r} names: {type(error).__name__}: {error}") from error
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise ConfigError(f"there is no {attribute!r} in {module!r}")
        found = getattr(found, part)
    return found
