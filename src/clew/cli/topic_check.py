"""An interest on the bench: how good its topics are, and what it thinks of given pages, part by part."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from clew.cli.summary import facts
from clew.cli.terminal import clean, dump, number, out, percent, plain, words
from clew.config import Config, configure

if TYPE_CHECKING:
    from clew.interests import Quality
    from clew.types import Doc, Judgement


def run(args: argparse.Namespace, config: Config) -> int:
    """Test the topics of the formula that have examples, and judge the pages."""
    from clew.core.build import build_interest
    from clew.core.examples import ExampleReader

    config = configure(config, interest=args.formula)
    with ExampleReader(config.fetch) as read:
        interest = build_interest(config, read)
        qualities = tested(config, read)
        judged = [(doc, interest.judge(doc)) for place in args.pages for doc in read(place)]
    if args.json:
        pages = [{"url": doc.url, "title": doc.title, **plain(judgement)} for doc, judgement in judged]
        dump({"interest": str(interest), "topics": qualities, "pages": pages})
        return 0
    shown: list[RenderableType] = [_page(doc, judgement, config.what.threshold) for doc, judgement in judged]
    if not args.quiet:
        shown = [facts({"interest": str(interest)}), *map(_quality, qualities), *shown]
    out().print(Group(*shown))
    return 0


def tested(config: Config, read: Callable[[str], list[Doc]]) -> list[Quality]:
    """The quality of every topic that has examples of its own or below it."""
    from clew.interests import Taxonomy, cross_validate

    tree = Taxonomy(config.topics)
    names = [name for name in config.topics if tree.examples(name)]
    return [cross_validate(name, config.topics, read=read, judge=config.what.judge) for name in names]


def _quality(quality: Quality) -> RenderableType:
    q = quality
    against = "ordinary text" if q.against_background else f"{q.counter_examples} examples of other topics"
    rows: dict[str, RenderableType] = {
        "examples": f"{q.examples}, tested against {against}, each by a model that has not seen it",
        "precision": f"{percent(q.precision)}, recall {percent(q.recall)}, F1 {number(q.f1)}",
        "ranking": f"average precision {number(q.average_precision)}, by chance {number(q.chance)}",
    }
    if q.words_for:
        rows["for it"] = words(", ".join(word for word, _ in q.words_for))
    if q.words_against:
        rows["against it"] = words(", ".join(word for word, _ in q.words_against))
    return Group(Text(f"\n{clean(q.topic)}", style="bold cyan"), facts(rows))


def _page(doc: Doc, judgement: Judgement, threshold: float | None) -> RenderableType:
    """The relevance and the membership in each topic; without a threshold nothing is called relevant."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    mark = "" if threshold is None else "  relevant" if judgement.relevant else "  not relevant"
    table.add_row(Text("relevance", style="bold"), _bar(judgement.relevance), Text(mark, style="bold"))
    for name, membership in judgement.topics.items():
        table.add_row(words(name), _bar(membership))
    title = Text("\n").append_text(words(doc.title or "(no title)", "bold", 80)).append("\n")
    return Group(title.append_text(words(doc.url, "cyan")), table)


def _bar(value: float) -> Text:
    return Text(f"{value:.3f} ", style="green" if value else "dim").append("━" * round(30 * value))
