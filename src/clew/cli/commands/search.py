"""Search the pages of a crawl: titles and main texts, the best pages first.

All words must occur; English words are found in all their forms. In a query,

  "tall ship"            keeps words together
  schooner OR brig       offers a choice; parentheses group
  NOT model, -model      excludes
  schoon*                stands for any ending
  title:sailing          looks in titles only

Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer text is found by any part of it. The crawl
may be running: pages can be found as soon as they are committed. A folder without an index, from an
earlier version or a crawl with --no-main-text, gets it first.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from clew.cli.progress import progress
from clew.cli.terminal import clean, counted, dump, err, number, out, printable

if TYPE_CHECKING:
    from clew.store import Hit, Records

MAX_TITLE_CHARACTERS = 200

EXAMPLES = """
  clew search crawls/baltic 'wooden boats'
  clew search crawls/baltic '"tall ship" OR schoon*' --limit 20
  clew search crawls/baltic 'title:sailing -model' --all --json
  clew search crawls/baltic regatta --for 'sailing AND NOT model'
"""


def flags(parser: argparse.ArgumentParser) -> None:
    """Add the folder, the query and the choice of pages."""
    parser.add_argument("folder", metavar="FOLDER", help="crawl folder; the crawl may be running")
    parser.add_argument("query", metavar="QUERY", nargs="+", help="words to look for; see above")
    parser.add_argument("--all", action="store_true", help="search all pages, not only the relevant ones")
    parser.add_argument(
        "--for",
        dest="interest",
        default="",
        metavar="FORMULA",
        help="order the pages by their relevance to this interest, too, and leave out those without any",
    )
    parser.add_argument(
        "--limit", type=_positive, default=10, metavar="N", help="maximum number of pages (default: 10)"
    )


def run(args: argparse.Namespace) -> int:
    """Print the pages; exit with 1 if there are none, as grep does."""
    from clew.store import Records, make_texts

    folder = Path(args.folder)
    with progress("making the search index", silent=args.quiet or args.json) as advance:
        make_texts(folder, advance)
    with closing(Records(folder)) as records:
        hits = _hits(records, args)
    if args.json:
        dump([_plain(hit) for hit in hits])
    elif hits:
        for hit in hits:
            _show(hit)
    elif not args.quiet:
        hint = "" if args.all else " among the relevant pages; --all searches all of them"
        err().print(f"Nothing found{hint}.", markup=False)
    if hits and len(hits) == args.limit and not args.quiet and not args.json:
        err().print(f"The best {counted(len(hits), 'page')}; --limit N shows more.", style="dim", markup=False)
    return 0 if hits else 1


def _hits(records: Records, args: argparse.Namespace) -> list[Hit]:
    query = " ".join(args.query)
    if not args.interest:
        return records.search(query, relevant=not args.all, limit=args.limit)
    from clew.core.search_for import search_for

    return search_for(records, query, args.interest, relevant=not args.all, limit=args.limit)


def _show(hit: Hit) -> None:
    console = out()
    title = clean(hit.title)[:MAX_TITLE_CHARACTERS] or "(no title)"
    verdict = "" if hit.record.relevant else ", not relevant"
    console.print(Text(title, style="bold"), soft_wrap=True)
    console.print(
        Text.assemble((clean(hit.url), "cyan"), (f"  {number(hit.record.relevance)}{verdict}", "dim")), soft_wrap=True
    )
    snippet = Text()
    for text, is_match in hit.parts:
        # Without colours, marks must show what matches.
        if is_match and not console.is_terminal:
            snippet.append(f"*{printable(text)}*")
        else:
            snippet.append(printable(text), style="bold yellow" if is_match else "")
    console.print(snippet)
    console.print()


def _plain(hit: Hit) -> dict[str, Any]:
    return {
        "url": hit.url,
        "title": hit.title,
        "snippet": hit.snippet,
        "parts": hit.parts,
        "score": hit.score,
        "relevance": hit.record.relevance,
        "relevant": hit.record.relevant,
        "language": hit.record.language,
    }


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value
