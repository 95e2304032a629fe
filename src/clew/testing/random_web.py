"""Webs of chance for checks: small, and full of what goes wrong in a large one."""

from __future__ import annotations

from random import Random

from clew.testing.tiny_web import Arrow, Sketch, Spot


def tangle(pages: int = 60, links: int = 5, seed: int = 0, hosts: int = 1) -> Sketch:
    """A web of chance with everything that goes wrong in one: failures, empty pages, dead ends, redirects.

    Relevant pages link to relevant ones more often than not, as they do on the web.

    >>> web = tangle(pages=60)
    >>> len(web.spots), sorted({spot.status for spot in web.spots.values()})
    (60, [200, 404, 500])
    """
    chance = Random(seed)
    good = [number % 3 == 0 for number in range(pages)]
    names = [f"p{number}" if hosts == 1 else f"h{number % hosts}/p{number}" for number in range(pages)]
    return Sketch({name: _spot(number, names, good, links, chance) for number, name in enumerate(names)})


def _spot(number: int, names: list[str], good: list[bool], links: int, chance: Random) -> Spot:
    """One page of a tangle; the first ones are sound, so that every crawl gets under way."""
    if number > 3 and (fate := chance.random()) < 0.25:
        fates = (Spot(status=404), Spot(status=500), Spot(), Spot(location=names[chance.randrange(len(good))]))
        return fates[int(fate * 16)]
    words = "boats sails harbour" if good[number] else "cars roads parking"
    arrows = [_arrow(number, names, good, chance) for _ in range(chance.randint(1, 2 * links))]
    return Spot(0.9 if good[number] else chance.choice((0.0, 0.2)), text=f"{words} {number}", arrows=tuple(arrows))


def _arrow(number: int, names: list[str], good: list[bool], chance: Random) -> Arrow:
    target = chance.randrange(len(good))
    if good[number] and not good[target] and chance.random() < 0.5:
        target -= target % 3
    return Arrow(names[target], chance.choice((".8 boats", ".1 roads", "more", "")), chance.choice(("", ".4 sails")))
