"""Random webs for contract checks: small, but with everything that goes wrong in a large web."""

from __future__ import annotations

from random import Random

from clew.testing.tiny_web import TinyLink, TinyPage, TinyWeb


def random_web(pages: int = 60, links: int = 5, seed: int = 0, hosts: int = 1) -> TinyWeb:
    """A random web with failures, empty pages, dead ends and redirects; every third page is relevant.

    Relevant pages link to other relevant pages more often than chance would have it, as they do on the real web.

    >>> web = random_web(pages=60)
    >>> len(web.pages), sorted({page.status for page in web.pages.values()})
    (60, [200, 404, 500])
    """
    random = Random(seed)
    is_relevant = [number % 3 == 0 for number in range(pages)]
    names = [f"p{number}" if hosts == 1 else f"h{number % hosts}/p{number}" for number in range(pages)]
    return TinyWeb({name: _page(number, names, is_relevant, links, random) for number, name in enumerate(names)})


def _page(number: int, names: list[str], is_relevant: list[bool], links: int, random: Random) -> TinyPage:
    """One page of the web, which may be broken."""
    # The first pages are sound, so that every crawl gets under way.
    if number > 3 and (draw := random.random()) < 0.25:
        # A redirect target is drawn for every kind, so the kind of one page does not shift the draws of the next.
        broken = (
            TinyPage(status=404),
            TinyPage(status=500),
            TinyPage(),
            TinyPage(location=names[random.randrange(len(names))]),
        )
        return broken[int(draw * 16)]
    words = "boats sails harbour" if is_relevant[number] else "cars roads parking"
    drawn = [_link(number, names, is_relevant, random) for _ in range(random.randint(1, 2 * links))]
    relevance = 0.9 if is_relevant[number] else random.choice((0.0, 0.2))
    return TinyPage(relevance, text=f"{words} {number}", links=tuple(drawn))


def _link(number: int, names: list[str], is_relevant: list[bool], random: Random) -> TinyLink:
    target = random.randrange(len(names))
    if is_relevant[number] and not is_relevant[target] and random.random() < 0.5:
        # The nearest relevant page before it: every third page is relevant.
        target -= target % 3
    anchor = random.choice((".8 boats", ".1 roads", "more", ""))
    around = random.choice(("", ".4 sails"))
    return TinyLink(names[target], anchor, around)
