"""The requests that change something."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from clew.core.orders import KINDS
from clew.serve.dry_run import try_interest
from clew.serve.endpoints import BOOLEAN, STRING, Asked, Endpoint, Schema
from clew.serve.problems import Problem
from clew.serve.reading import CRAWL

NUMBER_OR_NULL: Final[Schema] = {"anyOf": [{"type": "number"}, {"type": "null"}]}
NEW_CRAWL: Final[Schema] = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 60}, "interest": STRING},
    "required": ["interest"],
    "additionalProperties": True,  # the other settings
    "maxProperties": 100,
}
LABEL: Final[dict[str, Schema]] = {"url": STRING, "relevant": BOOLEAN}
LABELS: Final[Schema] = {
    "type": "object",
    "properties": {
        **LABEL,
        "labels": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1000,
            "items": {
                "type": "object",
                "properties": LABEL,
                "required": ["url", "relevant"],
                "additionalProperties": False,
            },
        },
        "user": {"type": "string", "maxLength": 100},
    },
    "anyOf": [{"required": ["labels"]}, {"required": ["url", "relevant"]}],
    "additionalProperties": False,
}
ORDER: Final[Schema] = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": list(KINDS)},
        "words": {"type": "array", "maxItems": 100, "items": STRING},
    },
    "required": ["kind"],
    "additionalProperties": False,
}
TRIAL: Final[Schema] = {
    "type": "object",
    "properties": {"interest": STRING, "threshold": NUMBER_OR_NULL},
    "required": ["interest"],
    "additionalProperties": False,
}
LIMITS: Final[Schema] = {
    "type": "object",
    "properties": {"limits": {"type": "object", "additionalProperties": NUMBER_OR_NULL, "maxProperties": 20}},
    "additionalProperties": False,
}


def _start(asked: Asked) -> dict[str, Any]:
    settings = {name: value for name, value in asked.body.items() if name != "name"}
    return asked.service.start(settings, asked.body.get("name", ""))


def _resume(asked: Asked) -> dict[str, Any]:
    return asked.service.resume(asked.crawl, asked.body.get("limits", {}))


def _label(asked: Asked) -> dict[str, Any]:
    """One label, or several at once."""
    body = asked.body
    if "labels" not in body and not {"url", "relevant"} <= body.keys():
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "the body needs url and relevant, or a list of labels")
    given = body.get("labels", [body])
    return asked.service.label(asked.crawl, {one["url"]: one["relevant"] for one in given}, body.get("user", ""))


def _order(asked: Asked) -> dict[str, Any]:
    return asked.service.order(asked.crawl, asked.body["kind"], asked.body.get("words", []))


def _try(asked: Asked) -> dict[str, Any]:
    with asked.service.records(asked.crawl) as records:
        return try_interest(records, asked.body["interest"], asked.body.get("threshold"))


WRITING: Final = (
    Endpoint(
        "POST",
        "/api/crawls",
        "startCrawl",
        "Start a crawl as a process of its own",
        _start,
        "Crawl",
        body=NEW_CRAWL,
        status=HTTPStatus.CREATED,
    ),
    Endpoint(
        "POST",
        f"{CRAWL}/resume",
        "resumeCrawl",
        "Let a stopped crawl go on",
        _resume,
        "Crawl",
        body=LIMITS,
        status=HTTPStatus.ACCEPTED,
    ),
    Endpoint(
        "POST",
        f"{CRAWL}/labels",
        "giveLabels",
        "Say which pages are relevant",
        _label,
        "GivenLabels",
        body=LABELS,
        status=HTTPStatus.ACCEPTED,
    ),
    Endpoint(
        "POST",
        f"{CRAWL}/orders",
        "giveOrder",
        "Tell a crawl something",
        _order,
        "Order",
        body=ORDER,
        status=HTTPStatus.ACCEPTED,
    ),
    Endpoint(
        "POST",
        f"{CRAWL}/dry-run",
        "tryInterest",
        "Try another interest on the finds; nothing changes",
        _try,
        "Trial",
        body=TRIAL,
    ),
)
