"""Webs of chance for checks: small, and full of what goes wrong in a large one."""

from __future__ import annotations

from random import Random

from clew.testing.tiny_web import TinyLink, TinyPage, TinyWeb


def random_web(pages: int = 60, links: int = 5, seed: int = 0, hosts: int = 1) -> TinyWeb:
    """A web of chance with everything that goes wrong in one: failures, empty pages, dead ends, redirects.

    Relevant pages link to relevant ones more often than not, as they do on the web.

    >>> web = random_web(pages=60)
    >>> len(web.pages), sorted({page.status for page in web.pages.values()})
    (60, [200, 404, 500])
    """
    chance = Random(seed)
    good = [number % 3 == 0 for number in range(pages)]
    names = [f"p{number}" if hosts == 1 else f"h{number % hosts}/p{number}" for number in range(pages)]
    return TinyWeb({name: _page(number, names, good, links, chance) for number, name in enumerate(names)})


def _page(number: int, names: list[str], good: list[bool], links: int, chance: Random) -> TinyPage:
    """One page of a tangle; the first ones are sound, so that every crawl gets under way."""
    if number > 3 and (fate := chance.random()) < 0.25:
        fates = (
            TinyPage(status=404),
            TinyPage(status=500),
            TinyPage(),
            TinyPage(location=names[chance.randrange(len(good))]),
        )
        return fates[int(fate * 16)]
    words = "boats sails harbour" if good[number] else "cars roads parking"
    drawn = [_link(number, names, good, chance) for _ in range(chance.randint(1, 2 * links))]
    return TinyPage(0.9 if good[number] else chance.choice((0.0, 0.2)), text=f"{words} {number}", links=tuple(drawn))


def _link(number: int, names: list[str], good: list[bool], chance: Random) -> TinyLink:
    target = chance.randrange(len(good))
    if good[number] and not good[target] and chance.random() < 0.5:
        target -= target % 3
    return TinyLink(names[target], chance.choice((".8 boats", ".1 roads", "more", "")), chance.choice(("", ".4 sails")))
