"""Flags made from the settings, so that there is only one list of them."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from clew.config import HINTS, SECTIONS, SETTINGS, Config, configure, read
from clew.errors import ConfigError

PREFIX = "set_"  # keeps the setting `folder` apart from a command's own folder
SHORT = {"seeds": ["-s"]}
METAVARS = {
    "interest": "FORMULA",
    "seeds": "URL",
    "reserve": "URL",
    "strategy": "NAME",
    "allow": "PREFIX",
    "deny": "PREFIX",
    "url_rules": "RULE",
    "user_agent": "TEXT",
    "contact": "TEXT",
    "resolve": "NAME=ADDRESS",
    "learned_from": "CRAWL",
    "link_sources": "CRAWL",
}


def add_settings(
    parser: argparse.ArgumentParser, sections: Iterable[str] = SECTIONS, only: Container[str] | None = None
) -> None:
    """One flag for each setting of the sections, or for some of them, grouped as in the TOML file."""
    for section in sections:
        group = parser.add_argument_group((SECTIONS[section].__doc__ or section).rstrip("."))
        for name, (home, setting) in SETTINGS.items():
            if home == section and (only is None or name in only):
                default = _shown(setting.default)
                text = setting.metadata["help"] + (f" ({default})" if default else "")
                group.add_argument(
                    *SHORT.get(name, []),
                    "--" + name.replace("_", "-"),
                    dest=PREFIX + name,
                    default=argparse.SUPPRESS,
                    help=text.replace("%", "%%"),
                    **_shape(name, HINTS[name]),
                )


def chosen(args: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given on the command line, and only those."""
    given = {name: getattr(args, PREFIX + name) for name in SETTINGS if hasattr(args, PREFIX + name)}
    return {name: _listed(value) if isinstance(value, list) else value for name, value in given.items()}


def config_of(args: argparse.Namespace) -> Config:
    """The TOML file, if there is one, with the flags on top of it."""
    file = getattr(args, "config", None)
    return configure(read(file) if file else Config(), **chosen(args))


def add_config(parser: argparse.ArgumentParser) -> None:
    """The flag that names a TOML file."""
    parser.add_argument(
        "-c",
        "--config",
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="settings and topics from a TOML file",
    )


def _shape(name: str, hint: Any) -> dict[str, Any]:
    optional = get_origin(hint) in (Union, UnionType)
    kind = get_args(hint)[0] if optional else hint
    if kind is bool:
        return {"action": argparse.BooleanOptionalAction}
    if get_origin(kind) is Literal:
        return {"choices": get_args(kind)}
    if get_origin(kind) is tuple:
        return {"nargs": "+", "action": "extend", "metavar": METAVARS.get(name, "TEXT")}
    metavar = METAVARS.get(name) or {int: "N", float: "X"}.get(kind, name.upper())
    return {"type": _or_none(kind) if optional else kind, "metavar": metavar}


def _or_none(kind: type) -> Any:
    def parse(text: str) -> Any:
        return None if text.lower() == "none" else kind(text)

    parse.__name__ = f"{kind.__name__} (or 'none')"  # argparse shows it: "invalid int (or 'none') value"
    return parse


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, tuple):
        return " ".join(default)
    return "" if default in (None, "") else str(default)


def _listed(items: list[str]) -> list[str]:
    """`@file` stands for the lines of that file."""
    return [line for item in items for line in (_lines(item[1:]) if item.startswith("@") else [item])]


def _lines(file: str) -> list[str]:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the list {file}: {error}") from None
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
