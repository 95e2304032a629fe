"""Reads, checks and writes settings; `settings.py` lists them."""

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

# A crawl folder recognises its own crawl.toml by this first line, so it must never change.
WRITTEN = "# Written by clew: every setting of this crawl."


def configure(base: Config | None = None, /, **settings: Any) -> Config:
    """Return a configuration with these settings, on top of another configuration or of the defaults.

    >>> configure(pages=50, delay=0).until.pages
    50
    >>> configure(page=50)
    Traceback (most recent call last):
    clew.errors.ConfigError: there is no setting 'page'; did you mean 'pages'?
    """
    base = base or Config()
    # A topic replaces an earlier one of its name; all other topics stay.
    topics = {**base.topics, **_read_topics(settings.pop("topics", {}))}
    changes: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    for name, value in settings.items():
        if name not in SETTINGS:
            raise ConfigError(unknown("setting", name, [*SETTINGS, *SECTIONS, "topics"]))
        section, setting = SETTINGS[name]
        changes[section][name] = fitted(name, value, HINTS[name], setting.metadata["minimum"])
    sections = {section: replace(getattr(base, section), **changes[section]) for section in SECTIONS}
    return Config(**sections, topics=topics)


def read(path: str | Path, base: Config | None = None) -> Config:
    """Read a configuration from a TOML file; relative paths in it start at the file's folder."""
    return configure(base, **_relative_to_file(Path(path), flatten(plain(Path(path)))))


def read_folder(folder: str | Path) -> Config:
    """Read the configuration of a crawl folder, including folders that an earlier version of clew wrote."""
    path = Path(folder) / "crawl.toml"
    try:
        written = plain(path)
    except ConfigError as error:
        raise ConfigError(f"{error}; it holds the settings of this crawl: bring it back from a backup") from None
    # Only what clew itself wrote is migrated: in a user's own file, an old name is a mistake to report.
    return configure(**_relative_to_file(path, migration.settings(flatten(written))))


def plain(path: Path) -> dict[str, Any]:
    """Read a TOML file as plain values."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"there is no file {path}") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not a TOML file: {error}") from None


def flatten(data: Mapping[str, Any]) -> dict[str, Any]:
    """Move the keys of the sections to the top level: sections only group settings for readers."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        is_section = key in SECTIONS and isinstance(value, dict)
        entries = value if is_section else {key: value}
        if isinstance(entries.get("sinks"), list):
            entries["sinks"] = [_sink_spec(sink) for sink in entries["sinks"]]
        if repeated := flat.keys() & entries.keys():
            raise ConfigError(f"'{min(repeated)}' is set twice: remove one of the two")
        flat |= entries
    return flat


def write(config: Config, path: Path) -> None:
    """Write the whole configuration as TOML, so that `read` restores it."""
    # Defaults are written too: the crawl must be able to go on unchanged under a version with other defaults.
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
    # A rename is atomic: even a kill at this moment leaves a complete file, the old one or the new one.
    os.replace(draft, path)


def unknown(kind: str, name: str, valid: list[str]) -> str:
    """Return the message for a name that does not exist, with the nearest ones that do."""
    # Two suggestions at most: with more of them, the right one is hard to see.
    near = difflib.get_close_matches(name, valid, n=2, cutoff=0.6)
    if near:
        return f"there is no {kind} {name!r}; did you mean {' or '.join(map(repr, near))}?"
    return f"there is no {kind} {name!r}; there are: {', '.join(valid)}"


def _sink_spec(sink: Any) -> Any:
    """Turn a `[[sinks]]` table into the text that means the same."""
    if not isinstance(sink, dict):
        return sink
    if not isinstance(sink.get("use"), str):
        raise ConfigError('a [[sinks]] table needs a name: use = "jsonl"')
    parameters = ", ".join(f"{key}={value!r}" for key, value in sink.items() if key != "use")
    # Parentheses would call a plain function, which is a sink as it stands.
    return f"{sink['use']}({parameters})" if parameters else sink["use"]


def _read_topics(data: Any) -> dict[str, Topic]:
    if not isinstance(data, Mapping):
        raise ConfigError('topics must be a table: [topics.sailing] keywords = ["sail", "yacht"]')
    return {name: _absolute(value if isinstance(value, Topic) else _topic(name, value)) for name, value in data.items()}


def _topic(name: str, data: Any) -> Topic:
    if not isinstance(data, Mapping):
        raise ConfigError(f"topic {name!r} must be a table with keywords or examples")
    hints = get_type_hints(Topic)
    for key in data:
        if key not in hints:
            raise ConfigError(f"topic {name!r}: " + unknown("setting", key, list(hints)))
    return Topic(**{key: fitted(f"topics.{name}.{key}", value, hints[key]) for key, value in data.items()})


def _absolute(topic: Topic) -> Topic:
    # The crawl folder holds a copy of the topics, and relative paths would point elsewhere from there.
    examples = tuple(place if "://" in place else os.path.abspath(place) for place in topic.examples)
    return replace(topic, examples=examples, ontology=topic.ontology and os.path.abspath(topic.ontology))


def _relative_to_file(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Resolve paths against the folder of the file; values of a wrong type are left for `configure` to refuse."""
    folder = path.parent
    earlier = data.get("learned_from")
    if isinstance(earlier, str) and earlier:
        data["learned_from"] = str(folder / earlier)
    if isinstance(data.get("cache"), list):
        data["cache"] = [str(folder / str(cache)) for cache in data["cache"]]
    if isinstance(data.get("search_sources"), list):
        sources = map(str, data["search_sources"])
        data["search_sources"] = [str(folder / source) if (folder / source).exists() else source for source in sources]
    for topic in (data.get("topics") or {}).values():
        if isinstance(topic, dict):
            _resolve_topic(topic, folder)
    return data


def _resolve_topic(topic: dict[str, Any], folder: Path) -> None:
    if isinstance(topic.get("examples"), list):
        examples = map(str, topic["examples"])
        topic["examples"] = [place if "://" in place else str(folder / place) for place in examples]
    if isinstance(topic.get("ontology"), str) and topic["ontology"]:
        topic["ontology"] = str(folder / topic["ontology"])
