from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import tracemalloc
from hashlib import blake2b, sha256

import pytest

from clew.config import configure
from clew.errors import ConfigError
from clew.labyrinth import Labyrinth

DIGEST = """
from hashlib import sha256
from clew.labyrinth import Labyrinth
web, digest = Labyrinth(pages=400, seed=3), sha256()
for number in range(0, 400, 7):
    digest.update(web.url(number).encode() + repr(web.page(web.url(number))).encode())
digest.update(repr((web.seeds("sailing", 5), web.seeds("sports", 3, distance=1))).encode())
print(digest.hexdigest())
"""


def test_the_same_bytes_in_every_process():
    digests = set()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", DIGEST]
        digests.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(digests) == 1


def test_order_of_requests_does_not_matter():
    forth, back = Labyrinth(pages=200), Labyrinth(pages=200)
    urls = [forth.url(n) for n in range(0, 200, 9)]
    assert [forth.page(url) for url in urls] == [back.page(url) for url in reversed(urls)][::-1]


def test_another_seed_is_another_web():
    one, two = Labyrinth(pages=200, seed=1), Labyrinth(pages=200, seed=2)
    assert sha256(one.page(one.url(50)).body).digest() != sha256(two.page(two.url(50)).body).digest()
    assert one.hosts != two.hosts


@pytest.mark.parametrize("pages", [100, 2000])
def test_every_url_is_read_back(pages: int):
    web = Labyrinth(pages=pages)
    urls = [web.url(number) for number in range(pages)]
    assert len(set(urls)) == pages
    assert [web.number(url) for url in urls] == list(range(pages))
    assert all(url.split("/")[2].endswith(".labyrinth") for url in urls)


@pytest.mark.parametrize("url", ["", "http://example.org/", "http://{host}/nothing", "http://{host}/node/999999"])
def test_foreign_urls_have_no_number(web: Labyrinth, url: str):
    assert web.number(url.format(host=web.hosts[0])) is None


def test_there_is_no_page_beyond_the_last(web: Labyrinth):
    with pytest.raises(IndexError):
        web.url(web.pages)


def test_homes(web: Labyrinth):
    for host in web.hosts:
        assert web.truth(web.number(web.home(host)) or 0).kind in ("home", "noise")


def test_truth_follows_the_taxonomy(web: Labyrinth):
    assert web.taxonomy["sailing"] == "water sports"
    assert web.taxonomy["water sports"] == "sports"
    assert web.taxonomy["sports"] == "ANY"
    number = next(web.pages_on("sailing"))
    assert web.truth(number) == ("sports/water sports/sailing", "content")
    tests = [web.relevant(t) for t in ("sailing", "water sports", "sports", "sports/water sports")]
    assert all(test(number) for test in tests)
    assert not web.relevant("surfing")(number)
    wanted = web.relevant("water sports")
    assert sorted(web.pages_on("water sports")) == [n for n in range(web.pages) if wanted(n)]


def test_an_unknown_topic_names_the_nearest(web: Labyrinth):
    with pytest.raises(ConfigError, match="sailing"):
        web.seeds("sailin", 1)


@pytest.mark.parametrize("distance", [0, 1, 2])
def test_seeds_are_as_far_away_as_asked(web: Labyrinth, distance: int):
    seeds = web.seeds("sailing", 4, distance)
    assert len(set(seeds)) == 4
    assert [web.distance(web.number(url), "sailing") for url in seeds] == [distance] * 4


def test_the_taxonomy_fits_clews_configuration(web: Labyrinth):
    config = configure(**tomllib.loads(web.topics_toml()))
    assert config.topics["sailing"].parent == "water sports"
    assert "yacht" in config.topics["sailing"].keywords
    assert set(config.topics) == set(web.taxonomy)


def test_redirects_lead_to_pages(web: Labyrinth):
    site = web.graph.sites[3]
    home = web.home(site.name)
    moved, gone_away = web.page(f"{home}go/2"), web.page(f"{home}out/7")
    assert (moved.status, dict(moved.headers)["Location"]) == (301, web.url(site.start + 2))
    assert (gone_away.status, dict(gone_away.headers)["Location"]) == (302, web.url(7))
    assert dict(web.page(f"{home}old/2").headers)["Location"] == "/go/2"
    assert dict(web.page(f"{home}loop/1").headers)["Location"] == "/loop/2"
    assert dict(web.page(f"{home}loop/2").headers)["Location"] == "/loop/1"
    assert web.page(f"{home}go/99999").status == 404
    assert web.page(f"{home}out/99999").status == 404


def test_robots_forbid_print_versions_that_exist(web: Labyrinth):
    ruled = next(site for site in web.graph.sites if site.robots)
    free = next(site for site in web.graph.sites if not site.robots)
    assert b"Disallow: /print/" in web.page(f"{web.home(ruled.name)}robots.txt").body
    assert web.page(f"{web.home(free.name)}robots.txt").status == 404
    copy = f"{web.home(ruled.name)}print/1"
    assert web.page(copy) == web.page(web.url(ruled.start + 1))
    assert web.forbidden(copy)
    assert not web.forbidden(web.url(ruled.start + 1))
    assert web.number(copy) is None


def test_hosts_ask_for_a_delay_only_on_demand():
    web = Labyrinth(pages=1000, crawl_delay=2.5)
    rules = [web.page(f"{web.home(host)}robots.txt").body for host in web.hosts]
    assert 0 < sum(b"Crawl-delay: 2.5" in rule for rule in rules) < len(rules) / 4


def test_a_million_pages_cost_no_more_memory_than_their_hosts():
    tracemalloc.start()
    web = Labyrinth(pages=1_000_000)
    bodies = [len(web.page(web.url(number)).body) for number in (0, 123_456, 999_999)]
    links = web.links(777_777)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert all(bodies)
    assert links
    assert peak < 20_000_000  # one 20th of a kilobyte a page would be more than twice as much
    assert web.number(web.url(654_321)) == 654_321


@pytest.mark.parametrize(
    ("pages", "sites", "digest"), [(2000, 76, "132b32daacdc4394"), (1_000_000, 2630, "d4b2eef6e45f8cf7")]
)
def test_the_same_seed_gives_the_same_pages_as_ever_and_tables_of_hosts_only(
    pages: int, sites: int, digest: str
) -> None:
    """Results of experiments hold on; and a million pages are served at once, for none is made before it is asked."""
    web = Labyrinth(pages=pages, seed=3)
    bodies = b"".join(web.page(web.url(number)).body for number in range(0, pages, pages // 25))
    assert blake2b(bodies, digest_size=8).hexdigest() == digest
    assert len(web.graph.sites) == sites
