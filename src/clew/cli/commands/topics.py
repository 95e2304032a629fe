"""List the topics of a configuration, or test them before the crawl."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from rich.text import Text
from rich.tree import Tree

from clew.cli import topic_check
from clew.cli.flags import add_config, add_settings, config_of
from clew.cli.terminal import clean, dump, out
from clew.config import Topic
from clew.errors import ConfigError

EXAMPLES = """
  clew topics --config sailing.toml
  clew topics test 'sailing AND NOT advertising' --config sailing.toml
  clew topics test 'sailing AND ruegen' page.html https://example.org/boats
"""
ROOT = "ANY"


def flags(parser: argparse.ArgumentParser) -> None:
    """A file, and perhaps the word `test` with a formula and pages."""
    add_config(parser)
    inner = parser.add_subparsers(metavar="test")
    test = inner.add_parser(
        "test",
        help="judge pages by a formula, part by part, and cross-validate topics with examples",
        epilog="examples:\n" + EXAMPLES.strip("\n"),
    )
    test.add_argument("formula", metavar="FORMULA", help="the interest")
    test.add_argument("pages", metavar="FILE_OR_URL", nargs="*", default=[], help="pages to judge")
    add_config(test)
    add_settings(test, ("what", "fetch"))
    test.set_defaults(parser=test)
    for flag in ("--json", "--quiet"):
        test.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Print the taxonomy, or the judgements."""
    from clew.interests import Taxonomy

    config = config_of(args)
    if hasattr(args, "formula"):
        return topic_check.run(args, config)
    if not config.topics:
        raise ConfigError("no topics: name a file that has some with --config FILE")
    Taxonomy(config.topics)  # refuses what a crawl would refuse
    if args.json:
        dump(config.topics)
    elif args.quiet:
        print("\n".join(config.topics))
    else:
        out().print(taxonomy(config.topics))
    return 0


def taxonomy(topics: Mapping[str, Topic]) -> Tree:
    """The topics under their parents; a parent that is no topic itself hangs at the root."""
    root = Tree(Text(ROOT, style="dim"), guide_style="dim")
    branches = {ROOT: root}
    waiting = dict(topics)
    while waiting:
        ready = [name for name, topic in waiting.items() if topic.parent in branches]
        for name in ready or list(waiting):
            parent = branches.get(waiting[name].parent, root)
            branches[name] = parent.add(_line(name, waiting.pop(name)))
    return root


def _line(name: str, topic: Topic) -> Text:
    text = Text(clean(name), style="bold cyan")
    if topic.keywords:
        text.append("  " + clean(", ".join(topic.keywords), 80), "default not bold")
    if topic.examples:
        text.append("  examples: " + clean(", ".join(topic.examples), 60), "green not bold")
    return text.append(f"  weight {topic.weight:g}" if topic.weight != 1 else "", "dim not bold")
