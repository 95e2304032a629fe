"""What earlier versions of clew wrote, in the names of today: the only module that knows old names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

FORMAT: Final = "2"
"""The format of checkpoints; the first one had no number and used class names as tags."""

_FILTER_TAGS: Final = {"learnt": "url_rules", "names": "subdomains", "errors": "soft404"}
_STRATEGIES: Final = {"thread": "adaptive"}
_PARTS_OF_ADAPTIVE: Final = {"praise": "inlink_votes", "rates": "ratings", "meaning": "embeddings"}
_SETTINGS: Final = {"min_outlook": "min_forecast", "outside": "link_sources"}
_DUPLICATE_COLUMNS: Final = ("prints", "numbers", "marks", "claims")


def checkpoint(parts: Mapping[str, bytes], strategies: list[str]) -> dict[str, bytes]:
    """The parts of a checkpoint under the tags of today; `strategies` are the names that are registered now."""
    if not parts or "format" in parts:
        return dict(parts)
    renamed = {_tag(name): data for name, data in parts.items()}
    renamed["state"] = json.dumps(_state(json.loads(parts["course"]), strategies)).encode()
    renamed["format"] = FORMAT.encode()
    return renamed


def _tag(name: str) -> str:
    """
    >>> _tag("hygiene/names.visits"), _tag("hygiene/claims"), _tag("web/sources"), _tag("course")
    ('filters/subdomains.visits', 'filters/duplicates.claims', 'links/sources', 'state')
    """
    group, _, rest = name.partition("/")
    if group == "course":
        return "state"
    if group == "web":
        return f"links/{rest}"
    if group != "hygiene":
        return name
    if rest in _DUPLICATE_COLUMNS:
        return f"filters/duplicates.{rest}"
    owner, _, column = rest.partition(".")
    return f"filters/{_FILTER_TAGS.get(owner, owner)}.{column}"


def _state(saved: dict[str, Any], strategies: list[str]) -> dict[str, Any]:
    """The numbers of a crawl; the first format named a strategy by its class."""
    by_class = {name.replace("_", ""): name for name in strategies}
    forecast = saved.pop("outlook")
    saved["forecast"] = {
        "expected": forecast["expected"],
        "expected_waiting": forecast["in_sight"],
        "looks": forecast["looks"],
    }
    saved["rescored_at"] = saved.pop("swept")
    name = saved["strategy"]
    saved["strategy"] = _STRATEGIES.get(name.lower()) or by_class.get(name.lower(), name)
    return saved
