"""Let a language model use crawls: an MCP server on standard input and output.

The model can list crawls, start one (200 pages at most unless --max-pages says otherwise), ask for
its status, look at its best pages, search and read them, explain and label them, and stop it. Crawls
go on when the server ends. Text from the web is marked as untrusted.

A program starts this command itself. 'clew serve' offers the same over HTTP, at /mcp.
"""

from __future__ import annotations

import argparse

from clew.base.extras import require
from clew.cli.flags import add_config, config_of
from clew.cli.served import add_folders, add_max_pages, folders_of

EXAMPLES = """
  clew mcp
  clew mcp crawls/baltic
  clew mcp crawls --max-pages 1000
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folders and the limit."""
    add_folders(parser)
    add_max_pages(parser, "most pages of a crawl that the model starts (default: %(default)s)")
    add_config(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the client closes the connection."""
    require("mcp", "MCP servers")
    from clew.serve.data import CrawlFolders
    from clew.serve.mcp_server import run_stdio
    from clew.serve.service import Service

    run_stdio(Service(CrawlFolders(folders_of(args)), config_of(args)), args.max_pages)
    return 0
