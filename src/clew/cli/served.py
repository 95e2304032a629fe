"""The flags that `clew serve` and `clew mcp` share."""

from __future__ import annotations

import argparse

DEFAULT_FOLDER = "crawls"
MAX_PAGES = 200


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add the folders whose crawls are served."""
    parser.add_argument(
        "folders",
        metavar="FOLDER",
        nargs="*",
        help=f"crawl folders, or folders with crawls below them (default: {DEFAULT_FOLDER})",
    )


def folders_of(args: argparse.Namespace) -> list[str]:
    """The folders that were given, or the usual one."""
    return args.folders or [DEFAULT_FOLDER]


def add_max_pages(parser: argparse.ArgumentParser, text: str) -> None:
    """Add the limit of the crawls that a language model starts."""
    parser.add_argument("--max-pages", type=int, default=MAX_PAGES, metavar="N", help=text)
