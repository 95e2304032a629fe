"""Answer questions about the pages whose label would teach the judge most, one page at a time.

The command shows pages near the threshold, unlike each other and from several hosts: the title, the
main text with the words of the interest marked, and why the judge is not sure. After each answer it
says what has changed: the judge learns, and other pages may count now, or no longer.

  y         the page is relevant
  n         it is not
  space, s  skip it
  u         go back to the page before; your new answer replaces the earlier one
  q         quit; all answers are kept

Twenty answers are often enough. The crawl may be running: it takes each label with its next commit.
Answers are labels as 'clew label' gives them, and 'clew label FOLDER' lists them.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from clew.cli.keyboard import END, read_key
from clew.cli.progress import spinner
from clew.cli.terminal import clean, counted, dump, err, number, out, printable

if TYPE_CHECKING:
    from clew.core.reviewing import Review
    from clew.store import Record

EXAMPLES = """
  clew review crawls/baltic
  clew review crawls/baltic --user anna
  clew review crawls/baltic --json                   # the next questions, without asking
"""
KEYS = "[y] relevant  [n] not  [space] skip  [u] back  [q] quit"
SCREEN_LINES = 12  # around the text
MIN_TEXT_LINES = 8
PIPE_LINES = 12
NO_LEARNING = "The judge of this crawl does not learn from labels of this kind: each answer decides for its page only."


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder and the user."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder; the crawl may be running")
    parser.add_argument("--user", default="", metavar="NAME", help="whose answers these are")
    parser.add_argument("-n", "--lines", type=int, default=20, metavar="N", help="questions with --json (default: 20)")


def run(args: argparse.Namespace) -> int:
    """Ask until the user has had enough."""
    from clew.core.reviewing import Review
    from clew.store import Records

    if args.json:
        with Records(args.folder) as records:
            dump([_plain(page) for page in records.unsure(args.lines)])
        return 0
    with Review(args.folder, args.user) as review:
        if review.page is None:
            err().print("There is nothing to ask: no page of this crawl has been judged yet.", markup=False)
            return 1
        if review.records.config.what.judge != "learning":
            err().print(NO_LEARNING, style="dim", markup=False)
        _ask(review, args.quiet)
    return 0


def _ask(review: Review, silent: bool) -> None:
    console = out()
    while page := review.page:
        _show(console, review, page)
        if not _handle(console, review, silent):
            break
    else:
        console.print("That was the last page to ask about.")
    answers = counted(len(review.answers), "answer")
    hint = f"; 'clew label {review.folder}' lists them" if review.answers else ""
    err().print(f"{answers} kept{hint}.", style="dim", markup=False)


def _handle(console: Console, review: Review, silent: bool) -> bool:
    """Wait for a key that means something, and do it; whether to go on."""
    while True:
        key = read_key()
        if key in ("q", END):
            return False
        if key in ("y", "n"):
            with spinner("the judge learns", silent=silent):
                effect = review.answer(key == "y")
            verdict = "relevant" if key == "y" else "not relevant"
            console.print(Text(f"→ {verdict}; {effect.sentence}.", style="green" if key == "y" else "red"))
            return True
        if key in (" ", "s"):
            review.skip()
            return True
        if key == "u":
            if review.back():
                return True
            console.print("There is no page before this one.", style="dim")


def _show(console: Console, review: Review, page: Record) -> None:
    # The modules of a page are needed only when there is one.
    from clew.cli.marking import marked_text, why

    lines = max(MIN_TEXT_LINES, console.height - SCREEN_LINES) if console.is_terminal else PIPE_LINES
    console.rule(style="dim")
    console.print(Text(clean(page.title, 200) or "(no title)", style="bold"))
    console.print(Text(clean(page.url), style="cyan"), soft_wrap=True)
    console.print(_standing(review, page))
    for line in why(review.records, page):
        console.print(line)
    console.print()
    console.print(marked_text(review.records, page, lines, console.width, plain=not console.is_terminal))
    console.print()
    console.print(Text(f"Is this page relevant to {printable(review.records.config.what.interest)}?", style="bold"))
    console.print(Text(KEYS, style="dim"))


def _standing(review: Review, page: Record) -> Text:
    side = "counts now" if page.relevant else "does not count now"
    text = f"relevance {number(page.relevance)}, threshold {number(review.records.threshold)}: it {side}"
    earlier = review.answers.get(page.url)
    if earlier is not None:
        text += f"; you said it is {'relevant' if earlier else 'not relevant'}"
    return Text(text, style="dim")


def _plain(page: Record) -> dict[str, object]:
    return {
        "url": page.url,
        "title": page.title,
        "host": page.host,
        "relevance": page.relevance,
        "relevant": page.relevant,
    }
