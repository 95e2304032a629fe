"""Reading a topics.json, with the place of every mistake in it."""

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
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"cannot read the topics in {path}: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(f'{path} should hold {{"topics": {{"NAME": ["URL", …], …}}}}')
    if fault := next(_faults(data), ""):
        raise ConfigError(f"{path}: {fault}")
    return data


def _faults(data: dict[str, Any]) -> Iterator[str]:
    """What is wrong, and where.

    >>> list(_faults({"topics": {"boats": ["http://a.org/", 7]}, "taxonomy": {"children": [{}]}}))
    ['topics.boats[1] should be text, but is 7', 'taxonomy.children[0] needs an id']
    """
    topics = data.get("topics", {})
    yield from _unless(dict, topics, "topics")
    for name, urls in topics.items() if isinstance(topics, dict) else ():
        yield from _texts(urls, f"topics.{name}")
    yield from _texts(data.get("unlabelled_pages", []), "unlabelled_pages")
    yield from _node(data.get("taxonomy", {}), "taxonomy", set())
    hard = data.get("exclude_hard", {"url_prefixes": []})
    yield from _unless(dict, hard, "exclude_hard")
    if isinstance(hard, dict):
        yield from _texts(hard.get("url_prefixes"), "exclude_hard.url_prefixes")
    yield from _starts(data.get("seeds", []))


def _starts(seeds: Any) -> Iterator[str]:
    yield from _unless(list, seeds, "seeds")
    for number, start in enumerate(seeds if isinstance(seeds, list) else ()):
        yield from _unless(dict, start, f"seeds[{number}]")
        if isinstance(start, dict):
            yield from _unless(str, start.get("name"), f"seeds[{number}].name")
            yield from _texts(start.get("urls"), f"seeds[{number}].urls")


def _node(node: Any, place: str, seen: set[str]) -> Iterator[str]:
    """The faults of a part of the taxonomy; a topic that occurs twice would have two parents."""
    yield from _unless(dict, node, place)
    children = node.get("children", []) if isinstance(node, dict) else []
    yield from _unless(list, children, f"{place}.children")
    for number, child in enumerate(children if isinstance(children, list) else ()):
        here = f"{place}.children[{number}]"
        if not isinstance(child, dict) or not isinstance(child.get("id"), str) or not child["id"]:
            yield f"{here} needs an id"
        elif child["id"] in seen:
            yield f"{here}: {child['id']!r} is in the taxonomy already"
        else:
            seen.add(child["id"])
            yield from _unless(str, child.get("name", ""), f"{here}.name")
            yield from _node(child, here, seen)


def _texts(found: Any, place: str) -> Iterator[str]:
    yield from _unless(list, found, place)
    for number, text in enumerate(found if isinstance(found, list) else ()):
        yield from _unless(str, text, f"{place}[{number}]")


def _unless(kind: type, found: Any, place: str) -> Iterator[str]:
    if not isinstance(found, kind):
        yield f"{place} should be {KINDS[kind]}, but is {found!r:.40}"
