"""Writes the HTML of a page: frame of the host, article, links, and the scripts and styles that fill real pages."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from random import Random
from typing import Final, NamedTuple

from clew.labyrinth.host_names import NAMING, path
from clew.labyrinth.prose import DIALECTS, PEOPLE, SENTENCES, TITLES, speech
from clew.labyrinth.sites import Site
from clew.labyrinth.topology import AWAY, CHAIN, MOVED, PLAIN, PRINT, Edge, PageLinks, Spot, Topology
from clew.labyrinth.wordlists import ADS, GENERAL, LEAVES

SMALL_TALK: Final = ("read more", "here", "continue", "this page", "details", "next", "see also", "more", "link")
MENU: Final = ("Articles", "Stories", "Overview", "Latest", "Contents", "Everything", "Collection", "Readers")
# Share of informative anchors on hubs, home pages and in tunnels; with more, these would become relevant themselves.
MAX_INFORMATIVE_ON_LISTS: Final = 0.08
SPECIAL_PATHS: Final = {MOVED: "/go/", CHAIN: "/old/", PRINT: "/print/"}
MIN_PAGE_BYTES: Final = 1_500
MAX_PAGE_BYTES: Final = 500_000
BYTES_PER_SENTENCE: Final = 640  # of a page; most of them are markup, styles and scripts
PEOPLE_PER_PAGE: Final = 9
SENTENCES_PER_PARAGRAPH: Final = 5


def _filler(line: str, size: int) -> str:
    """Many variants of a line of code, repeated to more than a size."""
    chance = Random(line)
    lines: list[str] = []
    while len(lines) < 1200:
        name = "".join("bcdfghklmnprstvw"[int(16 * chance.random())] for _ in range(5))
        lines.append(line.replace("@", name).replace("#", str(int(900 * chance.random()) + 12)))
    text = "\n".join(lines)
    return text * (size // len(text) + 1)


# Made once: pages only cut their share out of them.
STYLE: Final = _filler(".@ > .@-#{margin:0 #px;padding:#px;color:#f#f#f;display:block}", MAX_PAGE_BYTES)
SCRIPT: Final = _filler("var @=window._@||[];_@.push([#,function(e){return e.@(#)+'#px'}]);", MAX_PAGE_BYTES)


class Frame(NamedTuple):
    """What all pages of a host have in common."""

    top: str
    side: str
    foot: str


class PageWriter:
    """Writes the pages of a graph.

    >>> from clew.labyrinth.shape import Shape
    >>> text, charset = PageWriter(Topology(Shape(pages=100))).document(0)
    >>> text[:15], charset
    ('<!DOCTYPE html>', 'utf-8')
    """

    def __init__(self, graph: Topology) -> None:
        self.graph = graph
        self.shape = graph.shape
        self.frame = lru_cache(maxsize=4096)(self._frame)

    def path(self, site: Site, number: int, topic: int) -> str:
        """The path of a page on its host; only some styles of hosts name the topic in it."""
        words = speech(topic if site.style in NAMING else GENERAL, site.german, self.shape.seed)
        return path(site.style, number - site.start, number, words)

    def document(self, number: int) -> tuple[str, str]:
        """The document and the charset that it declares."""
        spot = self.graph.spot(number)
        site = spot.site
        links = self.graph.page_links(number)
        # The last bit keeps this generator apart from that of the links, which has the same seed without it.
        chance = Random(self.shape.seed << 32 ^ number << 1 ^ 1)
        declares_wrong = site.charset != "utf-8" and chance.random() < self.shape.wrong
        charset = "utf-8" if declares_wrong else site.charset
        size = self._size(site, links.bulk)
        topic = spot.topic if spot.kind != "hub" else GENERAL
        title = self._title(Edge(site.index, number, topic))
        frame = self.frame(site.index)
        parts = [frame.top, *self._article(spot, links, title, size, chance), frame.side, frame.foot]
        return _document(site, title, "".join(parts), charset, int(size), chance), charset

    def _size(self, site: Site, bulk: float) -> float:
        """The characters of a page; log-normal, within limits."""
        size = self.shape.kilobytes * 1000 * site.weight * exp(0.65 * bulk)
        bytes_per_character = 2 if site.charset == "utf-16" else 1
        return max(MIN_PAGE_BYTES, min(MAX_PAGE_BYTES, size)) / bytes_per_character

    def _title(self, edge: Edge) -> str:
        words = speech(edge.topic, self.graph.sites[edge.site].german, self.shape.seed)
        return words.titles[edge.number * 37 % TITLES]

    def _href(self, edge: Edge, source: Site) -> str:
        target = self.graph.sites[edge.site]
        if edge.form == AWAY:
            return f"/out/{edge.number}"
        if edge.form in SPECIAL_PATHS:
            where = f"{SPECIAL_PATHS[edge.form]}{edge.number - target.start}"
        else:
            # There is nothing behind the last page of a host: such a link is dead.
            number = edge.number if edge.form == PLAIN else edge.number + target.size
            where = self.path(target, number, edge.topic)
        return where if target is source else f"http://{target.name}{where}"

    def _anchor(self, edge: Edge, spot: Spot, share: float) -> str:
        """The anchor of a link: its target's title, a picture, its source's topic, or small talk."""
        shape = self.shape
        is_list = spot.kind not in ("content", "noise")
        informative = shape.anchors_informative
        if is_list:
            informative = min(MAX_INFORMATIVE_ON_LISTS, informative)
        if share < informative:
            return self._title(edge)
        share -= informative
        if share < shape.anchors_empty:
            return f'<img src="/img/{edge.number % 90}.png" alt="" width="120">'
        share -= shape.anchors_empty
        if not is_list and share < shape.anchors_misleading:
            return self._title(edge._replace(topic=spot.topic))
        if is_list or edge.number % 3 == 0:
            return self._title(edge._replace(topic=GENERAL))
        return SMALL_TALK[edge.number % len(SMALL_TALK)]

    def _article(self, spot: Spot, links: PageLinks, title: str, size: float, chance: Random) -> list[str]:
        """Breadcrumbs, paragraphs with a third of the loose links in them, then a list with the others."""
        site = spot.site
        fixed = [(self._href(edge, site), self._anchor(edge, spot, chance.random())) for edge in links.fixed]
        loose = [(self._href(edge, site), self._anchor(edge, spot, chance.random())) for edge in links.loose]
        inline = 0 if spot.kind == "hub" else len(loose) // 3
        count = max(7, min(420, int(size / BYTES_PER_SENTENCE)))
        sentences = self._sentences(spot, links, inline, count, chance)
        _add_quotes(sentences, " sagt " if site.german else " says ", chance)
        for place, (href, anchor) in enumerate(loose[:inline]):
            position = place * len(sentences) // inline
            sentences[position] += f' <a class="ref" href="{href}">{anchor}</a>.'
        crumbs = [f'<li><a href="{href}">{anchor}</a></li>' for href, anchor in fixed]
        related = [
            f'<li class="item"><div class="teaser"><a class="teaser-link" href="{href}">{anchor}</a>'
            f'<span class="meta">{place + 1}</span></div></li>'
            for place, (href, anchor) in enumerate(loose[inline:])
        ]
        return [
            '<main id="main"><nav class="crumbs"><ol>',
            *crumbs,
            f'</ol></nav><article class="post {site.style}"><h1>{title}</h1>',
            *_paragraphs(sentences, self._headings(spot, chance)),
            '<ul class="related">',
            *related,
            "</ul></article></main>",
        ]

    def _sentences(self, spot: Spot, links: PageLinks, inline: int, count: int, chance: Random) -> list[str]:
        """Mostly small talk; a page with a topic names it in its first sentence and around links on the topic."""
        random = chance.random
        german = spot.site.german
        talk = speech(GENERAL, german, self.shape.seed, spot.site.index % DIALECTS).sentences
        if spot.kind not in ("content", "noise"):
            return [talk[int(SENTENCES * random())] for _ in range(count + 20)]
        words = speech(spot.topic, german, self.shape.seed)
        topical = words.sentences
        density = 0.03 + 0.17 * random()
        sentences = [(topical if random() < density else talk)[int(SENTENCES * random())] for _ in range(count)]
        for place, edge in enumerate(links.loose[:inline]):
            if edge.topic == spot.topic and random() < 0.5:
                sentences[place * count // inline] = topical[int(SENTENCES * random())]
        sentences[0] = words.leads[int(len(words.leads) * random())]
        return sentences

    def _headings(self, spot: Spot, chance: Random) -> list[str]:
        titles = speech(GENERAL, spot.site.german, self.shape.seed).titles
        return [titles[int(TITLES * chance.random())] for _ in range(4)]

    def _frame(self, index: int) -> Frame:
        site = self.graph.sites[index]
        chance = Random(f"press {self.shape.seed} {index}")
        spot = Spot(site, "frame", GENERAL)
        menu: list[str] = []
        side: list[str] = []
        for edge in self.graph.frame(index):
            href = self._href(edge, site)
            share = chance.random()
            if edge.site == index and edge.topic < GENERAL and len(menu) < len(site.pool.sections):
                name = LEAVES[edge.topic].rpartition("/")[2].title()
                text = name if share < self.shape.anchors_informative else MENU[len(menu) % len(MENU)]
                menu.append(f'<li class="menu-item"><a href="{href}">{text}</a></li>')
            else:
                text = self._anchor(edge, spot, share)
                side.append(f'<li class="widget {"ad" if edge.topic == ADS else ""}"><a href="{href}">{text}</a></li>')
        # Every labyrinth has a redirect loop somewhere, for crawlers to survive.
        if index == 0:
            side.append('<li class="widget"><a href="/loop/1">Archive</a></li>')
        half = len(side) // 2
        brand = site.name.removesuffix(".labyrinth").replace("-", " ").title()
        return Frame(
            f'<header class="site-header"><a class="brand" href="/">{brand}</a><nav class="menu"><ul>'
            f"{''.join(menu)}</ul></nav></header>",
            f'<aside class="sidebar"><h3>{MENU[index % len(MENU)]}</h3><ul>{"".join(side[:half])}</ul></aside>',
            f'<footer class="site-footer"><ul>{"".join(side[half:])}</ul><p>© {brand}</p></footer>',
        )


def _add_quotes(sentences: list[str], says: str, chance: Random) -> None:
    """Put every second sentence into the mouth of a person; each page has its own people."""
    people = [PEOPLE[int(len(PEOPLE) * chance.random())] for _ in range(PEOPLE_PER_PAGE)]
    for place in range(1, len(sentences), 2):
        sentences[place] = f"{sentences[place][:-1]},{says}{people[place % PEOPLE_PER_PAGE]}."


def _paragraphs(sentences: list[str], headings: list[str]) -> list[str]:
    """Paragraphs of a few sentences, every fourth one under a heading."""
    paragraphs = []
    for number, start in enumerate(range(0, len(sentences), SENTENCES_PER_PARAGRAPH)):
        if number % 4 == 2:
            paragraphs.append(f'<h2 class="wp-block-heading">{headings[number // 4 % len(headings)]}</h2>')
        text = " ".join(sentences[start : start + SENTENCES_PER_PARAGRAPH])
        paragraphs.append(f'<p class="wp-block-paragraph">{text}</p>\n')
    return paragraphs


def _document(site: Site, title: str, body: str, charset: str, size: int, chance: Random) -> str:
    """The whole page, filled up to its size with styles and scripts."""
    declared = "" if site.in_header else f'<meta charset="{charset}">'
    room = max(0, size - len(body) - 600)
    start = int(60_000 * chance.random())
    style = STYLE[start : start + room * 2 // 5]
    script = SCRIPT[start : start + room * 3 // 5]
    return (
        f'<!DOCTYPE html>\n<html lang="{"de" if site.german else "en"}"><head>{declared}<title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><meta name="description" content="{title}">'
        f"<style>{style}</style></head>"
        f'<body class="{site.style}">{body}<script>{script}</script></body></html>\n'
    )
