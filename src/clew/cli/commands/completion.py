"""Print a script that completes commands, flags and files in a shell.

bash, zsh and fish are supported. The script belongs into a file that the shell reads when it starts;
the examples show one for each. For zsh, ~/.zshrc must have the folder in its fpath before compinit.
"""

from __future__ import annotations

import argparse
from typing import Final

EXAMPLES = """
  clew completion bash > ~/.local/share/bash-completion/completions/clew
  clew completion zsh > ~/.zfunc/_clew      # in ~/.zshrc: fpath+=~/.zfunc
  clew completion fish > ~/.config/fish/completions/clew.fish
"""
SHELLS: Final = ("bash", "zsh", "fish")
FILES: Final = {"FILE", "EXPERIMENT.toml", "FOLDER", "PATH"}
"""The arguments that are completed with the names of files."""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the name of the shell."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"name of the shell: {', '.join(SHELLS)}")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from clew.cli.main import build_parser

    parser = build_parser()
    _complete_files(parser, shtab.FILE)
    print(shtab.complete(parser, args.shell))
    return 0


def _complete_files(parser: argparse.ArgumentParser, file: object) -> None:
    """Mark every argument that is a file, in all commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _complete_files(command, file)
        elif action.metavar in FILES:
            action.complete = file  # type: ignore[attr-defined]  # shtab looks for this attribute
