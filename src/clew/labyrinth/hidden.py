"""A labyrinth with archives: hosts whose pages no link leads to, only their search forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from random import Random
from typing import Final
from urllib.parse import parse_qs, urlsplit

from clew.labyrinth.answer import Answer, html, text
from clew.labyrinth.bait import SENTENCES_PER_PAGE
from clew.labyrinth.labyrinth import Labyrinth
from clew.labyrinth.prose import SENTENCES, TITLES, speech
from clew.labyrinth.wordlists import LEAVES

RESULTS_PER_PAGE: Final = 10
OWN_SHARE: Final = 0.5  # of the records, which are on the topic of their archive
SIGN_SHARE: Final = 0.2  # of the honest pages on a topic, which link to its archive
ARCHIVE: Final = re.compile(r"archive(\d+)\.labyrinth")
RECORD: Final = re.compile(r"/record/(\d+)")
WORD: Final = re.compile(r"\w+")
FORM: Final = (
    '<form action="/search" role="search"><input type="search" name="q" placeholder="Words">'
    "<button>Search the archive</button></form>"
)
# Nobody may be tempted by these: one changes something, the other wants to know who you are.
OTHER_FORMS: Final = (
    '<form action="/delete"><input name="q"><button>Delete</button></form>'
    '<form action="/search" method="post"><input name="q"></form>'
    '<form action="/login"><input name="user"><input type="password" name="pass"></form>'
)


@dataclass(frozen=True)
class Hidden(Labyrinth):
    """A web with `archives`: hosts with so many `records`, about half of them on the topic of their archive.

    >>> web = Hidden(pages=500, archives=1, records=20)
    >>> b'href="/record/' in web.page(web.archive(1)).body, b'href="/record/' in web.page(web.found(1, "sail")).body
    (False, True)
    """

    archives: int = 3
    records: int = 60

    def archive(self, number: int) -> str:
        """The home page of an archive; they are numbered from 1."""
        return f"http://archive{number}.labyrinth/"

    def found(self, number: int, word: str) -> str:
        """The first page of results for a word."""
        return f"{self.archive(number)}search?q={word}"

    def topic_of(self, number: int) -> str:
        """The topic of an archive."""
        return LEAVES[self._topic(number)].rpartition("/")[2]

    def hidden_pages(self, number: int) -> list[str]:
        """The records of an archive that are on its topic."""
        own = self._topic(number)
        return [
            f"{self.archive(number)}record/{record}"
            for record in range(self.records)
            if self._record_topic(number, record) == own
        ]

    def page(self, url: str) -> Answer:
        """The answer to a request for a URL."""
        parts = urlsplit(url)
        found = ARCHIVE.fullmatch(parts.hostname or "")
        number = int(found[1]) if found else 0
        if not 0 < number <= self.archives:
            return super().page(url)
        if parts.path == "/robots.txt":
            return text(200, "User-agent: *\nDisallow: /delete\n")
        if parts.path == "/search":
            return self._results(number, parse_qs(parts.query))
        if record := RECORD.fullmatch(parts.path):
            return self._record(number, int(record[1]))
        return self._home(number) if parts.path in ("", "/") else text(404, "not found")

    def _topic(self, number: int) -> int:
        return self.graph.topics[(number - 1) % len(self.graph.topics)]

    def _record_topic(self, number: int, record: int) -> int:
        chance = Random(f"record {self.seed} {number} {record}")
        if chance.random() < OWN_SHARE:
            return self._topic(number)
        return self.graph.topics[int(len(self.graph.topics) * chance.random())]

    def _words(self, number: int, record: int) -> tuple[str, str]:
        """Title and text of a record."""
        chance = Random(f"text {self.seed} {number} {record}")
        words = speech(self._record_topic(number, record), False, self.seed)
        sentences = [words.sentences[int(SENTENCES * chance.random())] for _ in range(SENTENCES_PER_PAGE)]
        title = words.titles[int(TITLES * chance.random())]
        return title, f"{words.leads[record % len(words.leads)]} {' '.join(sentences)}"

    @cached_property
    def _indexes(self) -> dict[int, list[set[str]]]:
        """The words of each record, by archive."""
        found: dict[int, list[set[str]]] = {}
        for number in range(1, self.archives + 1):
            texts = [" ".join(self._words(number, record)) for record in range(self.records)]
            found[number] = [set(WORD.findall(text.lower())) for text in texts]
        return found

    def _home(self, number: int) -> Answer:
        words = speech(self._topic(number), False, self.seed)
        about = " ".join(words.leads[:SENTENCES_PER_PAGE])
        return html(_document(f"Archive of {self.topic_of(number)}", f"<p>{about}</p>{FORM}{OTHER_FORMS}"))

    def _record(self, number: int, record: int) -> Answer:
        if record >= self.records:
            return text(404, "not found")
        title, about = self._words(number, record)
        return html(_document(title, f"<p>{about}</p><p>Record {record}</p>"))

    def _results(self, number: int, query: dict[str, list[str]]) -> Answer:
        word = " ".join(query.get("q", [])).lower()
        start = int(query["page"][0]) if query.get("page", [""])[0].isdecimal() else 0
        found = [record for record in range(self.records) if word and word in self._indexes[number][record]]
        here = found[start * RESULTS_PER_PAGE : (start + 1) * RESULTS_PER_PAGE]
        items = "".join(self._items(number, here))
        more = ""
        if len(found) > (start + 1) * RESULTS_PER_PAGE:
            more = f'<a href="/search?q={escape(word)}&amp;page={start + 1}">more</a>'
        count = f"<p>{len(found)} records with {escape(word)}</p>"
        return html(_document(f"Results for {escape(word)}", f"{count}<ul>{items}</ul>{more}{FORM}"))

    def _items(self, number: int, records: list[int]) -> Iterator[str]:
        for record in records:
            yield f'<li><a href="/record/{record}">{self._words(number, record)[0]}</a></li>'

    def _html(self, number: int) -> tuple[str, str]:
        """The document of an honest page; some have a link to the archive of their topic."""
        document, charset = super()._html(number)
        spot = self.graph.spot(number)
        for archive in range(1, self.archives + 1):
            is_sign = Random(f"sign {self.seed} {number} {archive}").random() < SIGN_SHARE
            if spot.topic == self._topic(archive) and spot.kind == "content" and is_sign:
                sign = f'<p><a href="{self.archive(archive)}">Archive of {self.topic_of(archive)}</a></p>'
                document = document.replace("</main>", f"{sign}</main>", 1)
        return document, charset


def _document(title: str, content: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><main><h1>{title}</h1>{content}</main></body></html>\n"
    )
