"""Writes the reference pages of the documentation from the code itself.

python tools/reference.py             # write docs/reference/*.md
python tools/reference.py --check     # only say which pages are out of date; exit code 1 if one is
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import clew
from clew import strategies as registry
from clew.cli.flags import PREFIX
from clew.cli.main import build_parser
from clew.config import HINTS, SECTIONS, SETTINGS, Topic

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "reference"
NOTE = "<!-- Written by tools/reference.py from the code; edit the docstrings and help texts instead. -->"
SPECIAL = {"__call__": "", "_repr_html_": "What a notebook shows."}  # members that users meet; "": see the docstring
SIMPLE = {int: "integer", float: "number", str: "text", bool: "yes or no"}


def settings() -> Iterator[str]:
    """Every setting with its type, default, flag and meaning."""
    yield "# Settings\n"
    yield (
        "A setting has the same name everywhere: `delay=2` in Python, `--delay 2` on the command line, `delay = 2` in\n"
        "a TOML file. Sections such as `[fetch]` are optional in TOML files. An underscore in a name is a hyphen in\n"
        "the flag, and a setting that is on or off has a second flag, `--no-…`, that turns it off. `none` removes a\n"
        "limit. `@FILE` in a list on the command line stands for the lines of that file.\n\n"
        "An unknown name is an error that suggests the nearest one. In Python, settings are typed keyword arguments:\n"
        'a type checker refuses `crawl(pages="many")`. The settings of a crawl are written to `crawl.toml` in its\n'
        "folder."
    )
    for section, cls in SECTIONS.items():
        yield f"\n## {section}\n\n{first_paragraph(cls)}\n"
        yield table_head("setting", "type", "default", "flag", "meaning")
        for name, (home, setting) in SETTINGS.items():
            if home == section:
                flag = "--" + name.replace("_", "-")
                yield row(
                    f'<span id="{name}"></span>`{name}`',
                    type_name(HINTS[name]),
                    default(setting),
                    f"`{flag}`",
                    setting.metadata["help"],
                )
    yield f"\n## topics\n\n{first_paragraph(Topic)} Each topic is a table `[topics.NAME]` of a TOML file.\n"
    yield table_head("key", "type", "default", "meaning")
    hints = get_type_hints(Topic)
    meanings = field_notes(Topic)
    for topic_field in fields(Topic):
        name = topic_field.name
        yield row(f"`{name}`", type_name(hints[name]), default(topic_field), meanings[name])


def commands() -> Iterator[str]:
    """Every command with its arguments and examples."""
    yield "# Commands\n"
    parser = build_parser()
    yield f"{(parser.description or '').strip()}\n"
    yield table_head("command", "purpose")
    subparsers = list(inner_parsers(parser))
    for name, text, _ in subparsers:
        yield row(f"[`clew {name}`](#clew-{name})", text)
    yield "\nEvery command takes these flags:\n\n" + table_head("flag", "meaning")
    for action in common_actions(parser):
        yield row(argument(action), action.help or "")
    for name, _, subparser in subparsers:
        yield from command(f"clew {name}", subparser, "##")


def command(name: str, parser: argparse.ArgumentParser, heading: str) -> Iterator[str]:
    """One command, and the commands inside it."""
    yield f"\n{heading} {name}\n"
    yield (parser.description or "").strip()
    listed = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    inner = [action for action in listed if isinstance(action, argparse._SubParsersAction)]
    shown = [action for action in listed if action not in inner and action.help != argparse.SUPPRESS]
    common = {action.dest for action in common_actions(build_parser())}
    own = [action for action in shown if not action.dest.startswith(PREFIX) and action.dest not in common]
    if own:
        yield "\n" + table_head("argument", "meaning")
        for action in own:
            yield row(argument(action), action.help or "")
    names = [action.dest.removeprefix(PREFIX) for action in shown if action.dest.startswith(PREFIX)]
    if text := setting_flags(names):
        yield f"\n{text}"
    yield from epilog(parser)
    for inner_name, _, inner_parser in inner_parsers(parser):
        yield from command(f"{name} {inner_name}", inner_parser, heading + "#")


def epilog(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The examples of a command, and what its help shows below them, such as a file."""
    examples = (parser.epilog or "").partition("examples:\n")[2]
    if not examples:
        return
    shown, *files = re.split(r"\n\n(?=\S)", examples)
    yield f"\n```console\n{textwrap.dedent(prompted(shown)).rstrip()}\n```"
    for file in files:
        title, _, text = file.partition(":\n")
        yield f"\n{title[0].upper()}{title[1:]}:\n\n```toml\n{textwrap.dedent(text).rstrip()}\n```"


def setting_flags(names: list[str]) -> str:
    """Which settings a command takes as flags, whole sections by their name."""
    sections: list[str] = []
    others: list[str] = []
    for section in SECTIONS:
        members = [name for name, (home, _) in SETTINGS.items() if home == section]
        present = [name for name in members if name in names]
        if present == members:
            sections.append(f"[{section}](settings.md#{section})")
        else:
            others += [f"[`--{name.replace('_', '-')}`](settings.md#{name})" for name in present]
    if len(sections) == len(SECTIONS):
        return "Every [setting](settings.md) is a flag of this command."
    parts = [f"the settings of {joined(sections)}"] if sections else []
    parts += [joined(others)] if others else []
    return f"Further flags: {', and '.join(parts)}." if parts else ""


def api() -> Iterator[str]:
    """Every public name of the package, with its signature and docstring."""
    yield "# Python API\n"
    yield "Everything here is importable from `clew` itself: `import clew`, then `clew.crawl(…)`."
    objects = {name: getattr(clew, name) for name in sorted(clew.__all__, key=str.lower)}
    functions = {name: value for name, value in objects.items() if inspect.isroutine(value)}
    classes = {name: value for name, value in objects.items() if inspect.isclass(value)}
    errors = {name: value for name, value in classes.items() if issubclass(value, Exception)}
    others = {name: value for name, value in objects.items() if name not in functions and name not in classes}
    yield "\n## Functions"
    for name, function in functions.items():
        yield f"\n### {name}\n\n```python\n{signature(name, function)}\n```\n\n{markdown(function)}"
    yield "\n## Classes"
    for name, cls in classes.items():
        if name not in errors:
            yield from class_page(name, cls)
    yield "\n## Values"
    for name, value in others.items():
        yield f"\n### {name}\n\n{value_text(name, value)}"
    yield "\n## Errors"
    for name, cls in errors.items():
        yield f"\n### {name}\n\n{markdown(cls)}"


def class_page(name: str, cls: type) -> Iterator[str]:
    """A class: how it is made, what it says of itself, and its public members."""
    yield f"\n### {name}\n"
    if shown := class_signature(name, cls):
        yield f"```python\n{shown}\n```\n"
    yield markdown(cls)
    if is_typeddict(cls):
        links = [f"[`{name}`](settings.md#{name})" if name in SETTINGS else f"`{name}`" for name in get_type_hints(cls)]
        yield f"\nThe names: {joined(links)}."
        return
    members = [member for member in public_members(cls) if member[2]]
    if members:
        yield "\n" + table_head("member", "meaning")
        for member, shown, text in members:
            yield row(f"`{member}{shown}`", text)


def public_members(cls: type) -> Iterator[tuple[str, str, str]]:
    """Attributes, methods and properties: name, arguments, first sentence; in the order of the code."""
    seen: set[str] = set()
    for base in cls.__mro__:
        if not base.__module__.startswith("clew"):
            continue
        if not is_dataclass(base):
            for name, text in attribute_docstrings(base).items():
                yield name, f": {inspect.get_annotations(base)[name]} = {getattr(base, name)!r}", text
        for name, value in vars(base).items():
            if (name.startswith("_") and name not in SPECIAL) or name in seen:
                continue
            seen.add(name)
            function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            if isinstance(value, property):
                yield name, "", first_paragraph(value.fget)
            elif isinstance(value, cached_property):
                yield name, "", first_paragraph(value.func)
            elif inspect.isfunction(function) and name in SPECIAL:
                yield name, arguments(function), SPECIAL[name] or first_paragraph(function)
            elif inspect.isfunction(function):
                yield name, arguments(function), first_paragraph(function)


def strategies() -> Iterator[str]:
    """Every strategy: one table, then the parameters of each."""
    yield "# Strategies\n"
    yield (
        "A strategy decides which link to follow next. Choose one with `strategy=` in Python, `--strategy` on the\n"
        'command line or `strategy = "…"` in a TOML file: a name alone, or with parameters, as in\n'
        "`best_first(n=8)`. The default is `adaptive`: [how it works](../explanation/adaptive.md).\n"
        "[Compare them](../how-to/laboratory.md) on your own topic, or [write your own](../how-to/strategy.md).\n"
    )
    shipped = [name for name in registry.names() if registry.find(name).__module__.startswith("clew.strategies.")]
    yield table_head("strategy", "what it does", "paper")
    for name in shipped:
        text = inspect.getdoc(registry.find(name)) or ""
        yield row(f"[`{name}`](#{name})", paragraphs(text)[0], citation(text))
    for name in shipped:
        cls = registry.find(name)
        yield f"\n## {name}\n\n{markdown(cls)}"
        parameters = [f for f in fields(cls) if f.init and not f.name.startswith("_")]
        if parameters:
            yield "\n" + table_head("parameter", "type", "default")
            for parameter in parameters:
                yield row(f"`{parameter.name}`", f"`{parameter.type}`", default(parameter))


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "settings.md": settings,
    "commands.md": commands,
    "api.md": api,
    "strategies.md": strategies,
}


def written(name: str) -> str:
    """A page as it should be."""
    lines = "\n".join(PAGES[name]())
    tidy = re.sub(r"\n{3,}", "\n\n", lines).strip()
    return f"{NOTE}\n\n{tidy}\n"


def inner_parsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """The commands of a parser: name, help and parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, subparser in action.choices.items():
                yield name, helps.get(name, ""), subparser


def common_actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The flags that every command has."""
    first, *others = [subparser for _, _, subparser in inner_parsers(parser)]
    shared = {action.dest for action in first._actions}
    for other in others:
        shared &= {action.dest for action in other._actions}
    return [action for action in first._actions if action.dest in shared and action.dest != "help"]


def argument(action: argparse.Action) -> str:
    """An argument as it is typed."""
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"`{metavar}`"
    if action.choices:
        metavar = "|".join(map(str, action.choices))
    flags = ", ".join(f"`{flag}`" for flag in action.option_strings)
    return flags if action.nargs == 0 else f"{flags} `{metavar}`"


def prompted(examples: str) -> str:
    """Commands with the prompt that tells them from output."""
    return re.sub(r"^(\s*)(?=clew )", r"\1$ ", examples, flags=re.M)


def signature(name: str, function: Callable[..., Any]) -> str:
    """A signature, one argument a line if it is long."""
    short = name + arguments(function)
    if len(short) <= 100:
        return short
    shown = inspect.signature(function)
    parameters = list(shown.parameters.values())
    parts: list[str] = []
    for before, parameter in zip([None, *parameters], parameters, strict=False):
        if before and before.kind is before.POSITIONAL_ONLY and parameter.kind is not before.kind:
            parts.append("/")
        if parameter.kind is parameter.KEYWORD_ONLY and (before is None or before.kind is not parameter.kind):
            parts.append("*")
        parts.append(str(parameter))
    lines = "".join(f"    {part},\n" for part in parts)
    return plain_types(f"{name}(\n{lines}) -> {shown.return_annotation}")


def arguments(function: Callable[..., Any]) -> str:
    """The arguments of a function in one line, without `self`."""
    shown = inspect.signature(function)
    kept = [p for p in shown.parameters.values() if p.name not in ("self", "cls")]
    return plain_types(str(shown.replace(parameters=kept)))


def class_signature(name: str, cls: type) -> str:
    """How an object is made, where that is part of the API: dataclasses and named tuples."""
    if is_dataclass(cls):
        parts = {f.name: field_text(f) for f in fields(cls) if f.init and not f.name.startswith("_")}
    elif hasattr(cls, "_fields"):
        types = {field: getattr(hint, "__forward_arg__", hint) for field, hint in cls.__annotations__.items()}
        values = cls._field_defaults
        parts = {f: f"{f}: {types[f]}" + (f" = {values[f]!r}" if f in values else "") for f in cls._fields}
    elif inspect.isfunction(vars(cls).get("__init__")) and not getattr(cls, "_is_protocol", False):
        return name + arguments(cls.__init__).removesuffix(" -> None")
    else:
        return ""
    notes = field_notes(cls)
    lines = "".join(f"    {text},{'  # ' + notes[field] if field in notes else ''}\n" for field, text in parts.items())
    return plain_types(f"{name}(\n{lines})" if parts else f"{name}()")


def field_notes(cls: type) -> dict[str, str]:
    """What the code says of each field in a comment behind it."""
    try:
        source = inspect.getsource(cls)
    except OSError:
        return {}
    return dict(re.findall(r"^    (\w+): [^#\n]*  # (.+)$", source, re.M))


def attribute_docstrings(cls: type) -> dict[str, str]:
    """What the code says of each attribute with a default in a string below it."""
    try:
        source = inspect.getsource(cls)
    except OSError:
        return {}
    return dict(re.findall(r'^    (\w+): [^\n]* = [^\n]*\n    """(.+)"""$', source, re.M))


def field_text(each: Field[Any]) -> str:
    """A field of a dataclass as an argument."""
    if is_dataclass(each.default):
        return f"{each.name}: {each.type} = …"
    if isinstance(each.default, Enum):
        return f"{each.name}: {each.type} = {type(each.default).__name__}.{each.default.name}"
    if each.default is not MISSING:
        return f"{each.name}: {each.type} = {each.default!r}"
    return f"{each.name}: {each.type}" + (" = …" if each.default_factory is not MISSING else "")


def plain_types(text: str) -> str:
    """Annotations as a reader wants them: without quotes and module names."""
    text = re.sub(r"<function (?:[\w.]+\.)?<lambda> at 0x\w+>", "…", text)
    text = re.sub(r"<function ([\w.]+) at 0x\w+>", r"\1", text)
    text = re.sub(r"<built-in function (\w+)>", r"\1", text)
    text = re.sub(r"(?:->|: ) ?'([^']*)'", lambda match: match[0].replace(f"'{match[1]}'", match[1]), text)
    text = re.sub(r'(?:->|: ) ?"([^"]*)"', lambda match: match[0].replace(f'"{match[1]}"', match[1]), text)
    return re.sub(r"\b(?:clew|typing|collections\.abc|pathlib)(?:\.[a-z_]+)*\.(?=[A-Z])", "", text)


def value_text(name: str, value: Any) -> str:
    """A constant: its type, and what it is for."""
    notes = {
        "ALL": "Return it from `Strategy.learn` to have every candidate scored again.",
        "HOLD": "Return it as a score to keep a candidate waiting.",
    }
    if name in notes:
        return notes[name]
    if isinstance(value, Enum):
        return markdown(type(value))
    return markdown(value) if getattr(value, "__doc__", "") else f"`{value!r}`"


def markdown(value: Any) -> str:
    """A docstring as Markdown: doctests become code blocks."""
    parts = [
        f"```pycon\n{part}\n```" if part.lstrip().startswith(">>>") else no_html(part)
        for part in re.split(r"\n\s*\n", inspect.getdoc(value) or "")
    ]
    return "\n\n".join(parts)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each in one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())]


def first_paragraph(value: Any) -> str:
    """What a docstring begins with."""
    return paragraphs(inspect.getdoc(value) or "")[0]


def citation(text: str) -> str:
    """The last paragraph of a strategy's docstring, which cites the paper and has its year."""
    last = paragraphs(text)[-1]
    return last if re.search(r"\b(?:19|20)\d\d\b", last) else ""


def type_name(hint: Any) -> str:
    """A type in words."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        choices = [type_name(choice) for choice in get_args(hint) if choice is not type(None)]
        return " or ".join([*choices, "none"] if type(None) in get_args(hint) else choices)
    if origin is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(hint))
    if origin in (tuple, list):
        return "list"
    return SIMPLE.get(hint, f"`{getattr(hint, '__name__', hint)}`")


def default(each: Field[Any]) -> str:
    """A default as it is typed in TOML; nothing where there is none."""
    value = each.default
    if value is MISSING or value in (None, "", ()):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(f"`{item}`" for item in value) if isinstance(value, tuple) else f"`{value}`"


def joined(items: list[str]) -> str:
    """A list in words."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def table_head(*titles: str) -> str:
    """The two lines that begin a table."""
    return f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}"


def row(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cell_text(cell) for cell in cells)} |"


def cell_text(cell: str) -> str:
    """Bars would end the cell, even inside code."""
    return no_html(" ".join(cell.replace("%%", "%").replace("|", "\\|").split()))


def no_html(text: str) -> str:
    """Text such as <token, offset> is not a tag; our own anchors are."""
    return re.sub(r"<(?!/?span)(?=[a-z/])", "&lt;", text)


def main() -> int:
    """Write the pages, or say which are out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a page is out of date")
    check = parser.parse_args().check
    stale = []
    for name in PAGES:
        page = FOLDER / name
        if not page.exists() or page.read_text(encoding="utf-8") != written(name):
            stale.append(name)
            if not check:
                page.write_text(written(name), encoding="utf-8")
    if check and stale:
        print(f"out of date: {', '.join(stale)}; run python tools/reference.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
