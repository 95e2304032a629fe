"""Show the rules that a strategy has learned, or export the facts behind them.

Only strategies that learn rules have any; of those that come with clew, that is first_order. A rule
is printed in Prolog and says for which links it holds. Below it stand the relevant (+) and other (-)
pages that such links led to: among the visits from which it was learned, and among later visits.
The facts are everything that is known about the links of visited pages, in the predicates that the
rules use.
"""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from clew.cli.exporting import target
from clew.cli.progress import spinner
from clew.cli.terminal import dump, err, out, words

if TYPE_CHECKING:
    from clew.strategies import LearnedRule

EXAMPLES = """
  clew rules crawls/baltic
  clew rules crawls/baltic --facts facts.pl
  clew rules crawls/baltic --json | jq -r '.[].rule'
  clew crawl sailing -s https://example.org/ --strategy 'first_order(predicates="header:server")'
"""
RESTORING = "restoring the state of the crawl"


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the file for the facts."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    parser.add_argument("--facts", metavar="FILE", help="write the facts to this file ('-' for stdout)")


def run(args: argparse.Namespace) -> int:
    """Print the rules, or write the facts."""
    from clew import api

    if args.facts:
        _write_facts(args)
        return 0
    with spinner(RESTORING, silent=args.quiet or args.json):
        rules = api.rules(args.folder)
    if args.json:
        dump(rules)
    else:
        _show(args.folder, rules)
    return 0


def _write_facts(args: argparse.Namespace) -> None:
    from clew import api

    lines = 0
    with spinner(RESTORING, silent=args.quiet or args.json):
        facts = api.facts(args.folder)
    with target(None if args.facts == "-" else args.facts) as file:
        for line in facts.program():
            file.write(f"{line}\n".encode())
            lines += 1
    if args.json and args.facts != "-":
        dump({"file": args.facts, "lines": lines})
    elif not args.quiet and not args.json:
        err().print(f"Wrote {lines:,} lines of Prolog to {args.facts}.", markup=False, soft_wrap=True)


def _show(folder: str, rules: list[LearnedRule]) -> None:
    console = out()
    for number, rule in enumerate(rules, 1):
        learned = f"+{rule.positives:,} -{rule.negatives:,}"
        later = f"+{rule.later_positives:,} -{rule.later_negatives:,}"
        console.print(words(f"{number}. {rule.rule}"), soft_wrap=True)
        console.print(f"   learned from: {learned}, later: {later}", style="dim")
    if not rules:
        advice = (
            "There are no rules yet: there were too few visits, or no rule held often and reliably enough.\n"
            f"To continue the crawl: clew resume {shlex.quote(folder)} --pages N\n"
            "To see when rules are learned and what they need: clew strategies first_order"
        )
        err().print(advice, markup=False, soft_wrap=True)
