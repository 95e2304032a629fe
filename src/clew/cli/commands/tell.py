"""Tell a crawl something while it runs or is stopped.

A running crawl takes orders about once a second; otherwise this command takes them. Each order is
taken exactly once, even if the crawl is killed, and is in one of three states: waiting, taken, or
refused with a reason. Changed settings stay: 'clew resume' goes on with them.

  pause, go-on, stop     send nothing for a while; end the pause; end the run cleanly
  seeds URL...           further start pages, which are visited next
  fetch URL...           fetch these waiting pages next
  drop URL...            never fetch these waiting pages
  favour HOST...         fetch the waiting pages of these hosts before those of others
  unfavour HOST...       treat these hosts like all others again
  block HOST...          never visit these hosts again; allow takes it back
  deny PATTERN...        never visit these again (notation as in the setting deny)
  allow PATTERN...       take back a deny, or widen a scope that allow restricts
  limit NAME=VALUE...    pages, visits, minutes, other limits, parallel, delay; none: no limit
  interest FORMULA       look for something else; all pages are judged again
  threshold X            the relevance from which pages count; all pages are judged again
  focus [FORMULA]        what the strategy ariadne follows; without a formula its own focus

A crawl on several shards is told things in the same way; a pause, the end and the limits hold for all
shards together.

Without an order, or with --list, the command lists all orders with their states.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from rich.table import Table

from clew.cli.logs import add_log_flags
from clew.cli.progress import spinner
from clew.cli.terminal import dump, err, out, words
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.store import Order

EXAMPLES = """
  clew tell crawls/baltic pause
  clew tell crawls/baltic go-on
  clew tell crawls/baltic deny ads.example.org 'https://example.org/shop/'
  clew tell crawls/baltic limit pages=5000 minutes=none delay=2
  clew tell crawls/baltic interest 'sailing AND hiddensee'
  clew tell crawls/baltic focus 'sailing'
  clew tell crawls/baltic fetch https://example.org/baltic/harbours
  clew tell crawls/baltic favour boats.example.org
  clew tell crawls/baltic --list
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the order."""
    parser.usage = "clew tell FOLDER [ORDER [ARGUMENT ...]]"
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder; the crawl may be running")
    parser.add_argument("order", metavar="ORDER", nargs="?", help="what to do; see above")
    parser.add_argument("arguments", metavar="ARGUMENT", nargs="*", help="what the order needs")
    parser.add_argument("--list", action="store_true", help="list all orders with their states")
    add_log_flags(parser)


def run(args: argparse.Namespace) -> int:
    """Give the order, or list those that exist."""
    from clew import api
    from clew.store import Records

    if args.list and args.order:
        raise ConfigError("--list gives no order: leave one of the two out")
    if args.order:
        with spinner("giving the order", silent=args.quiet or args.json):
            orders = [api.tell(args.folder, args.order, *args.arguments)]
    else:
        with closing(Records(args.folder)) as records:
            orders = records.orders()
    if args.json:
        dump([order._asdict() | {"state": order.state} for order in orders])
    elif not orders:
        err().print("This crawl has no orders. To give one: clew tell FOLDER pause", markup=False)
    elif not args.quiet or not args.order:
        out().print(_table(orders))
    # A script must be able to tell an order that was refused from one that was not.
    return 1 if args.order and orders[0].refused else 0


def _table(orders: list[Order]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("order", style="cyan", overflow="fold")
    table.add_column("state", overflow="fold")
    for order in orders:
        table.add_row(words(str(order)), words(order.state))
    return table
