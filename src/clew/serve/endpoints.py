"""What an endpoint is: its path, its parameters, and the function that answers. Routes and OpenAPI are made from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from clew.serve.problems import Problem
from clew.serve.service import Service

Schema = dict[str, Any]
STRING: Final[Schema] = {"type": "string", "maxLength": 4000}
INTEGER: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 1_000_000_000}
LIMIT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": 200}
BOOLEAN: Final[Schema] = {"type": "boolean"}


@dataclass(frozen=True)
class Parameter:
    """A parameter in the query of a request."""

    name: str
    schema: Schema
    help: str
    required: bool = False


@dataclass(frozen=True)
class Asked:
    """A request, its values checked."""

    service: Service
    crawl: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Endpoint:
    """One request that the service answers."""

    method: str
    path: str
    name: str
    help: str
    answer: Callable[[Asked], Any]
    returns: str  # the name of its schema
    parameters: tuple[Parameter, ...] = ()
    body: Schema | None = None
    status: int = HTTPStatus.OK

    @property
    def is_write(self) -> bool:
        """Whether it changes something."""
        return self.method == "POST"


def read_query(endpoint: Endpoint, query: Mapping[str, str]) -> dict[str, Any]:
    """The parameters of a request in their types; a Problem says which one is wrong."""
    known = {parameter.name: parameter for parameter in endpoint.parameters}
    for name in query:
        if name not in known:
            names = f"; there are: {', '.join(known)}" if known else ""
            raise Problem(HTTPStatus.BAD_REQUEST, f"there is no parameter {name!r}{names}")
    for parameter in endpoint.parameters:
        if parameter.required and not query.get(parameter.name):
            raise Problem(HTTPStatus.BAD_REQUEST, f"the parameter {parameter.name} is missing: {parameter.help}")
    return {name: _value(known[name], text) for name, text in query.items()}


def check_body(schema: Schema, value: Any, place: str = "the body") -> None:
    """Refuse a body that does not have the shape of its schema; a Problem says what is wrong.

    >>> check_body({"type": "array", "items": {"type": "string"}}, ["a"])
    >>> check_body({"type": "object", "properties": {}, "required": ["kind"]}, {})
    Traceback (most recent call last):
    clew.serve.problems.Problem: the body has no 'kind'
    """
    if "anyOf" in schema and "type" not in schema:
        # Settings are checked by `configure`, which has better words.
        return
    if not _is_of(schema.get("type"), value):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{place} must be of type {schema['type']}")
    _check_bounds(schema, value, place)
    if isinstance(value, dict):
        _check_object(schema, value, place)
    if isinstance(value, list):
        for number, item in enumerate(value):
            check_body(schema.get("items", {}), item, f"{place}[{number}]")


def _check_object(schema: Schema, value: Mapping[str, Any], place: str) -> None:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{place} has no {name!r}")
    for name, item in value.items():
        if name in properties:
            check_body(properties[name], item, name)
        elif schema.get("additionalProperties", False) is False:
            known = ", ".join(properties)
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{place} has an unknown {name[:100]!r}; known: {known}")


def _check_bounds(schema: Schema, value: Any, place: str) -> None:
    if "enum" in schema and value not in schema["enum"]:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{place} must be one of {', '.join(schema['enum'])}")
    size = len(value) if isinstance(value, str | list | dict) else None
    least = _bound(schema, ("minLength", "minItems"), 0.0)
    most = _bound(schema, ("maxLength", "maxItems", "maxProperties"), math.inf)
    if size is not None and not least <= size <= most:
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY, f"{place} must have a length from {least:g} to {most:g}, not {size}"
        )


def _bound(schema: Schema, names: tuple[str, ...], otherwise: float) -> float:
    return next((float(schema[name]) for name in names if name in schema), otherwise)


def _is_of(kind: str | None, value: Any) -> bool:
    match kind:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer" | "number":
            return isinstance(value, int if kind == "integer" else int | float) and not isinstance(value, bool)
    return True


def _value(parameter: Parameter, text: str) -> Any:
    kind = parameter.schema.get("type")
    wrong = Problem(HTTPStatus.BAD_REQUEST, f"{parameter.name}={text[:100]!r} is not of type {kind}: {parameter.help}")
    if kind == "boolean":
        if text not in ("true", "false"):
            raise wrong
        return text == "true"
    if kind == "integer":
        if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 12:
            raise wrong
        number = int(text)
        if not parameter.schema["minimum"] <= number <= parameter.schema["maximum"]:
            raise wrong
        return number
    if "enum" in parameter.schema and text not in parameter.schema["enum"]:
        choices = ", ".join(parameter.schema["enum"])
        raise Problem(HTTPStatus.BAD_REQUEST, f"{parameter.name} must be one of {choices}, not {text[:100]!r}")
    if len(text) > parameter.schema.get("maxLength", math.inf):
        raise Problem(HTTPStatus.BAD_REQUEST, f"{parameter.name} is longer than {parameter.schema['maxLength']}")
    return text
