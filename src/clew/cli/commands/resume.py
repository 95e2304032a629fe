"""Go on with a crawl that was stopped, from where it stood.

Nothing is visited twice. Limits and politeness may be changed on the way. Under another interest, all
pages are judged again and all candidates scored again first. Another strategy first learns from all
pages, then scores all candidates.
"""

from __future__ import annotations

import argparse
from contextlib import closing

from clew.cli.flags import add_settings, chosen
from clew.cli.live import watching
from clew.cli.summary import report
from clew.config import configure

EXAMPLES = """
  clew resume crawls/baltic
  clew resume crawls/baltic --pages 5000 --delay 2
  clew resume crawls/baltic --interest 'sailing AND hiddensee' --pages 5000
  clew resume crawls/baltic --strategy shark
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """The folder and the settings that may change."""
    parser.usage = "clew resume FOLDER [--flag VALUE ...]"
    parser.add_argument("folder", metavar="FOLDER", help="the crawl folder")
    add_settings(parser, ("what",), only=("interest", "threshold", "strategy"))
    add_settings(parser, ("until", "fetch"))


def run(args: argparse.Namespace) -> int:
    """Crawl on, watch, report."""
    from clew import api
    from clew.store import Records

    settings = chosen(args)
    with closing(Records(args.folder)) as records:
        config = configure(records.config, **settings)
    with watching(config, args.quiet or args.json) as eyes:
        result = api.resume(args.folder, **eyes, **settings)
    return report(result, args)
