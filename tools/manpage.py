"""Writes the manual page from the code itself; it is installed with the package.

python tools/manpage.py             # write docs/clew.1
python tools/manpage.py --check     # only say whether it is out of date; exit code 1 if it is
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from clew.cli.main import build_parser
from clew.version import __version__

PAGE = Path(__file__).resolve().parents[1] / "docs" / "clew.1"


def page() -> str:
    """The manual page in the format of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    parser = build_parser()
    commands = _commands(parser)
    yield f'.TH CLEW 1 "" "clew {__version__}" "User Commands"'
    yield ".SH NAME\nclew \\- a focused web crawler"
    yield ".SH SYNOPSIS\n.B clew\n.I COMMAND\n[\\fIARGUMENTS\\fR]"
    yield f".SH DESCRIPTION\n{_text(parser.description or '')}"
    yield f".SH EXAMPLES\n.nf\n{_text((parser.epilog or '').removeprefix('examples:').strip(chr(10)))}\n.fi"
    for name, command in commands.items():
        yield from _command(name, command)
    yield ".SH FILES\n.TP\n.I crawls/NAME\nthe folder of a crawl: settings, database, archive and report"
    yield ".SH EXIT STATUS\n0: done; 1: failed; 2: wrong usage; 130: interrupted, and everything committed is safe."


def _command(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    yield f".SH CLEW {_text(name.upper())}"
    yield _text(command.description or "")
    yield from _arguments(command)
    for inner_name, inner in _commands(command).items():
        yield f".SS clew {_text(name)} {_text(inner_name)}\n{_text(inner.description or '')}"
        yield from _arguments(inner)


def _arguments(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:
        if action.help in (None, argparse.SUPPRESS) or isinstance(action, argparse._SubParsersAction):
            continue
        names = ", ".join(action.option_strings)
        value = "" if action.nargs == 0 else command._get_formatter()._format_args(action, (action.dest).upper())
        shown = action.help.replace("%(default)s", str(action.default)).replace("%%", "%")
        yield f".TP\n\\fB{_text(names)}\\fR \\fI{_text(value)}\\fR\n{_text(shown)}"


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _text(text: str) -> str:
    """Text that man does not take for requests; paragraphs stay apart."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    escaped = re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)
    return re.sub(r"\n{2,}", "\n.PP\n", escaped)


def main() -> int:
    """Write the page, or check it."""
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    return 0 if PAGE.read_text(encoding="utf-8") == page() else 1


if __name__ == "__main__":
    sys.exit(main())
