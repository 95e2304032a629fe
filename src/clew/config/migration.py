"""What earlier versions of clew wrote, in the names of today: the only module that knows old names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from clew.base import codec

FORMAT: Final = "9"
"""The format of checkpoints. The first had no number and used class names as tags; the second had old names in the
state of the default strategy; the third knew no labels of pages that wait, and counted visits only,
neither pages nor faults; the fourth knew neither boilerplate nor a judge that learns; the fifth filled in no forms;
the sixth scored all candidates in one go; the seventh had arrays as text; the eighth wrote the filters as a whole."""

_FILTER_TAGS: Final = {"learnt": "url_rules", "names": "subdomains", "errors": "soft404"}
_TOPIC_MODELS: Final = ("linear", "bayes", "hierarchy", "vocabulary")
_STRATEGIES: Final = {"thread": "adaptive"}
_PARTS_OF_ADAPTIVE: Final = {"praise": "inlink_votes", "rates": "ratings", "meaning": "embeddings"}
_STRATEGY_STATE: Final = {"heard": "label_profile", "worths": "relevances"}
_ADAPTIVE_STATE: Final = {"praise": "inlink_votes", "sense": "embedding_model", "told": "labels"}
_MODEL_STATE: Final = {"told": "by_user"}
_COLUMNS: Final = {"praised": "inlink_votes", "excess": "inlink_excess", "source_worth": "source_relevance"}
_COLUMN_PREFIXES: Final = {"sense_": "embedding_", "meant_": "interest_"}
_SETTINGS: Final = {
    "adapt": "delay_factor",
    "min_outlook": "min_forecast",
    "link_sources": "search_sources",
    "outside": "search_sources",
    "rules": "url_rules",
}
_PROGRESS: Final = {"outlook": "forecast", "in_sight": "expected_waiting"}
_LATER_STATE_OF_ARIADNE: Final[dict[str, Any]] = {
    "meta": 0.0,
    "path": 0.0,
    "combine": "geometric",
    "prune": 0.0,
    "prune_hosts": 0,
    "narrow": "undo",
    "fade": 0.0,
    "metas": {},
    "folders": {},
    "files": {},
}
_DUPLICATE_COLUMNS: Final = ("prints", "numbers", "marks", "claims")
_BOILERPLATE_COLUMNS: Final = ("hosts", "sizes", "blocks", "counts")


def checkpoint(parts: Mapping[str, bytes], strategies: list[str]) -> dict[str, bytes]:
    """The parts of a checkpoint under the tags of today; `strategies` are the names that are registered now."""
    if not parts:
        return {}
    found = dict(parts)
    if "format" not in found:
        found = _from_first(found, strategies)
    if found["format"] == b"2":
        found = _from_second(found)
    if found["format"] == b"3":
        found = _from_third(found)
    if found["format"] == b"4":
        found = _from_fourth(found)
    if found["format"] == b"5":
        found = _from_fifth(found)
    if found["format"] == b"6":
        found = _from_sixth(found)
    if found["format"] == b"7":
        # Arrays that are text can still be read.
        found["format"] = b"8"
    if found["format"] == b"8":
        found = _from_eighth(found)
    return _with_relational_rules(_with_later_state(found))


def _with_later_state(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts with what a strategy has learnt to save since, as it would be without it."""
    found = dict(parts)
    name = json.loads(found["state"]).get("strategy") if "state" in found else ""
    if name == "ariadne" and "strategy" in found:
        state = {**_LATER_STATE_OF_ARIADNE, **codec.loads(found["strategy"])}
        # A step was the frequencies alone while the focus could only be widened.
        state["steps"] = [("widen", step) if isinstance(step, dict) else step for step in state["steps"]]
        found["strategy"] = codec.dumps(state)
    return found


def _pages(saved: Mapping[str, Any]) -> int:
    """The pages among the visits, as far as earlier versions counted: robots.txt files and sitemaps are among them.

    >>> _pages({"visited": 10, "failed": 2, "duplicates": 1})
    7
    """
    return int(saved["visited"] - saved["failed"] - saved.get("duplicates", 0))


def _from_first(parts: dict[str, bytes], strategies: list[str]) -> dict[str, bytes]:
    renamed = {_tag(name): data for name, data in parts.items()}
    renamed["state"] = json.dumps(_state(json.loads(parts["course"]), strategies)).encode()
    renamed["format"] = b"2"
    return renamed


def _from_second(parts: dict[str, bytes]) -> dict[str, bytes]:
    saved = json.loads(parts["state"])
    saved["strategy"] = _STRATEGIES.get(saved["strategy"], saved["strategy"])
    renamed = {**parts, "format": b"3", "state": json.dumps(saved).encode()}
    learned = codec.loads(parts["strategy"])
    learned = {_STRATEGY_STATE.get(name, name): value for name, value in learned.items()}
    if saved["strategy"] == "adaptive":
        experience = learned["experience"].items()
        learned["experience"] = {_ADAPTIVE_STATE.get(name, name): value for name, value in experience}
        learned["experience"]["model"] = _model(learned["experience"]["model"])
    renamed["strategy"] = codec.dumps(learned)
    return renamed


def _from_third(parts: dict[str, bytes]) -> dict[str, bytes]:
    saved = json.loads(parts["state"]) | {"steering": {}, "faults": 0}
    saved["tally"]["pages"] = _pages(saved["tally"])
    return {**parts, "format": b"4", "state": json.dumps(saved).encode()}


def _from_fourth(parts: dict[str, bytes]) -> dict[str, bytes]:
    nothing = {f"filters/boilerplate.{name}": b"" for name in _BOILERPLATE_COLUMNS}
    return {**parts, **nothing, "judge": b"", "format": b"5"}


def _from_fifth(parts: dict[str, bytes]) -> dict[str, bytes]:
    nothing = {f"filters/forms.{name}": codec.dumps({}) for name in ("known", "asked", "results", "samples")}
    return {**parts, **nothing, "format": b"6"}


def _from_sixth(parts: dict[str, bytes]) -> dict[str, bytes]:
    saved = json.loads(parts["state"]) | {"rescoring": [0, 0]}
    return {**parts, "format": b"7", "state": json.dumps(saved).encode()}


def _from_eighth(parts: dict[str, bytes]) -> dict[str, bytes]:
    found = {**parts, "format": FORMAT.encode()}
    blocks = {name: _numbers(found.pop(f"filters/boilerplate.{name}")) for name in _BOILERPLATE_COLUMNS}
    found["filters/boilerplate.hosts"] = codec.dumps(blocks)
    for name, kind in (("prints", np.uint64), ("numbers", np.int32), ("marks", np.uint64)):
        found[f"filters/duplicates.{name}"] = codec.dumps(np.frombuffer(found[f"filters/duplicates.{name}"], kind))
    claims = _numbers(found["filters/duplicates.claims"]).reshape(-1, 3).tolist()
    found["filters/duplicates.claims"] = codec.dumps({key: (bits, slot) for key, bits, slot in claims})
    return found


def _numbers(data: bytes) -> NDArray[np.uint64]:
    return np.frombuffer(data, np.uint64)


def _with_relational_rules(parts: dict[str, bytes]) -> dict[str, bytes]:
    """The rules of first_order were about one link; what it knew then does not tell how links are related."""
    if json.loads(parts["state"])["strategy"] != "first_order":
        return parts
    learned = codec.loads(parts["strategy"])
    if "source_facts" in learned:
        return parts
    # None where there was something: the strategy learns from all visits again when it reads this.
    nothing: dict[str, Any] = {"rows": None, "pages": [], "labels": [], "rules": [], "targets": {}, "source_facts": {}}
    numbers = {"seen": 0, "due": 0, "base_rate": 0.0}
    parameters = {"selection": "covering", "most": 100, "effort": 100, "predicates": ""}
    return {**parts, "strategy": codec.dumps({**learned, **parameters, **numbers, **nothing})}


def _model(saved: dict[str, Any]) -> dict[str, Any]:
    """The models of adaptive, their columns under the names of today."""
    renamed = {_MODEL_STATE.get(name, name): value for name, value in saved.items()}
    renamed["names"] = [_column(name) for name in saved["names"]]
    return renamed


def _column(name: str) -> str:
    """
    >>> _column("praised"), _column("sense_anchor"), _column("in_links")
    ('inlink_votes', 'embedding_anchor', 'in_links')
    """
    for old, new in _COLUMN_PREFIXES.items():
        if name.startswith(old):
            return new + name.removeprefix(old)
    return _COLUMNS.get(name, name)


def settings(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a crawl folder under the names of today.

    >>> settings({"strategy": "thread(without='praise')", "min_outlook": 3})
    {'strategy': "adaptive(without='inlink_votes')", 'min_forecast': 3}
    """
    renamed = {_SETTINGS.get(name, name): value for name, value in saved.items()}
    if isinstance(spec := renamed.get("strategy"), str):
        renamed["strategy"] = _strategy(spec)
    return judging(renamed)


def judging(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The settings by which pages are judged: `judge` was the model of topics with examples, and none of them learned.

    >>> judging({"judge": "bayes", "threshold": None})
    {'judge': 'plain', 'threshold': 'start-pages', 'topic_model': 'bayes'}
    """
    renamed = dict(saved)
    if renamed.get("judge") in _TOPIC_MODELS:
        renamed["topic_model"] = renamed["judge"]
        renamed["judge"] = "plain"
    if renamed.get("threshold", 0.5) in (None, "none"):
        renamed["threshold"] = "start-pages"
    return renamed


def progress(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of the last commit under the names of today."""
    renamed = {_PROGRESS.get(name, name): value for name, value in saved.items()}
    if "failed" in renamed and "pages" not in renamed:
        renamed["pages"] = _pages(renamed)
    return renamed


def _strategy(spec: str) -> str:
    """A strategy with its parameters, as it is written today."""
    name, bracket, parameters = spec.partition("(")
    if name not in _STRATEGIES:
        return spec
    for old, new in _PARTS_OF_ADAPTIVE.items():
        parameters = re.sub(rf"\b{old}\b", new, parameters)
    return f"{_STRATEGIES[name]}{bracket}{parameters}"


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
    name = saved["strategy"].lower()
    saved["strategy"] = name if name in _STRATEGIES else by_class.get(name, saved["strategy"])
    return saved
