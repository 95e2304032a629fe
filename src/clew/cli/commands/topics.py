"""List the topics of a configuration file, or test them before a crawl.

'clew topics test' shows how a formula judges pages, part by part. It also measures by
cross-validation how well each topic with examples tells its pages from others.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from rich.text import Text
from rich.tree import Tree

from clew.cli import topic_check
from clew.cli.flags import add_config, add_output_flags, add_settings, config_of
from clew.cli.terminal import clean, dump, out, say
from clew.config import Topic
from clew.errors import ConfigError

EXAMPLES = """
  clew topics --config sailing.toml
  clew topics test 'sailing AND NOT advertising' --config sailing.toml
  clew topics test 'sailing AND ruegen' page.html https://example.org/boats
"""
ROOT = "ANY"
TEST = """Show how a formula judges pages, part by part, and how well each topic with examples tells its
pages from others (by cross-validation). A bare formula over words needs no configuration file."""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the configuration file, and the subcommand `test` with its formula and pages."""
    add_config(parser)
    inner = parser.add_subparsers(title="commands", metavar="test")
    # Only now: argparse would put the usage into the name of the subcommand.
    parser.usage = "clew topics [test FORMULA ...] [-c FILE]"
    test = inner.add_parser(
        "test",
        help="judge pages by a formula, part by part, and cross-validate topics with examples",
        description=TEST,
        usage="clew topics test FORMULA [FILE_OR_URL ...] [-c FILE] [--flag VALUE ...]",
        epilog="examples:\n" + EXAMPLES.strip("\n"),
    )
    test.add_argument("formula", metavar="FORMULA", help="interest by which to judge the pages")
    test.add_argument(
        "pages",
        metavar="FILE_OR_URL",
        nargs="*",
        default=[],
        help="pages to judge: files, folders with files, or URLs",
    )
    add_output_flags(test)
    add_config(test)
    add_settings(test, ("what",), only=("threshold", "semantics", "topic_model"))
    add_settings(test, ("fetch",))
    test.set_defaults(parser=test)


def run(args: argparse.Namespace) -> int:
    """Print the topics, or the results of the test."""
    from clew.interests import Taxonomy

    config = config_of(args)
    if hasattr(args, "formula"):
        return topic_check.run(args, config)
    if not config.topics:
        raise ConfigError("there are no topics; name a TOML file with topics: clew topics --config FILE")
    # A crawl would refuse topics with an unknown parent or a cycle; so must this list.
    Taxonomy(config.topics)
    if args.json:
        dump(config.topics)
    elif args.quiet:
        say("\n".join(config.topics))
    else:
        out().print(taxonomy(config.topics))
    return 0


def taxonomy(topics: Mapping[str, Topic]) -> Tree:
    """Draw the topics below their parents."""
    root = Tree(Text(ROOT, style="dim"), guide_style="dim")
    branches = {ROOT: root}
    waiting = dict(topics)
    # A child may be defined before its parent, so several rounds can be needed.
    while waiting:
        ready = [name for name, topic in waiting.items() if topic.parent in branches]
        for name in ready or list(waiting):
            parent = branches.get(waiting[name].parent, root)
            branches[name] = parent.add(_line(name, waiting.pop(name)))
    return root


def _line(name: str, topic: Topic) -> Text:
    text = Text(clean(name), style="bold cyan")
    if topic.keywords:
        text.append("  " + clean(", ".join(topic.keywords), 60), "default not bold")
    if topic.examples:
        text.append("  examples: " + clean(", ".join(topic.examples), 60), "green not bold")
    return text.append(f"  weight {topic.weight:g}" if topic.weight != 1 else "", "dim not bold")
