"""Settings read, checked and written; what there is to set is in `settings.py`."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from clew.config import migration
from clew.config.settings import HINTS, SECTIONS, SETTINGS, Config, Topic
from clew.config.values import fitted, written
from clew.errors import ConfigError

WRITTEN = "# Written by clew: every setting of this crawl."


def configure(base: Config | None = None, /, **settings: Any) -> Config:
    """A configuration from plain names, on top of another one.

    >>> configure(pages=50, delay=0).until.pages
    50
    >>> configure(page=50)
    Traceback (most recent call last):
    clew.errors.ConfigError: there is no setting 'page'; did you mean 'pages'?
    """
    base = base or Config()
    topics = {**base.topics, **_topics(settings.pop("topics", {}))}
    parts: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    for name, value in settings.items():
        if name not in SETTINGS:
            raise ConfigError(unknown("setting", name, [*SETTINGS, *SECTIONS, "topics"]))
        section, setting = SETTINGS[name]
        parts[section][name] = fitted(name, value, HINTS[name], setting.metadata["least"])
    made = {
        section: cls(**{f.name: getattr(getattr(base, section), f.name) for f in fields(cls)} | parts[section])
        for section, cls in SECTIONS.items()
    }
    return Config(**made, topics=topics)


def read(path: str | Path, base: Config | None = None) -> Config:
    """A configuration from a TOML file; paths of examples and of earlier crawls are relative to it."""
    return configure(base, **_beside(Path(path), flatten(plain(Path(path)))))


def read_folder(folder: str | Path) -> Config:
    """The configuration of a crawl folder, also of one that an earlier version wrote."""
    path = Path(folder) / "crawl.toml"
    return configure(**_beside(path, migration.settings(flatten(plain(path)))))


def plain(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"there is no file {path}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigError(f"{path} is not a TOML file: {error}") from None


def flatten(data: Mapping[str, Any]) -> dict[str, Any]:
    """Sections are a help for readers only: their keys become plain settings."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        inner = value if key in SECTIONS and isinstance(value, dict) else {key: value}
        if isinstance(inner.get("sinks"), list):
            inner["sinks"] = [_sink_spec(sink) for sink in inner["sinks"]]
        if double := flat.keys() & inner.keys():
            raise ConfigError(f"'{min(double)}' is set twice")
        flat |= inner
    return flat


def write(config: Config, path: Path) -> None:
    """The resolved configuration as TOML that `read` takes back."""
    lines = [WRITTEN]
    for section, cls in SECTIONS.items():
        lines += ["", f"[{section}]"]
        for f in fields(cls):
            value = getattr(getattr(config, section), f.name)
            lines.append(f"# {f.metadata['help']}")
            lines.append(f"{f.name} = {written(value)}")
    for name, topic in config.topics.items():
        lines += ["", f"[topics.{json.dumps(name)}]"]
        lines += [f"{f.name} = {written(getattr(topic, f.name))}" for f in fields(topic)]
    draft = path.with_suffix(".part")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.replace(draft, path)  # whole or not at all, also when we are killed here


def unknown(kind: str, name: str, valid: list[str]) -> str:
    """The message for a name that does not exist, with the nearest ones that do."""
    near = difflib.get_close_matches(name, valid, n=2, cutoff=0.6)
    hint = f"did you mean {' or '.join(repr(n) for n in near)}?" if near else f"there are: {', '.join(valid)}"
    return f"there is no {kind} {name!r}; {hint}"


def _sink_spec(sink: Any) -> Any:
    """A `[[sinks]]` table as the text that means the same."""
    if not isinstance(sink, dict):
        return sink
    if not isinstance(sink.get("use"), str):
        raise ConfigError('a [[sinks]] table needs a name: use = "jsonl"')
    parameters = ", ".join(f"{key}={value!r}" for key, value in sink.items() if key != "use")
    return f"{sink['use']}({parameters})"


def _topics(data: Any) -> dict[str, Topic]:
    if not isinstance(data, Mapping):
        raise ConfigError('topics must be a table: [topics.sailing] keywords = ["sail", "yacht"]')
    return {name: _settled(value if isinstance(value, Topic) else _topic(name, value)) for name, value in data.items()}


def _topic(name: str, data: Any) -> Topic:
    if not isinstance(data, Mapping):
        raise ConfigError(f"topic {name!r} must be a table with keywords or examples")
    hints = get_type_hints(Topic)
    for key in data:
        if key not in hints:
            raise ConfigError(f"topic {name!r}: " + unknown("setting", key, list(hints)))
    return Topic(**{key: fitted(f"topics.{name}.{key}", value, hints[key]) for key, value in data.items()})


def _settled(topic: Topic) -> Topic:
    """Paths absolute, for the crawl folder is read from elsewhere than the file that the user wrote."""
    examples = tuple(e if "://" in e else os.path.abspath(e) for e in topic.examples)
    return replace(topic, examples=examples, ontology=topic.ontology and os.path.abspath(topic.ontology))


def _beside(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    if isinstance(earlier := data.get("learned_from"), str) and earlier:
        data["learned_from"] = str(path.parent / earlier)
    if isinstance(data.get("link_sources"), list):
        data["link_sources"] = [str(path.parent / str(folder)) for folder in data["link_sources"]]
    for topic in (data.get("topics") or {}).values():
        if isinstance(topic, dict) and isinstance(topic.get("examples"), list):
            topic["examples"] = [e if "://" in str(e) else str(path.parent / str(e)) for e in topic["examples"]]
        if isinstance(topic, dict) and isinstance(topic.get("ontology"), str) and topic["ontology"]:
            topic["ontology"] = str(path.parent / topic["ontology"])
    return data
