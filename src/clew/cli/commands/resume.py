"""Continue a crawl that was stopped, killed or interrupted.

The crawl goes on where it stopped and visits no page twice. The flags change its settings; settings
that are not given stay as they are. Limits such as --pages count from the beginning of the crawl, not
of this run. With another interest or judge, all pages are judged again and all candidates scored
again before the crawl goes on. Another strategy first learns from all pages, then scores all candidates.
"""

from __future__ import annotations

import argparse
import shlex
from contextlib import closing
from typing import TYPE_CHECKING

from clew.cli.flags import add_settings, chosen
from clew.cli.live import watching
from clew.cli.logs import add_log_flags
from clew.cli.summary import report
from clew.cli.terminal import err
from clew.config import Config, configure

if TYPE_CHECKING:
    from clew.store import Records

EXAMPLES = """
  clew resume crawls/baltic
  clew resume crawls/baltic --pages 5000 --delay 2
  clew resume crawls/baltic --interest 'sailing AND hiddensee' --pages 5000
  clew resume crawls/baltic --strategy shark
"""
LEARNING_SETTINGS = ("interest", "threshold", "judge", "topic_model", "strategy")
"""With another value for one of these there is work to do even if no page may be visited."""


class _FixedStartPages(argparse.Action):
    """Refuses start pages: the nearest flag that argparse would suggest has nothing to do with them."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error(
            "the start pages of a crawl cannot be changed; start a new crawl (--learned-from FOLDER keeps what was "
            "learned)"
        )


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the settings that can be changed."""
    parser.usage = "clew resume FOLDER [--flag VALUE ...]"
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder")
    add_log_flags(parser)
    parser.add_argument("-s", "--seeds", nargs="*", action=_FixedStartPages, help=argparse.SUPPRESS)
    add_settings(parser, ("what",), only=LEARNING_SETTINGS, show_defaults=False)
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
        advice = "" if any(name in settings for name in LEARNING_SETTINGS) else _how_to_go_on(records, config)
    if advice and not args.quiet and not args.json:
        # The summary alone would look as if the crawl had run again.
        err().print(advice, markup=False, soft_wrap=True)
    with watching(config, args.quiet or args.json) as observers:
        # The live view is a sink as well; it comes on top of those that the user names.
        sinks = [*settings.pop("sinks", ()), *observers.pop("sinks", ())]
        result = api.resume(args.folder, sinks=sinks, **observers, **settings)
    return report(result, args)


def _how_to_go_on(records: Records, config: Config) -> str:
    """Say that a crawl is finished, and how it can go further; "" if there is something left to do."""
    from clew.core.stop import EXHAUSTED, reached_limit

    if reached := reached_limit(config.until, records.stats()):
        name, limit, reason = reached
        flag = f"--{name.replace('_', '-')} {_further(name, limit)}"
        return f"The crawl is finished: {reason}. To go further: clew resume {shlex.quote(str(records.folder))} {flag}"
    if records.reason.startswith(EXHAUSTED):
        return (
            f"The crawl is finished: {records.reason}. A new crawl with other start pages or a wider scope finds more."
        )
    return ""


def _further(name: str, limit: float) -> str:
    """A limit with which the crawl can go on for as long as before; one that it has fallen below is switched off."""
    return "none" if name.startswith("min_") else f"{2 * limit:.15g}"
