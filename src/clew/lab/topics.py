"""Reads a topics.json file, and says where in it a mistake is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from clew.errors import ConfigError

KINDS: Final[dict[type, str]] = {dict: "an object in braces", list: "a list in brackets", str: "text"}


def read(path: Path) -> dict[str, Any]:
    """The content of a topics.json."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the topics in {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"cannot read the topics in {path}: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(f'{path} must contain {{"topics": {{"NAME": ["URL", …], …}}}}')
    if mistake := next(_mistakes(data), ""):
        raise ConfigError(f"{path}: {mistake}")
    return data


def _mistakes(data: dict[str, Any]) -> Iterator[str]:
    """The mistakes in the content, each with its place.

    >>> list(_mistakes({"topics": {"boats": ["http://a.org/", 7]}, "taxonomy": {"children": [{}]}}))
    ['topics.boats[1] must be text, not 7', 'taxonomy.children[0] needs an id']
    """
    topics = data.get("topics", {})
    yield from _unless(dict, topics, "topics")
    if isinstance(topics, dict):
        for name, urls in topics.items():
            yield from _texts(urls, f"topics.{name}")
    yield from _texts(data.get("unlabelled_pages", []), "unlabelled_pages")
    for name in ("exclude", "leaks"):
        yield from _texts(data.get(name, []), name)
    yield from _node(data.get("taxonomy", {}), "taxonomy", set())
    hard = data.get("exclude_hard", {"url_prefixes": []})
    yield from _unless(dict, hard, "exclude_hard")
    if isinstance(hard, dict):
        yield from _texts(hard.get("url_prefixes"), "exclude_hard.url_prefixes")
    yield from _starts(data.get("seeds", []))


def _starts(seeds: Any) -> Iterator[str]:
    yield from _unless(list, seeds, "seeds")
    if not isinstance(seeds, list):
        return
    for number, start in enumerate(seeds):
        yield from _unless(dict, start, f"seeds[{number}]")
        if isinstance(start, dict):
            yield from _unless(str, start.get("name"), f"seeds[{number}].name")
            yield from _texts(start.get("urls"), f"seeds[{number}].urls")


def _node(node: Any, place: str, seen: set[str]) -> Iterator[str]:
    """The mistakes in a part of the taxonomy."""
    yield from _unless(dict, node, place)
    children = node.get("children", []) if isinstance(node, dict) else []
    yield from _unless(list, children, f"{place}.children")
    if not isinstance(children, list):
        return
    for number, child in enumerate(children):
        here = f"{place}.children[{number}]"
        if not isinstance(child, dict) or not isinstance(child.get("id"), str) or not child["id"]:
            yield f"{here} needs an id"
        elif child["id"] in seen:
            # A topic that occurs twice would have two parents.
            yield f"{here}: {child['id']!r} is already in the taxonomy"
        else:
            seen.add(child["id"])
            yield from _unless(str, child.get("name", ""), f"{here}.name")
            yield from _node(child, here, seen)


def _texts(value: Any, place: str) -> Iterator[str]:
    yield from _unless(list, value, place)
    if not isinstance(value, list):
        return
    for number, text in enumerate(value):
        yield from _unless(str, text, f"{place}[{number}]")


def _unless(kind: type, value: Any, place: str) -> Iterator[str]:
    if not isinstance(value, kind):
        yield f"{place} must be {KINDS[kind]}, not {value!r:.40}"
