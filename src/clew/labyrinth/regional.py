"""A synthetic web with two taxonomies: activities in regions, and islands behind gaps of irrelevant pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final
from urllib.parse import urlsplit

from clew.config import unknown
from clew.errors import ConfigError
from clew.labyrinth.answer import Answer, html, text
from clew.labyrinth.prose import ENGLISH, HEADLINES, SENTENCES, TOPICAL, fill, speech
from clew.labyrinth.region_plan import MIN_PAGES, Plan, Spot
from clew.labyrinth.region_words import ACTIVITIES, PARENTS, REGIONS, WORDS, upwards
from clew.labyrinth.wordlists import GENERAL, NOISE

SMALL_TALK: Final = ("read more", "here", "continue", "this page", "details", "next", "see also", "more")
INFORMATIVE: Final = 0.25  # of the anchors: they name a topic of their target
SENTENCES_PER_PAGE: Final = (24, 48)
TOPICAL_SHARE: Final = (0.08, 0.3)  # of the sentences of a page, which are on its topics
LOCAL_NUMBER: Final = re.compile(r"/(\d+)\.html$")


@dataclass(frozen=True)
class Regional:
    """Pages on activities in regions; every region has a speciality, most of whose pages lie on islands.

    >>> web = Regional(pages=2000)
    >>> web.interests[0], web.taxonomy["sailing"], web.taxonomy["Ruegen"]
    ('sailing AND Ruegen', 'water sports', 'Mecklenburg-Vorpommern')
    >>> web.page(web.url(7)).status
    200
    """

    pages: int = 3000
    seed: int = 1

    def __post_init__(self) -> None:
        if not MIN_PAGES <= self.pages <= 200_000:
            raise ConfigError(f"a labyrinth of regions must have {MIN_PAGES:,} to 200,000 pages, not {self.pages:,}")

    @cached_property
    def plan(self) -> Plan:
        """Hosts, pages and links."""
        return Plan(self.pages, self.seed)

    @property
    def hosts(self) -> list[str]:
        """All host names."""
        return [host.name for host in self.plan.hosts]

    @property
    def topics(self) -> list[str]:
        """The special activities and regions."""
        return [*ACTIVITIES, *REGIONS]

    @property
    def interests(self) -> list[str]:
        """The formula of each speciality."""
        return [f"{cell.activity} AND {cell.region}" for cell in self.plan.specialities]

    @property
    def taxonomy(self) -> Mapping[str, str]:
        """Each topic and its parent; the parent of the topmost topics is ANY."""
        return {topic: parent or "ANY" for topic, parent in PARENTS.items()}

    def keywords(self, topic: str) -> tuple[str, ...]:
        """The words that texts on a topic use."""
        if topic not in WORDS:
            raise ConfigError(unknown("topic", topic, list(WORDS)))
        return WORDS[topic]

    def topics_toml(self) -> str:
        """The taxonomies in the form of clew's configuration."""
        tables = [
            f"[topics.{json.dumps(name)}]\nparent = {json.dumps(parent)}\n"
            f"keywords = {json.dumps(self.keywords(name))}\n"
            for name, parent in self.taxonomy.items()
        ]
        return "\n".join(tables)

    def url(self, number: int) -> str:
        """The URL of a page; on some hosts its folder names a topic."""
        if not 0 <= number < self.pages:
            raise IndexError(f"there is no page {number} among {self.pages}")
        spot = self.plan.spots[number]
        host = self.plan.hosts[spot.host]
        if number == host.start:
            return f"http://{host.name}/"
        folder = "node"
        if host.names_topics and (topics := (*spot.activities, *spot.regions)):
            folder = topics[number % len(topics)].lower()
        return f"http://{host.name}/{folder}/{number - host.start}.html"

    def number(self, url: str) -> int | None:
        """The number of the page with this URL; None if there is none."""
        parts = urlsplit(url)
        found = LOCAL_NUMBER.search(parts.path)
        start = self._starts.get(parts.hostname or "")
        number = -1 if start is None else start + int(found[1] if found else 0)
        return number if 0 <= number < self.pages and self.url(number) == url else None

    def links(self, number: int) -> list[int]:
        """The pages that a page leads to."""
        targets = dict.fromkeys(self.plan.links[number])
        targets.pop(number, None)
        return list(targets)

    def pages_on(self, topic: str) -> Iterator[int]:
        """All pages on a topic or on one below it."""
        for number, spot in enumerate(self.plan.spots):
            if any(topic in upwards(own) for own in (*spot.activities, *spot.regions)):
                yield number

    def seeds(self, topic: str, n: int) -> list[str]:
        """Up to n start pages on a topic, none of them on an island or in a gap."""
        chance = Random(f"seeds {self.seed} {topic}")
        mainland = [number for number in self.pages_on(topic) if self.plan.spots[number].kind == "content"]
        return [self.url(number) for number in chance.sample(mainland, min(n, len(mainland)))]

    def page(self, url: str) -> Answer:
        """The answer to a request for a URL."""
        number = self.number(url)
        return text(404, "not found") if number is None else html(self._document(number))

    def reply(self, url: str, nth: int = 0, now: float = 0.0) -> Answer:
        """The answer to a request; here it is always the same."""
        return self.page(url)

    @cached_property
    def _starts(self) -> dict[str, int]:
        return {host.name: host.start for host in self.plan.hosts}

    @cached_property
    def _slots(self) -> dict[str, list[str]]:
        chance = Random(f"words {self.seed}")
        return {slot: sorted(words.split(), key=lambda _: chance.random()) for slot, words in ENGLISH.items()}

    def _document(self, number: int) -> str:
        spot = self.plan.spots[number]
        # The page number seeds the generator: any page can be written without the pages before it.
        chance = Random(f"{self.seed} page {number}")
        title = self._title(spot, chance)
        sentences = self._sentences(spot, chance)
        links = [f'<a href="{self.url(to)}">{self._anchor(to, chance)}</a>' for to in self.links(number)]
        # Links stand apart from each other, so that each has its own words around it.
        for place, link in enumerate(links):
            sentences.insert(place * len(sentences) // len(links), link)
        body = "\n".join(f"<p>{sentence}</p>" for sentence in sentences)
        topics = ", ".join((*spot.activities, *spot.regions))
        meta = f'<meta name="keywords" content="{topics}">' if topics and chance.random() < 0.5 else ""
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{meta}</head>'
            f"<body><h1>{title}</h1>\n{body}</body></html>\n"
        )

    def _title(self, spot: Spot, chance: Random) -> str:
        """A headline; half of the pages with topics name one in it."""
        topics = (*spot.activities, *spot.regions)
        if not topics or chance.random() < 0.5:
            return chance.choice(speech(GENERAL, False, self.seed).titles)
        return self._filled(HEADLINES, chance.choice(topics), chance)

    def _sentences(self, spot: Spot, chance: Random) -> list[str]:
        """Mostly small talk; each topic of a page has at least two sentences."""
        talk = speech(GENERAL, False, self.seed).sentences
        sentences = [talk[int(SENTENCES * chance.random())] for _ in range(chance.randint(*SENTENCES_PER_PAGE))]
        topics = (*spot.activities, *spot.regions)
        if spot.kind == "noise":
            return [*sentences, *(f"{chance.choice(NOISE)} {chance.choice(NOISE)}." for _ in range(9))]
        share = chance.uniform(*TOPICAL_SHARE)
        for topic in topics:
            for _ in range(max(2, int(share * len(sentences)))):
                sentences[int(len(sentences) * chance.random())] = self._filled(TOPICAL, topic, chance)
        return sentences

    def _anchor(self, target: int, chance: Random) -> str:
        spot = self.plan.spots[target]
        topics = (*spot.activities, *spot.regions)
        if topics and chance.random() < INFORMATIVE:
            return self._filled(HEADLINES, chance.choice(topics), chance)
        return chance.choice(SMALL_TALK)

    def _filled(self, templates: tuple[str, ...], topic: str, chance: Random) -> str:
        related = [word for above in upwards(PARENTS[topic]) for word in WORDS[above]]
        return fill(templates, {**self._slots, "t": list(WORDS[topic]), "g": related}, chance)
