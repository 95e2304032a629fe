"""Show the rules that a crawl has learnt, and export the facts they are made of.

Only strategies that learn rules have some: first_order. Each rule says in Prolog for which links it holds, with the
relevant (+) and other (-) pages behind such links among the visits that it was learnt from, and among later ones.
The facts are all that is known of the links of visited pages, in the predicates of the rules.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from clew.cli.exporting import target
from clew.cli.terminal import dump, err, out, words

if TYPE_CHECKING:
    from clew.strategies import LearnedRule

EXAMPLES = """
  clew rules crawls/baltic
  clew rules crawls/baltic --facts facts.pl
  clew rules crawls/baltic --json | jq -r '.[].rule'
  clew crawl 'sailing' --seeds https://example.org/ --strategy 'first_order(first=300, every=300)'
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """The folder, and where the facts go."""
    parser.add_argument("folder", metavar="FOLDER", help="the crawl folder")
    parser.add_argument("--facts", metavar="FILE", help="write the facts to this file instead (-: stdout)")


def run(args: argparse.Namespace) -> int:
    """Print the rules, or write the facts."""
    from clew import api

    if args.facts:
        _write(args)
    elif args.json:
        dump(api.rules(args.folder))
    else:
        _show(args.folder, api.rules(args.folder))
    return 0


def _write(args: argparse.Namespace) -> None:
    from clew import api

    facts = api.facts(args.folder)
    with target(None if args.facts == "-" else args.facts) as file:
        lines = sum(1 for line in facts.program() if file.write(f"{line}\n".encode()))
    if args.json and args.facts != "-":
        dump({"file": args.facts, "lines": lines})
    elif not args.quiet and not args.json:
        err().print(f"{lines:,} lines of Prolog in {args.facts}", markup=False, soft_wrap=True)


def _show(folder: str, rules: list[LearnedRule]) -> None:
    console = out()
    for number, (rule, good, bad, later, astray) in enumerate(rules, 1):
        console.print(words(f"{number}. {rule}"), soft_wrap=True)
        console.print(f"   learning: +{good:,} -{bad:,}, later: +{later:,} -{astray:,}", style="dim")
    if not rules:
        told = "no rules yet: too few visits, or nothing held often and surely enough"
        advice = "'clew strategies first_order' tells when it learns and what a rule needs"
        err().print(f"{told}; 'clew resume {folder} --pages N' goes on, {advice}", markup=False, soft_wrap=True)
