"""Show crawls in the browser, steer them, and answer programs (REST, MCP).

The command prints an address and serves until Ctrl-C. Open the address in a browser: it lists the
crawls below the folders, running or not, and starts new ones, which go on when the service ends.
Only this machine can reach it unless --host says otherwise; then give a token of your own, in the
environment variable CLEW_TOKEN or with --token, and put a proxy with TLS in front.

Programs send the token as 'Authorization: Bearer TOKEN'; /openapi.json describes the requests, and
language models connect to /mcp if the extra mcp is installed.
"""

from __future__ import annotations

import argparse
import os

from clew.base.extras import require
from clew.cli.flags import add_config, config_of
from clew.cli.served import add_folders, add_max_pages, folders_of

EXAMPLES = """
  clew serve
  clew serve --demo --open
  clew serve crawls/baltic crawls/north --open
  clew serve crawls --port 0 --config defaults.toml
  CLEW_TOKEN=$(openssl rand -hex 16) clew serve crawls --host 0.0.0.0
"""
DEFAULT_PORT = 8765


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folders, the address, and who may ask."""
    add_folders(parser)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument(
        "--port", type=int, default=DEFAULT_PORT, help="port to listen on; 0 takes a free one (default: %(default)s)"
    )
    parser.add_argument(
        "--token", default="", help="token that every request must have (default: CLEW_TOKEN, or a new one)"
    )
    parser.add_argument(
        "--name",
        dest="names",
        action="append",
        default=[],
        metavar="HOST",
        help="further host name under which the service is reached, as behind a proxy; may be repeated",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--demo", action="store_true", help="crawl the synthetic web of clew demo, to see the page at work"
    )
    add_max_pages(parser, "most pages of a crawl that a language model starts through MCP (default: %(default)s)")
    add_config(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    require("uvicorn", "the web page and the REST interface")
    require("starlette", "the web page and the REST interface")
    from clew.serve.running import Place, run

    place = Place(
        host=args.host,
        port=args.port,
        token=args.token or os.environ.get("CLEW_TOKEN", ""),
        names=args.names,
        opens=args.open,
    )
    run(folders_of(args), place, config_of(args), args.max_pages, args.demo)
    return 0
