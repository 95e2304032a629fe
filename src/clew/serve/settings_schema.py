"""The settings of a crawl as JSON Schema, made from the one list of settings, and which of them a request may set."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from clew.config import HINTS, SECTIONS, SETTINGS, Config, configure
from clew.errors import ConfigError
from clew.interests.parser import parse
from clew.interests.syntax import Predicate, atoms
from clew.strategies import names

KEPT_BACK: Final = {
    "fetcher": "it loads code",
    "sinks": "it loads code and writes files",
    "stop_rules": "it loads code",
    "browser": "it names a program to run",
    "search_sources": "it loads code and reads folders",
    "learned_from": "it names a folder",
    "users": "it names files",
    "cache": "it names folders",
    "folder": "the service chooses the folder",
    "proxy": "it reaches other networks",
    "resolve": "it reaches other networks",
    "allow_private": "it reaches other networks",
}
"""Settings that a request may not have, with the reason; `clew serve --config FILE` sets them for all crawls."""
_TYPES: Final = {int: "integer", float: "number", bool: "boolean", str: "string"}


def settings_schema(base: Config) -> list[dict[str, Any]]:
    """Every setting that a request may have, by section; what the service was started with is the default."""
    return [
        {
            "name": name,
            "title": (section.__doc__ or "").partition("\n")[0].rstrip("."),
            "settings": [_setting(setting, getattr(base, name)) for setting in _names_in(name)],
        }
        for name, section in SECTIONS.items()
    ]


def _names_in(section: str) -> list[str]:
    return [name for name, (home, _) in SETTINGS.items() if home == section and name not in KEPT_BACK]


def _setting(name: str, section: Any) -> dict[str, Any]:
    _, setting = SETTINGS[name]
    default = getattr(section, name)
    schema = schema_of(HINTS[name], setting.metadata["minimum"])
    return {
        "name": name,
        "help": setting.metadata["help"],
        "default": list(default) if isinstance(default, tuple) else default,
        "type": _kind(schema),
        "choices": schema.get("enum", []),
        "schema": schema,
    }


def _kind(schema: Mapping[str, Any]) -> str:
    """What a form makes of a setting: flag, list, number or text."""
    kinds = {"boolean": "flag", "array": "list", "integer": "number", "number": "number"}
    first: Mapping[str, Any] = schema.get("anyOf", [schema])[0]
    return kinds.get(first.get("type", ""), "text")


def schema_of(hint: Any, minimum: float = 0) -> dict[str, Any]:
    """The JSON Schema of a type.

    >>> schema_of(int | None, 1)
    {'anyOf': [{'type': 'integer', 'minimum': 1}, {'type': 'null'}]}
    >>> schema_of(Literal["web", "hosts"])
    {'enum': ['web', 'hosts']}
    """
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(choice, minimum) for choice in get_args(hint)]}
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin is tuple:
        return {"type": "array", "items": {"type": "string"}}
    if hint is type(None):
        return {"type": "null"}
    return {"type": _TYPES[hint]} | ({"minimum": minimum} if hint in (int, float) else {})


def allowed_settings(settings: Mapping[str, Any], base: Config) -> Config:
    """The settings of a request on top of those of the service, or an error that says what cannot be set from here."""
    for name in settings:
        if reason := KEPT_BACK.get(name):
            raise ConfigError(f"{name} cannot be set from here: {reason}; use clew serve --config FILE")
    config = configure(base, **settings)
    _refuse_code("strategy", config.what.strategy, base.what.strategy)
    _refuse_code("judge", config.what.judge, base.what.judge)
    _refuse_code("topic_model", config.what.topic_model, base.what.topic_model)
    for name, topic in config.topics.items():
        is_new = topic != base.topics.get(name)
        if is_new and (topic.ontology or not all(map(_is_web, topic.examples))):
            raise ConfigError(f"the topic {name!r} names files: from here, examples can only be web pages")
    refuse_python(config.what.interest)
    return config


def refuse_python(formula: str) -> None:
    """No formula from a request may run code."""
    if not formula:
        raise ConfigError("say what to look for: the interest is missing")
    for atom in atoms(parse(formula)):
        if isinstance(atom, Predicate) and atom.name == "python":
            raise ConfigError('python("…") runs code of your own; such a crawl can only be started with clew crawl')


def _refuse_code(name: str, text: str, trusted: str) -> None:
    if ":" in text and text != trusted:
        known = f"; there are: {', '.join(names())}" if name == "strategy" else ""
        raise ConfigError(f"{name} cannot load code from here{known}")


def _is_web(place: str) -> bool:
    return place.startswith(("http://", "https://"))
