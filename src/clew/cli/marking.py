"""The main text of a page with the words marked for which it is, or is not, relevant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rich.text import Text

from clew.cli.terminal import clean, number, printable

if TYPE_CHECKING:
    from clew.interests import TopicWords
    from clew.store import Record, Records

WORD: Final = re.compile(r"[^\W_]+")
BEFORE_FIRST: Final = 2  # lines shown before the first that matches, where the text is too long
EMPTY: Final = "(the page has no text, or the archive has lost it)"


def why(records: Records, page: Record) -> list[Text]:
    """One line for each topic: its membership, and the words of the page that speak for it."""
    return [_line(topic) for topic in _topics(records, page)]


def marked_text(records: Records, page: Record, lines: int, width: int, plain: bool) -> Text:
    """The part of the main text with the first match, `lines` long at most."""
    wanted = {word.lower() for topic in _topics(records, page) for word in topic.words}
    text = records.main_text(page).strip() or records.text(page).strip() or EMPTY
    rows = _wrapped([printable(row) for row in text.split("\n") if row.strip()], width)
    matches = (place for place, row in enumerate(rows) if not wanted.isdisjoint(WORD.findall(row.lower())))
    first = next(matches, 0)
    begin = max(0, first - BEFORE_FIRST) if first >= lines else 0
    shown = rows[begin : begin + lines]
    found = Text("… \n" if begin else "")
    for row in shown:
        found.append_text(_marked(row, wanted, plain)).append("\n")
    return found.append("…" if begin + lines < len(rows) else "")


def _topics(records: Records, page: Record) -> list[TopicWords]:
    from clew import api

    return api.explain(records.folder, page.url, parts=False).topics


def _line(topic: TopicWords) -> Text:
    words = ", ".join(f"{word} {count}×" for word, count in topic.words.items())
    text = Text.assemble((f"{number(topic.membership)}  ", "dim"), clean(topic.topic))
    return text.append(f": {clean(words)}" if words else ": none of its words")


def _marked(row: str, wanted: set[str], plain: bool) -> Text:
    """A line with its matches; without colours, marks must show them."""
    found = Text()
    done = 0
    for match in WORD.finditer(row):
        if match[0].lower() in wanted:
            found.append(row[done : match.start()])
            found.append(f"*{match[0]}*" if plain else match[0], style="" if plain else "bold yellow")
            done = match.end()
    return found.append(row[done:])


def _wrapped(rows: list[str], width: int) -> list[str]:
    """Lines that fit the screen, broken between words."""
    import textwrap

    found: list[str] = []
    for row in rows:
        found += textwrap.wrap(row, max(20, width - 1)) or [""]
    return found
