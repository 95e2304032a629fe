"""Continue a crawl that was stopped, killed or interrupted.

The crawl goes on where it stopped and visits no page twice. The flags change its settings; settings
that are not given stay as they are. Limits such as --pages count from the beginning of the crawl, not
of this run. With another interest or judge, all pages are judged again and all candidates scored
again before the crawl goes on. Another strategy first learns from all pages, then scores all candidates.
"""

from __future__ import annotations

import argparse
from contextlib import closing

from clew.cli.flags import add_settings, chosen
from clew.cli.live import watching
from clew.cli.logs import add_log_flags
from clew.cli.summary import report
from clew.config import configure

EXAMPLES = """
  clew resume crawls/baltic
  clew resume crawls/baltic --pages 5000 --delay 2
  clew resume crawls/baltic --interest 'sailing AND hiddensee' --pages 5000
  clew resume crawls/baltic --strategy shark
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the settings that can be changed."""
    parser.usage = "clew resume FOLDER [--flag VALUE ...]"
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    add_log_flags(parser)
    add_settings(parser, ("what",), only=("interest", "threshold", "judge", "strategy"), show_defaults=False)
    add_settings(parser, ("until", "fetch"), show_defaults=False)
    add_settings(parser, ("keep",), only=("sinks",), show_defaults=False)


def run(args: argparse.Namespace) -> int:
    """Crawl on, show the progress, and report the results."""
    from clew import api
    from clew.store import Records

    settings = chosen(args)
    # The live view needs all settings of the crawl, not only those that change.
    with closing(Records(args.folder)) as records:
        config = configure(records.config, **settings)
    with watching(config, args.quiet or args.json) as observers:
        # The live view is a sink as well; it comes on top of those that the user names.
        sinks = [*settings.pop("sinks", ()), *observers.pop("sinks", ())]
        result = api.resume(args.folder, sinks=sinks, **observers, **settings)
    return report(result, args)
