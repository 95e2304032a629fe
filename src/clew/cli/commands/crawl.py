"""Crawl the web for pages about an interest.

The interest is a formula over words and topics; the crawl begins at the start pages (seeds) and
looks for relevant pages from there. Settings can also be read from a TOML file; flags override the
file. Without start pages, the crawl begins at the examples of its topics, where these are web pages.
Where a flag takes several values, '@FILE' reads them from a file, one per line. A start page
without a scheme is tried with https, then with http.

Press Ctrl-C once to stop cleanly ('clew resume' continues the crawl), twice to stop at once.
"""

from __future__ import annotations

import argparse
import re

from clew.cli.flags import add_config, add_settings, config_of, is_given
from clew.cli.live import watching
from clew.cli.logs import add_log_flags
from clew.cli.summary import report
from clew.config import Config, configure
from clew.errors import ConfigError

EXAMPLES = """
  clew crawl 'sailing AND (ruegen OR hiddensee)' --seeds https://example.org/sailing --pages 500
  clew crawl 'wind AND NOT advertising' -s @start-pages.txt --strategy 'best_first(n=8)'
  clew crawl --config sailing.toml --folder crawls/baltic --minutes 30
  clew crawl sailing -s @start-pages.txt --pages 100000 --shards 8   # one core is not enough
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the formula, the TOML file, and one flag for each setting."""
    parser.usage = "clew crawl [FORMULA] [-s URL [URL ...]] [-c FILE] [--flag VALUE ...]"
    parser.add_argument("formula", metavar="FORMULA", nargs="?", help="what to look for (the setting 'interest')")
    add_config(parser)
    add_log_flags(parser)
    add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Crawl, show the progress, and report the results."""
    config = configured(args)
    # Imported only after the first checks: it takes a while, and a mistyped setting should fail at once.
    from clew import api

    with watching(config, args.quiet or args.json) as observers:
        result = api.crawl(config.what.interest, config.what.seeds, config=config, **observers)
    return report(result, args)


def configured(args: argparse.Namespace) -> Config:
    """Return the settings of the file and the flags, with the formula on top."""
    config = config_of(args)
    for seed in config.what.seeds:
        # --seeds takes every argument that follows it, even a formula.
        if not re.search(r"[.:]|^localhost(/|$)", seed) or " " in seed:
            raise ConfigError(f"{seed!r} is not a URL; put the formula before --seeds, or write '@FILE' to read a list")
    if args.formula is None:
        return config
    if is_given(args, "interest"):
        raise ConfigError("the interest is given twice, as FORMULA and with --interest: leave one of them out")
    return configure(config, interest=args.formula)
