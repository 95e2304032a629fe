"""`clew topics test`: measures how good topics are, and shows how a formula judges pages, part by part."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clew.cli.progress import spinner
from clew.cli.summary import facts
from clew.cli.terminal import clean, counted, dump, err, number, out, percent, plain, words
from clew.config import Config, configure
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.interests import Quality
    from clew.types import Doc, Judgement


def run(args: argparse.Namespace, config: Config) -> int:
    """Cross-validate the topics that have examples, and judge the pages."""
    from clew.core.build import build_interest, fixed_threshold
    from clew.core.examples import ExampleReader

    config = configure(config, interest=args.formula)
    _check_files(args.pages)
    judged: list[tuple[Doc, Judgement]] = []
    waiting = spinner("reading pages and testing topics", silent=args.quiet or args.json)
    with waiting, ExampleReader(config.fetch) as read:
        interest = build_interest(config, read)
        qualities = tested(config, read)
        for place in args.pages:
            judged += [(doc, interest.judge(doc)) for doc in read(place)]
    if args.json:
        pages = [{"url": doc.url, "title": doc.title, **plain(judgement)} for doc, judgement in judged]
        dump({"interest": str(interest), "topics": qualities, "pages": pages})
        return 0
    shown: list[RenderableType] = [_page(doc, judgement, fixed_threshold(config)) for doc, judgement in judged]
    if not args.quiet:
        shown = [facts({"interest": str(interest)}), *map(_quality, qualities), *shown]
        if not judged:
            err().print("To see how the formula judges pages, name some: clew topics test FORMULA FILE_OR_URL ...")
    out().print(Group(*shown))
    return 0


def _check_files(places: list[str]) -> None:
    for place in places:
        if "://" not in place and not Path(place).exists():
            raise ConfigError(f"there is no file {place}; a URL begins with https:// or http://")


def tested(config: Config, read: Callable[[str], list[Doc]]) -> list[Quality]:
    """Cross-validate every topic that has examples, of its own or below it."""
    from clew.interests import Taxonomy, cross_validate

    tree = Taxonomy(config.topics)
    names = [name for name in config.topics if tree.examples(name)]
    return [cross_validate(name, config.topics, read=read, topic_model=config.what.topic_model) for name in names]


def _quality(quality: Quality) -> RenderableType:
    others = "ordinary text"
    if not quality.against_background:
        others = counted(quality.counter_examples, "example") + " of other topics"
    rows: dict[str, RenderableType] = {
        "examples": f"{quality.examples}, cross-validated against {others}",
        "precision": f"{percent(quality.precision)}, recall {percent(quality.recall)}, F1 {number(quality.f1)}",
        "ranking": f"average precision {number(quality.average_precision)}; by chance {number(quality.chance)}",
    }
    if quality.words_for:
        rows["for it"] = words(", ".join(word for word, _ in quality.words_for))
    if quality.words_against:
        rows["against it"] = words(", ".join(word for word, _ in quality.words_against))
    return Group(Text(f"\n{clean(quality.topic)}", style="bold cyan"), facts(rows))


def _page(doc: Doc, judgement: Judgement, threshold: float | None) -> RenderableType:
    """Show the relevance of a page and its membership in each topic."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    mark = ""
    # Without a threshold of the user's, only the start pages of a crawl can tell what is relevant.
    if threshold is not None:
        mark = "  relevant" if judgement.relevant else "  not relevant"
    table.add_row(Text("relevance", style="bold"), _bar(judgement.relevance), Text(mark, style="bold"))
    for name, membership in judgement.topics.items():
        table.add_row(words(name), _bar(membership))
    title = Text("\n").append_text(words(doc.title or "(no title)", "bold", 80)).append("\n")
    return Group(title.append_text(words(doc.url, "cyan")), table)


def _bar(value: float) -> Text:
    return Text(f"{value:.3f} ", style="green" if value else "dim").append("━" * round(30 * value))
