from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from clew.labyrinth.shape import Shape
from clew.labyrinth.sites import Pool, Section, build


@pytest.mark.parametrize("pages", [100, 777, 2000, 30_000])
def test_hosts_follow_each_other_without_gaps(pages: int):
    sites = build(Shape(pages=pages))
    assert sites[0].start == 0
    assert all(a.start + a.size == b.start for a, b in pairwise(sites))
    assert sites[-1].start + sites[-1].size == pages
    assert len({site.name for site in sites}) == len(sites)


def test_sections_fill_a_host_to_its_end():
    for site in build(Shape(pages=3000)):
        place = site.start if site.kind == "noise" else site.content
        for section in site.pool.sections:
            assert section.first == place
            place += section.size
        assert place == site.start + site.size


def test_shares_of_hosts_are_kept():
    sites = build(Shape(pages=20_000, noise=0.2, german=0.1, charsets=0.3))
    share = {kind: count / len(sites) for kind, count in Counter(site.kind for site in sites).items()}
    assert share["noise"] == pytest.approx(0.2, abs=0.01)
    assert share["island"] == pytest.approx(0.16, abs=0.04)
    assert sum(site.german for site in sites) / len(sites) == pytest.approx(0.1, abs=0.01)
    assert sum(site.charset != "utf-8" for site in sites) / len(sites) == pytest.approx(0.3, abs=0.01)


def test_without_tunnels_there_are_no_islands():
    assert all(site.kind != "island" for site in build(Shape(tunnels=0)))


def test_a_pool_draws_every_page_and_the_first_ones_most():
    pool = Pool([Section(0, 10, 5, 0), Section(1, 40, 20, 0)])
    drawn = Counter(pool.draw(step / 10_000)[1] for step in range(10_000))
    assert sorted(drawn) == [*range(10, 15), *range(40, 60)]
    assert drawn[40] > 2 * drawn[59]
    assert pool.draw(0.999999999999)[1] == 59
