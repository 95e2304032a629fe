"""Measures the topical locality of the recorded webs, as in figure 7.6 of the survey.

    python experiments/locality.py [--into DOCUMENT]

`clew lab locality WORLD` prints more about each of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from write_up import put

from clew.lab.locality import locality, some_topics
from clew.lab.worlds import find

WEBS = ("webkb", "pydocs", "wikischools-hard")
TOPICS = 5


def main(arguments: list[str]) -> None:
    lines = list(table())
    print("\n".join(lines))
    if arguments[:1] == ["--into"]:
        put(Path(arguments[1]), "locality", lines)


def table() -> Iterator[str]:
    yield "\n| web | relevant: all pages | 1 link from a relevant page | 2 links | 3 links |"
    yield "|---|---|---|---|---|"
    found = []
    for web in WEBS:
        world = find(web)
        found.append(locality(world, some_topics(world, TOPICS)))
    for each in found:
        shares = [f"{kind.share:.0%}" for kind in each.by_distance[1:4]]
        yield f"| {each.world} | {each.base:.0%} | {' | '.join(shares)} |"
    yield "\nSimilarity of texts:\n"
    yield f"| web | any two pages | 1 link apart | {' | '.join(f'siblings {kind}' for kind in found[0].siblings)} |"
    yield "|---|---|---|" + "---|" * len(found[0].siblings)
    for each in found:
        texts = [each.text["any"], each.text["1"], *each.siblings.values()]
        yield f"| {each.world} | {' | '.join(f'{similarity:.2f}' for similarity in texts)} |"


if __name__ == "__main__":
    main(sys.argv[1:])
