"""Command-line flags, generated from the list of settings."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Container, Iterable, Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from clew.cli.seed_files import with_files
from clew.config import HINTS, SECTIONS, SETTINGS, Config, configure, read

PREFIX = "set_"  # keeps the setting `folder` apart from a command's own argument of that name
SHORT = {"seeds": ["-s"]}
METAVARS = {
    "interest": "FORMULA",
    "seeds": "URL",
    "reserve": "URL",
    "judge": "NAME",
    "strategy": "NAME",
    "fetcher": "NAME",
    "stop_rules": "NAME",
    "sinks": "NAME",
    "allow": "PATTERN",
    "deny": "PATTERN",
    "url_rules": "RULE",
    "delay": "SECONDS",
    "max_delay": "SECONDS",
    "timeout": "SECONDS",
    "render_seconds": "SECONDS",
    "commit_seconds": "SECONDS",
    "checkpoint_seconds": "SECONDS",
    "minutes": "MINUTES",
    "megabytes": "MB",
    "warc_megabytes": "MB",
    "max_bytes": "BYTES",
    "max_body": "BYTES",
    "user_agent": "TEXT",
    "contact": "TEXT",
    "resolve": "NAME=ADDRESS",
    "ports": "PORT",
    "proxy": "URL",
    "browser": "PATH",
    "learned_from": "FOLDER",
    "search_sources": "SOURCE",
    "cache": "FOLDER",
    "cache_days": "DAYS",
    "cluster": "ADDRESS",
}


def add_settings(
    parser: argparse.ArgumentParser,
    sections: Iterable[str] = SECTIONS,
    only: Container[str] | None = None,
    show_defaults: bool = True,
) -> None:
    """Add one flag for each setting of the sections, or for some of them, grouped as in the TOML file.

    Defaults are not shown where a flag that is not given means "as before".
    """
    for section in sections:
        group = parser.add_argument_group((SECTIONS[section].__doc__ or section).rstrip("."))
        for name, (home, setting) in SETTINGS.items():
            if home == section and (only is None or name in only):
                group.add_argument(
                    *SHORT.get(name, []),
                    "--" + name.replace("_", "-"),
                    dest=PREFIX + name,
                    # Only flags that were given become attributes: a default must not override the TOML file.
                    default=argparse.SUPPRESS,
                    help=_help(setting.metadata["help"], setting.default if show_defaults else None),
                    **_shape(name, HINTS[name]),
                )


def chosen(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given on the command line, and only those."""
    settings: dict[str, Any] = {}
    silent = getattr(args, "quiet", False) or getattr(args, "json", False)
    for name in SETTINGS:
        if is_given(args, name):
            value = getattr(args, PREFIX + name)
            settings[name] = with_files(name, value, silent) if isinstance(value, list) else value
    return settings


def is_given(args: argparse.Namespace, name: str) -> bool:
    """Whether a setting was given on the command line."""
    return hasattr(args, PREFIX + name)


def config_of(args: argparse.Namespace) -> Config:
    """Return the settings of the TOML file, if one is named, with those of the flags on top."""
    file = getattr(args, "config", None)
    return configure(read(file) if file else Config(), **chosen(args))


def add_output_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every command has.

    They have no defaults here: a subcommand repeats them, and its defaults would override `clew lab --json worlds`.
    """
    texts = {"--json": "print the results as JSON", "--quiet": "print the main results only, and no progress"}
    for flag, text in texts.items():
        parser.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=text)


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the flag that names a TOML file."""
    parser.add_argument(
        "-c",
        "--config",
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="read settings and topics from a TOML file",
    )


def _shape(name: str, hint: Any) -> dict[str, Any]:
    """Return the arguments with which argparse parses a setting of this type."""
    is_union = get_origin(hint) in (Union, UnionType)
    kind = get_args(hint)[0] if is_union else hint
    if kind is bool:
        return {"action": argparse.BooleanOptionalAction}
    if get_origin(kind) is Literal:
        return {"choices": get_args(kind)}
    if get_origin(kind) is tuple:
        return {"nargs": "+", "action": "extend", "metavar": METAVARS.get(name, "TEXT")}
    metavar = METAVARS.get(name) or {int: "N", float: "X"}.get(kind, name.upper())
    return {"type": _parser(kind, _words(hint)), "metavar": metavar}


def _words(hint: Any) -> dict[str, Any]:
    """The words that a setting takes beside numbers, with what they mean."""
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else ()
    found: dict[str, Any] = {"none": None} if type(None) in choices else {}
    for choice in choices:
        if get_origin(choice) is Literal:
            found |= {word: word for word in get_args(choice)}
    return found


def _parser(kind: type, words: Mapping[str, Any]) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        if text.lower() in words:
            return words[text.lower()]
        try:
            return kind(text)
        except ValueError:
            # The message of argparse would be "invalid int value", which is a word of programmers.
            wanted = " or ".join([{int: "a whole number", float: "a number"}[kind], *map(repr, words)])
            raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}") from None

    return parse


def _help(text: str, default: Any) -> str:
    if isinstance(default, bool):
        shown = "yes" if default else "no"
    elif isinstance(default, tuple):
        shown = " ".join(default)
    elif isinstance(default, float):
        shown = f"{default:g}"
    elif isinstance(default, int):
        # With underscores, a long number can be read, and still be typed like this.
        shown = f"{default:_}" if default >= 10_000 else str(default)
    else:
        shown = "" if default is None else str(default)
    text = f"{text} (default: {shown})" if shown else text
    # argparse formats help lines with %.
    return text.replace("%", "%%")
