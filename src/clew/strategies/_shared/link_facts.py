"""The facts about a link as short texts, one for each literal: a form that is quick to test and small to keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from sys import intern
from typing import Final

from clew.learning.facts import Facts, Literal, tags
from clew.learning.relational import ANCESTORS
from clew.strategies._shared.link_words import MEMO, words
from clew.types import Link

MAX_WORDS_PER_TEXT: Final = 12


def condition(literal: Literal) -> str:
    """The text that stands for a literal about one variable.

    >>> condition(Literal("text_has", ("A", "ii"))), condition(Literal("relevant", ("Y",)))
    ('A text_has ii', 'Y relevant ')
    """
    variable, *constant = literal.args
    return f"{variable} {literal.name} {''.join(constant)}"


@lru_cache(maxsize=MEMO)
def conditions(link: Link) -> tuple[str, ...]:
    """What holds for a link whatever happens: its words, and the tags and words around it."""
    # Other links have the same conditions, and the cache keeps each text once.
    return tuple(map(intern, _conditions(link)))


def _conditions(link: Link) -> Iterator[str]:
    found = words(link)
    above = tags(link.path)[::-1] or ("a",)
    before = found.before[-MAX_WORDS_PER_TEXT:]
    after = found.after[:MAX_WORDS_PER_TEXT]
    yield from (f"A url_has {word}" for word in found.url[:MAX_WORDS_PER_TEXT])
    yield from (f"A text_has {word}" for word in found.anchor[:MAX_WORDS_PER_TEXT])
    yield from (f"A text_before {word}" for word in before)
    yield from (f"A heading_has {word}" for word in found.heading[:MAX_WORDS_PER_TEXT])
    # The text around the anchor stands for that of its parent, if it has one.
    if len(above) > 1:
        yield from (f"B text_has {word}" for word in (*before, *after))
    yield from (f"{variable} tag {tag}" for variable, tag in zip(ANCESTORS, above, strict=False))


def line(link: Link, holds: Iterable[str]) -> str:
    """A link with its conditions as a line of text; `add_line` reads it."""
    fields = (link.source, link.path, str(link.block), str(link.position), *dict.fromkeys(holds))
    return "\t".join(" ".join(field.split()) for field in fields)


def add_line(facts: Facts, url: str, text: str) -> None:
    """Add a link to a page, from its line, to relational facts."""
    source, path, block, position, *holds = text.split("\t")
    add(facts, Link(source, url, path=path, block=int(block), position=int(position)), holds)


def add(facts: Facts, link: Link, holds: Iterable[str]) -> None:
    """Add a link with its conditions to relational facts."""
    anchor: dict[str, list[str]] = {}
    parent: dict[str, list[str]] = {}
    source: dict[str, list[str]] = {}
    tables = {"A": anchor, "B": parent, "Y": source}
    for text in holds:
        variable, name, constant = text.split(" ", 2)
        # The tags are in the path.
        if name != "tag":
            tables[variable].setdefault(name, []).append(constant)
    facts.add(link, anchor, parent)
    for name, constants in source.items():
        facts.about.setdefault(name, {})[link.source] = constants
