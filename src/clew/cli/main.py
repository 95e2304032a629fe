"""The command `clew`: reads the arguments, runs one command, turns errors into messages and exit codes."""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import sys
import traceback
from collections.abc import Sequence
from importlib import metadata
from typing import NoReturn

from clew.cli.commands import Command, commands
from clew.errors import ClewError
from clew.version import __version__

FINE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class Parser(argparse.ArgumentParser):
    """Exact flags only: `--seed` (a number) must never be taken for `--seeds`."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Format, **options})  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """One clear line instead of the whole usage."""
        self.exit(USAGE, f"clew: {message}\nTry '{self.prog} --help'.\n")


class _Format(argparse.RawDescriptionHelpFormatter):
    """A wider column for the flags, so that most of them stay on one line."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=34, width=min(shutil.get_terminal_size().columns, 110) - 2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if "" not in sys.path:
        sys.path.insert(0, "")  # the user's own predicates lie beside the user
    try:
        args = _arguments(list(sys.argv[1:] if argv is None else argv))
        code = int(args.run(args))
        sys.stdout.flush()  # here a closed pipe can still be met with grace
        return code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except ClewError as error:
        return _say(f"clew: {error}", FAILED)
    except BrokenPipeError:  # `clew export … | head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except KeyboardInterrupt:
        _leave()
    except Exception as error:
        return _say(_apology(error), FAILED)


def build_parser() -> Parser:
    """The parser with every command of the folder."""
    parser = Parser(
        prog="clew",
        description="A focused web crawler: say what you want and where to start.",
        epilog="examples:\n  clew demo\n  clew crawl 'sailing AND ruegen' --seeds https://example.org/",
    )
    parser.add_argument("--version", action="version", version=f"clew {__version__}")
    listed = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, command in commands().items():
        _add(listed, name, command)
    return parser


def _add(listed: argparse._SubParsersAction[Parser], name: str, command: Command) -> None:
    text = (command.__doc__ or "").strip()
    parser = listed.add_parser(
        name,
        help=text.partition("\n")[0].rstrip("."),
        description=text,
        epilog="examples:\n" + command.EXAMPLES.strip("\n"),
    )
    common(parser)
    command.flags(parser)
    parser.set_defaults(run=command.run, parser=parser)


def common(parser: argparse.ArgumentParser) -> None:
    """The flags that every command has."""
    for flag, text in {"--json": "machine-readable results on stdout", "--quiet": "results only"}.items():
        parser.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=text)
    parser.set_defaults(json=False, quiet=False)


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = build_parser()
    if not argv:
        parser.print_help(sys.stderr)
        parser.exit(USAGE)
    names = list(commands())
    if not argv[0].startswith("-") and argv[0] not in names:
        parser.error(f"there is no command {argv[0]!r}{_nearest(argv[0], names)}")
    args, extra = parser.parse_known_args(argv)
    if hasattr(args, "pages") and isinstance(args.pages, list):  # argparse takes no more pages after a flag
        args.pages += [word for word in extra if not word.startswith("-")]
        extra = [word for word in extra if word.startswith("-")]
    if extra:
        _refuse(args.parser, extra)
    return args


def _refuse(parser: Parser, extra: list[str]) -> NoReturn:
    flag = next((word.partition("=")[0] for word in extra if word.startswith("-")), None)
    if flag is None:
        parser.error(f"what is {extra[0]!r}? Put a formula of several words into quotes.")
    parser.error(f"there is no flag {flag}{_nearest(flag, list(parser._option_string_actions))}")


def _nearest(word: str, valid: list[str]) -> str:
    near = difflib.get_close_matches(word, valid, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


def _say(message: str, code: int) -> int:
    print(message, file=sys.stderr)
    return code


def _apology(error: Exception) -> str:
    if os.environ.get("CLEW_DEBUG"):
        traceback.print_exception(error)
    urls = metadata.metadata("clew-crawler").get_all("Project-URL") or []
    where = next((url.partition(", ")[2] for url in urls if url.lower().startswith("issues")), "")
    return (
        f"clew: {type(error).__name__}: {error}\n"
        f"This is a mistake in clew {__version__}, not yours. Please report it"
        f"{' at ' + where if where else ''} with the output of the same command after 'export CLEW_DEBUG=1'."
    )


def _leave() -> NoReturn:
    """At once: threads and open connections must not keep an impatient user waiting."""
    print("\nLeft at once. Nothing that was committed is lost; 'clew resume FOLDER' goes on.", file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)
