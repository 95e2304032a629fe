"""The command `clew`: parses the arguments, runs one command, and turns errors into messages and exit codes."""

from __future__ import annotations

import argparse
import difflib
import os
import shlex
import shutil
import sqlite3
import sys
import traceback
from collections.abc import Sequence
from importlib import metadata
from typing import NoReturn

from clew.base.trouble import trouble
from clew.cli.commands import Command, commands
from clew.cli.flags import add_output_flags
from clew.cli.logs import logging_for
from clew.cli.terminal import printable
from clew.errors import ClewError
from clew.version import __version__

# Exit codes; 130 is what a shell reports for a program that Ctrl-C ended.
FINE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 130

EXAMPLES = """examples:
  clew demo                                                         # no network needed
  clew crawl 'sailing AND ruegen' --seeds https://example.org/      # a first crawl
  clew crawl --help                                                 # all settings"""


class Parser(argparse.ArgumentParser):
    """Accepts exact flags only: `--seed` (a number) must never be taken for `--seeds`."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Format, **options})  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Print one clear line instead of the whole usage, and exit."""
        self.exit(USAGE, f"clew: {printable(message)}\nTry '{self.prog} --help'.\n")


class _Format(argparse.HelpFormatter):
    """Gives flags a wide column, fits prose to the terminal, and leaves indented lines as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=34, width=min(shutil.get_terminal_size().columns, 110) - 2)
        # argparse forgets the indentation of commands when it measures them, and would break the line after each.
        self._action_max_length = 14

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n\n")
        for place, paragraph in enumerate(paragraphs):
            is_indented = paragraph.startswith(" ") or "\n " in paragraph
            if not is_indented:
                paragraphs[place] = super()._fill_text(paragraph, width, indent)
        return "\n\n".join(paragraphs)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if "" not in sys.path:
        # Users keep their own strategies, judges and predicates in the current folder.
        sys.path.insert(0, "")
    args = argparse.Namespace()
    try:
        args = _arguments(list(sys.argv[1:] if argv is None else argv))
        with logging_for(args):
            code = int(args.run(args))
        # A closed pipe must show up here, where it can be handled, and not at the end of the interpreter.
        sys.stdout.flush()
        return code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except BrokenPipeError:
        # The reader of the pipe has seen enough, as in `clew export … | head`. Whatever is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except ClewError as error:
        return _say(f"clew: {error}", FAILED)
    except (OSError, sqlite3.Error) as error:
        # BrokenPipeError is one of them, and has a clause of its own above.
        return _report_trouble(error, args)
    except MemoryError:
        return _say("clew: there is not enough memory; lower --parallel or --capacity", FAILED)
    except KeyboardInterrupt:
        _leave()
    except Exception as error:
        return _report_bug(error, getattr(args, "folder", ""))


def build_parser() -> Parser:
    """Build the parser, with every command in the folder `commands`."""
    parser = Parser(
        prog="clew",
        description="A focused web crawler: tell it what you are interested in and where to start.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"clew {__version__}", help="show the version and exit")
    subcommands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in commands().items():
        _add(subcommands, name, command)
    return parser


def _add(subcommands: argparse._SubParsersAction[Parser], name: str, command: Command) -> None:
    text = (command.__doc__ or "").strip()
    parser = subcommands.add_parser(
        name,
        help=text.partition("\n")[0].rstrip("."),
        description=text,
        epilog="examples:\n" + command.EXAMPLES.strip("\n"),
    )
    add_output_flags(parser)
    command.flags(parser)
    parser.set_defaults(run=command.run, parser=parser, json=False, quiet=False)


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = build_parser()
    if not argv:
        parser.print_help(sys.stderr)
        parser.exit(USAGE)
    names = list(commands())
    if not argv[0].startswith("-") and argv[0] not in names:
        parser.error(f"there is no command {argv[0]!r}{_nearest(argv[0], names)}")
    args, extra = parser.parse_known_args(argv)
    # argparse fills a list of positional arguments once; pages that follow a flag come back as unknown.
    if hasattr(args, "pages") and isinstance(args.pages, list):
        args.pages += [word for word in extra if not word.startswith("-")]
        extra = [word for word in extra if word.startswith("-")]
    if extra:
        _refuse(args.parser, extra)
    return args


def _refuse(parser: Parser, extra: list[str]) -> NoReturn:
    flag = next((word.partition("=")[0] for word in extra if word.startswith("-")), None)
    if flag is None:
        parser.error(f"unexpected argument {extra[0]!r}; put a formula of several words in quotes")
    parser.error(f"there is no flag {flag}{_nearest(flag, list(parser._option_string_actions))}")


def _nearest(word: str, valid: list[str]) -> str:
    near = difflib.get_close_matches(word, valid, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


def _say(message: str, code: int) -> int:
    # Messages may quote URLs and titles, which come from strangers.
    print("\n".join(map(printable, message.splitlines())), file=sys.stderr)
    return code


def _report_trouble(error: OSError | sqlite3.Error, args: argparse.Namespace) -> int:
    """Report an error of a disk or a database, which is no mistake of anybody; other ones are."""
    folder = getattr(args, "folder", "")
    # The store names its folder itself; an error of a file that has no name comes from writing to stdout.
    message = trouble(error, folder if isinstance(error, sqlite3.Error) else "the output")
    return _say(f"clew: {message}", FAILED) if message else _report_bug(error, folder)


def _report_bug(error: Exception, folder: str = "") -> int:
    if os.environ.get("CLEW_DEBUG"):
        _say("".join(traceback.format_exception(error)), FAILED)
    urls = metadata.metadata("clew-crawler").get_all("Project-URL") or []
    tracker = next((url.partition(", ")[2] for url in urls if url.lower().startswith("issues")), "")
    return _say(
        f"clew: {type(error).__name__}: {error}\n"
        f"This is a bug in clew {__version__}, or in a strategy, judge or other part of your own. To see where it "
        f"happens, run the same command after 'export CLEW_DEBUG=1'.{_suspicion(folder)}\n"
        f"If it is in clew, please report it with that output{': ' + tracker if tracker else '.'}",
        FAILED,
    )


def _suspicion(folder: str) -> str:
    return f" To rule out that the folder is damaged: clew check {shlex.quote(folder)}" if folder else ""


def _leave() -> NoReturn:
    message = "Stopped at once. Everything that was committed is safe. To continue a crawl: clew resume FOLDER"
    print(f"\n{message}", file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    # An ordinary exit would wait for threads and open connections, and the user has no patience left.
    os._exit(INTERRUPTED)
