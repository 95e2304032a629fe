"""The HTML of a page: frame of the host, article, links, and the scripts and styles that fill real pages."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from random import Random
from typing import Final, NamedTuple

from clew.labyrinth.host_names import NAMING, path
from clew.labyrinth.prose import DIALECTS, PEOPLE, SENTENCES, TITLES, speech
from clew.labyrinth.sites import Site
from clew.labyrinth.topology import AWAY, CHAIN, MOVED, PLAIN, PRINT, Edge, Spot, Topology, Ways
from clew.labyrinth.wordlists import ADS, GENERAL, LEAVES

SMALL_TALK: Final = ("read more", "here", "continue", "this page", "details", "next", "see also", "more", "link")
MENU: Final = ("Articles", "Stories", "Overview", "Latest", "Contents", "Everything", "Collection", "Readers")
LISTED: Final = 0.08  # anchors that tell their target on hubs, home pages and in tunnels: these stay irrelevant
FORMS: Final = {MOVED: "/go/", CHAIN: "/old/", PRINT: "/print/"}
SMALLEST: Final = 1_500
LARGEST: Final = 500_000


def _filler(line: str, size: int) -> str:
    chance = Random(line)
    lines: list[str] = []
    while len(lines) < 1200:
        name = "".join("bcdfghklmnprstvw"[int(16 * chance.random())] for _ in range(5))
        lines.append(line.replace("@", name).replace("#", str(int(900 * chance.random()) + 12)))
    text = "\n".join(lines)
    return text * (size // len(text) + 1)


STYLE: Final = _filler(".@ > .@-#{margin:0 #px;padding:#px;color:#f#f#f;display:block}", LARGEST)
SCRIPT: Final = _filler("var @=window._@||[];_@.push([#,function(e){return e.@(#)+'#px'}]);", LARGEST)


class Frame(NamedTuple):
    """What all pages of a host have in common."""

    top: str
    side: str
    foot: str


class Press:
    """Prints the pages of a graph.

    >>> from clew.labyrinth.shape import Shape
    >>> text, charset = Press(Topology(Shape(pages=100))).print(0)
    >>> text[:15], charset
    ('<!DOCTYPE html>', 'utf-8')
    """

    def __init__(self, graph: Topology) -> None:
        self.graph, self.shape = graph, graph.shape
        self.frame = lru_cache(maxsize=4096)(self._frame)

    def path(self, site: Site, number: int, topic: int) -> str:
        """The path of a page on its host; only hosts of some styles name the topic in it."""
        words = speech(topic if site.style in NAMING else GENERAL, site.german, self.shape.seed)
        return path(site.style, number - site.start, number, words)

    def print(self, number: int) -> tuple[str, str]:
        """The document and the charset it declares."""
        spot, ways = self.graph.spot(number), self.graph.ways(number)
        chance = Random(self.shape.seed << 32 ^ number << 1 ^ 1)
        site = spot.site
        wrong = site.charset != "utf-8" and chance.random() < self.shape.wrong
        charset = "utf-8" if wrong else site.charset
        size = self.shape.kilobytes * 1000 * site.weight * exp(0.65 * ways.bulk)
        size = max(SMALLEST, min(LARGEST, size)) / (2 if site.charset == "utf-16" else 1)
        frame = self.frame(site.index)
        title = self._title(Edge(site.index, number, spot.topic if spot.kind != "hub" else GENERAL))
        parts = [frame.top, *self._article(spot, ways, title, size, chance), frame.side, frame.foot]
        return _document(site, title, "".join(parts), charset, int(size), chance), charset

    def _title(self, edge: Edge) -> str:
        words = speech(edge.topic, self.graph.sites[edge.site].german, self.shape.seed)
        return words.titles[edge.number * 37 % TITLES]

    def _href(self, edge: Edge, source: Site) -> str:
        site, number, topic, form = edge
        target = self.graph.sites[site]
        if form == AWAY:
            return f"/out/{number}"
        if form in FORMS:
            where = f"{FORMS[form]}{number - target.start}"
        else:
            # Behind the last page of the host there is nothing: such a link is dead.
            where = self.path(target, number if form == PLAIN else number + target.size, topic)
        return where if target is source else f"http://{target.name}{where}"

    def _anchor(self, edge: Edge, spot: Spot, share: float) -> str:
        """What a link says: its target's title, nothing, its source's topic, or small talk."""
        shape, listing = self.shape, spot.kind not in ("content", "noise")
        telling = min(LISTED, shape.anchors_informative) if listing else shape.anchors_informative
        if share < telling:
            return self._title(edge)
        share -= telling
        if share < shape.anchors_empty:
            return f'<img src="/img/{edge.number % 90}.png" alt="" width="120">'
        share -= shape.anchors_empty
        if not listing and share < shape.anchors_misleading:
            return self._title(edge._replace(topic=spot.topic))
        if listing or edge.number % 3 == 0:
            return self._title(edge._replace(topic=GENERAL))
        return SMALL_TALK[edge.number % len(SMALL_TALK)]

    def _article(self, spot: Spot, ways: Ways, title: str, size: float, chance: Random) -> list[str]:
        """Breadcrumbs, paragraphs with a third of the loose links in them, then lists with the others."""
        site, random = spot.site, chance.random
        hrefs = [(self._href(edge, site), self._anchor(edge, spot, random())) for edge in (*ways.fixed, *ways.loose)]
        fixed, loose = hrefs[: len(ways.fixed)], hrefs[len(ways.fixed) :]
        inline = 0 if spot.kind == "hub" else len(loose) // 3
        sentences = self._sentences(spot, ways, inline, max(7, min(420, int(size / 640))), chance)
        _quote(sentences, " sagt " if site.german else " says ", chance)
        for place, (href, anchor) in enumerate(loose[:inline]):
            at = place * len(sentences) // inline
            sentences[at] += f' <a class="ref" href="{href}">{anchor}</a>.'
        return [
            '<main id="main"><nav class="crumbs"><ol>',
            *(f'<li><a href="{href}">{anchor}</a></li>' for href, anchor in fixed),
            f'</ol></nav><article class="post {site.style}"><h1>{title}</h1>',
            *_paragraphs(sentences, self._heads(spot, chance)),
            '<ul class="related">',
            *(
                f'<li class="item"><div class="teaser"><a class="teaser-link" href="{href}">{anchor}</a>'
                f'<span class="meta">{place + 1}</span></div></li>'
                for place, (href, anchor) in enumerate(loose[inline:])
            ),
            "</ul></article></main>",
        ]

    def _sentences(self, spot: Spot, ways: Ways, inline: int, count: int, chance: Random) -> list[str]:
        """Mostly small talk; a page about something says so in its first sentence and around fitting links."""
        random, seed, german = chance.random, self.shape.seed, spot.site.german
        talk = speech(GENERAL, german, seed, spot.site.index % DIALECTS).sentences
        if spot.kind not in ("content", "noise"):
            return [talk[int(SENTENCES * random())] for _ in range(count + 20)]
        words = speech(spot.topic, german, seed)
        own, density = words.sentences, 0.03 + 0.17 * random()
        said = [(own if random() < density else talk)[int(SENTENCES * random())] for _ in range(count)]
        for place, edge in enumerate(ways.loose[:inline]):
            if edge.topic == spot.topic and random() < 0.5:
                said[place * count // inline] = own[int(SENTENCES * random())]
        said[0] = words.leads[int(len(words.leads) * random())]
        return said

    def _heads(self, spot: Spot, chance: Random) -> list[str]:
        titles = speech(GENERAL, spot.site.german, self.shape.seed).titles
        return [titles[int(TITLES * chance.random())] for _ in range(4)]

    def _frame(self, index: int) -> Frame:
        site, chance = self.graph.sites[index], Random(f"press {self.shape.seed} {index}")
        spot = Spot(site, "frame", GENERAL)
        top: list[str] = []
        side: list[str] = []
        for edge in self.graph.frame(index):
            href, share = self._href(edge, site), chance.random()
            if edge.site == index and edge.topic < GENERAL and len(top) < len(site.pool.sections):
                name = LEAVES[edge.topic].rpartition("/")[2].title()
                text = name if share < self.shape.anchors_informative else MENU[len(top) % len(MENU)]
                top.append(f'<li class="menu-item"><a href="{href}">{text}</a></li>')
            else:
                text = self._anchor(edge, spot, share)
                side.append(f'<li class="widget {"ad" if edge.topic == ADS else ""}"><a href="{href}">{text}</a></li>')
        if index == 0:
            side.append('<li class="widget"><a href="/loop/1">Archive</a></li>')
        half = len(side) // 2
        brand = site.name.removesuffix(".labyrinth").replace("-", " ").title()
        return Frame(
            f'<header class="site-header"><a class="brand" href="/">{brand}</a><nav class="menu"><ul>'
            f"{''.join(top)}</ul></nav></header>",
            f'<aside class="sidebar"><h3>{MENU[index % len(MENU)]}</h3><ul>{"".join(side[:half])}</ul></aside>',
            f'<footer class="site-footer"><ul>{"".join(side[half:])}</ul><p>© {brand}</p></footer>',
        )


def _quote(sentences: list[str], says: str, chance: Random) -> None:
    """Let a few people, other ones on each page, have said every second sentence."""
    people = [PEOPLE[int(len(PEOPLE) * chance.random())] for _ in range(9)]
    for place in range(1, len(sentences), 2):
        sentences[place] = f"{sentences[place][:-1]},{says}{people[place % 9]}."


def _paragraphs(sentences: list[str], heads: list[str]) -> list[str]:
    made = []
    for number, start in enumerate(range(0, len(sentences), 5)):
        if number % 4 == 2:
            made.append(f'<h2 class="wp-block-heading">{heads[number // 4 % len(heads)]}</h2>')
        made.append(f'<p class="wp-block-paragraph">{" ".join(sentences[start : start + 5])}</p>\n')
    return made


def _document(site: Site, title: str, body: str, charset: str, size: int, chance: Random) -> str:
    """The whole page, filled up to its size with styles and scripts."""
    declared = "" if site.in_header else f'<meta charset="{charset}">'
    room, start = max(0, size - len(body) - 600), int(60_000 * chance.random())
    style, script = STYLE[start : start + room * 2 // 5], SCRIPT[start : start + room * 3 // 5]
    return (
        f'<!DOCTYPE html>\n<html lang="{"de" if site.german else "en"}"><head>{declared}<title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><meta name="description" content="{title}">'
        f"<style>{style}</style></head>"
        f'<body class="{site.style}">{body}<script>{script}</script></body></html>\n'
    )
