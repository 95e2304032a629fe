"""Crawl the web for what you are interested in.

Say what you want as a formula over words and topics, and name some start pages. Every setting
can also stand in a TOML file; flags win over the file. Press Ctrl-C once to stop cleanly, twice to
leave at once.
"""

from __future__ import annotations

import argparse

from clew.cli.flags import add_config, add_settings, config_of
from clew.cli.live import watching
from clew.cli.summary import report
from clew.config import Config, configure
from clew.errors import ConfigError

EXAMPLES = """
  clew crawl 'sailing AND (ruegen OR hiddensee)' --seeds https://example.org/sailing --pages 500
  clew crawl 'wind AND NOT advertising' -s @start-pages.txt --strategy 'best_first(n=8)'
  clew crawl --config sailing.toml --folder crawls/baltic --minutes 30
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """The formula, the file, and one flag for each setting."""
    parser.usage = "clew crawl [FORMULA] [-s URL [URL ...]] [-c FILE] [--flag VALUE ...]"
    parser.add_argument("formula", metavar="FORMULA", nargs="?", help="what is wanted (the setting 'interest')")
    add_config(parser)
    add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Crawl, watch, report."""
    config = wanted(args)
    from clew import api  # after the first checks: it takes a while to import

    with watching(config, args.quiet or args.json) as eyes:
        result = api.crawl(config.what.interest, config.what.seeds, config=config, **eyes)
    return report(result, args)


def wanted(args: argparse.Namespace) -> Config:
    """The settings of the file and the flags, with the formula on top."""
    config = config_of(args)
    for seed in config.what.seeds:
        if "." not in seed and "://" not in seed:  # --seeds takes all that follows, also a formula
            raise ConfigError(f"{seed!r} is not a URL; the formula stands before --seeds, a list of URLs is '@FILE'")
    return config if args.formula is None else configure(config, interest=args.formula)
