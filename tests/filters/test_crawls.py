"""Duplicates, soft 404s, traps and budgets in whole crawls, through the ordinary engine."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, field
from html import escape

import pytest

from clew.core.simulation import Simulation, run_simulation
from clew.core.standstill import SPENT
from clew.testing.fixed_interest import FixedInterest
from clew.types import Fetched

HYGIENE = {
    "url_rules": ("tracking", "sessions", "dots", "canonical", "index", "variants", "parameters"),
    "duplicates": "skip",
    "soft_404": True,
    "traps": True,
}
WORDS = [f"word{number}" for number in range(2000)]


def prose(seed: str, words: int = 120) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def hash_of(text: str) -> int:
    return zlib.crc32(text.encode())


def html(text: str, links: list[str], title: str = "", head: str = "") -> bytes:
    anchors = "".join(f'<p><a href="{escape(link)}">on</a></p>' for link in links)
    return f"<html><head><title>{title}</title>{head}</head><body><p>{text}</p>{anchors}</body></html>".encode()


@dataclass
class Site:
    """Answers with a function of the URL."""

    answer: object
    asked: list[str] = field(default_factory=list)

    async def get(self, url: str) -> Fetched:
        self.asked.append(url)
        body = self.answer(url)  # type: ignore[operator]
        if isinstance(body, str):
            return Fetched(url, 301, location=body)
        if body is None:
            return Fetched(url, 404)
        return Fetched(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body, body)

    def pause(self, url: str) -> float:
        return 0.0

    async def close(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True, eq=False)
class Good(FixedInterest):
    """Pages under /good are relevant."""

    def relevance(self, url: str) -> float:
        return float("/good" in url)

    def rate(self, text: str) -> float:
        return 0.0


def crawl(answer: object, pages: int | None = 300, **settings: object) -> tuple[Simulation, Site]:
    site = Site(answer)
    given = {**HYGIENE, "pages": pages, **settings}
    made = run_simulation(site, Good().at(0.5), ["http://a.example/"], strategy="breadth_first", **given)
    return made, site


def states(made: Simulation) -> dict[str, tuple[str, str]]:
    return {record.url.partition("a.example")[2]: (record.state, record.reason) for record in made.records}


def test_a_duplicate_is_not_expanded_and_not_found():
    def answer(url: str) -> bytes | None:
        if url.endswith("a.example/"):
            return html(prose("home"), ["/good/1", "/good/2", "/good/3"])
        text = prose("same") if url[-1] in "12" else prose(url)
        return html(text, [url + "/more"]) if url.count("/") == 4 else html(prose(url), [])

    made, site = crawl(answer)
    assert states(made)["/good/2"] == ("duplicate", "same as http://a.example/good/1")
    assert "http://a.example/good/2/more" not in site.asked
    assert made.stats.duplicates == 1
    assert not next(r.relevant for r in made.records if r.state == "duplicate")
    kept, _ = crawl(answer, duplicates="keep")
    assert states(kept)["/good/2"][0] == "fetched"


@pytest.mark.parametrize(("host", "state"), [("b.example", "duplicate"), ("a.example", "fetched")])
def test_a_mirror_may_add_a_line_and_a_page_of_the_same_host_may_not(host: str, state: str):
    text = prose("article", 150)

    def answer(url: str) -> bytes | None:
        if url.endswith("a.example/"):
            return html(prose("home"), ["/one", f"http://{host}/two"])
        return html(text if "one" in url else f"{text} Mirrored by {host} for you", [], title="The article")

    made, _ = crawl(answer)
    assert [record.state for record in made.records if record.url.endswith("/two")] == [state]


def test_canonical_addresses():
    text = prose("long", 400)

    def answer(url: str) -> bytes | None:
        if url.endswith("a.example/"):
            return html(prose("home"), ["/p", "/p?print", "/q"])
        head = '<link rel="canonical" href="/p">'
        changed = text.replace("word1", "term", 40) if "print" in url else text
        return html(prose("own") if url.endswith("/q") else changed, [], head=head)

    found = states(crawl(answer)[0])
    assert found["/p?print"] == ("duplicate", "same as http://a.example/p")
    assert found["/q"][0] == "fetched"  # it claims to be /p and is not


def test_soft_404s_fail():
    def answer(url: str) -> bytes | None:
        if url.endswith("a.example/"):
            return html(prose("home"), ["/good/gone", "/good/there"])
        if url.endswith("gone"):
            return html("We are sorry.", [], title="Page not found")
        return html(prose(url), [])

    made, _ = crawl(answer)
    assert states(made)["/good/gone"] == ("failed", "soft 404: the title reads like an error page")
    assert made.stats.relevant == 1


def test_tracking_parameters_name_no_new_page():
    def answer(url: str) -> bytes | None:
        return html(prose(url), ["/x?utm_source=1", "/x?utm_source=2", "/x;jsessionid=7"])

    assert crawl(answer)[1].asked == ["http://a.example/", "http://a.example/x"]


def test_endless_pagination_falls_asleep():
    def answer(url: str) -> bytes | None:
        if url.endswith("a.example/"):
            return html(prose("home"), [f"/list?page={n}" for n in range(200)] + ["/story/one"])
        return html(prose(url) if "story" in url else "nothing here " * 60, [])

    _, learning = crawl(answer)
    assert sum("page=" in url for url in learning.asked) == 12  # the parameter is found to be useless
    _, site = crawl(answer, url_rules=("none",))
    assert sum("page=" in url for url in site.asked) == 51
    assert "http://a.example/story/one" in site.asked


@pytest.mark.parametrize(
    "step",
    [
        lambda url: url.rstrip("/") + "/x/",
        lambda url: url.rstrip("/") + f"/{len(url)}/",
        lambda url: url + "&p=1" if "?" in url else url + "?p=1",
        lambda url: url.rstrip("/") + "/y/a.example/",
    ],
)
def test_growing_paths_end(step):
    made, site = crawl(lambda url: html(prose(url), [step(url)]))
    assert len(site.asked) < 20
    assert made.reason == "no candidates are left"


def test_a_redirect_maze_ends():
    def answer(url: str) -> bytes | str:
        if url.endswith("a.example/"):
            return html(prose("home"), [f"/go/{n}/0" for n in range(100)])
        start, _, step = url.rpartition("/")
        return f"{start}/{int(step) + 1}"

    _, site = crawl(answer, pages=None)
    assert len(site.asked) < 300  # of 1,200


def test_a_maze_with_relevant_pages_ends():
    def answer(url: str) -> bytes | str:
        number = hash_of(url)
        if url.endswith("a.example/") or number % 7 == 0:
            return html(prose(url), [f"/good/{hash_of(f'{url} {n}')}" for n in range(6)])
        return f"http://a.example/good/{hash_of(url + ' next')}"

    made, site = crawl(answer, pages=None)
    assert len(site.asked) < 200
    assert made.reason == "no candidates are left"


def test_redirects_use_up_the_budget():
    def answer(url: str) -> bytes | str:
        if url.endswith("a.example/"):
            return html(prose("home"), [f"http://b.example/to/{n}" for n in range(100)])
        return url.replace("b.example/to", f"c{hash_of(url)}.example") if "/to/" in url else html(prose(url), [])

    made, site = crawl(answer, pages=None, host_pages=10)
    assert sum("b.example" in url for url in site.asked) == 10
    assert made.reason == SPENT


def test_moved_start_pages_are_all_visited():
    def answer(url: str) -> bytes | str:
        return html(prose(url), []) if "/now" in url else url.replace("http://", "http://www.") + "now"

    seeds = [f"http://n{n}.a.example/p{m}/" for n in range(70) for m in range(2)]
    seeds += [f"http://b.example/p{m}/" for m in range(30)]
    site = Site(answer)
    run_simulation(site, Good().at(0.5), seeds, strategy="breadth_first", **HYGIENE, pages=None, host_pages=10)
    assert sum("now" in url for url in site.asked) == len(seeds)


def test_endless_names_end():
    def answer(url: str) -> bytes:
        return html(prose(url), [f"http://n{hash_of(f'{url} {n}')}.a.example/good" for n in range(3)])

    made, site = crawl(answer, pages=None, host_pages=50)
    assert len(site.asked) == 51
    assert made.reason == "no candidates are left"


def test_copies_with_other_links_are_known_and_fall_asleep():
    def answer(url: str) -> bytes:
        links = "".join(f'<a href="/copy/{hash_of(f"{url} {n}")}">{prose(f"{url} {n}", 4)}</a> ' for n in range(8))
        return f"<p>{prose('same', 200)} Copy {hash_of(url)}.</p><p>{links}</p>".encode()

    def entry(url: str) -> bytes:
        return html(prose("home"), [f"/copy/{n}" for n in range(300)]) if url.endswith("a.example/") else answer(url)

    made, site = crawl(entry, pages=None)
    assert made.stats.duplicates == 50
    assert len(site.asked) == 52


def test_a_barren_host_ends_and_a_good_one_goes_on():
    def answer(url: str) -> bytes:
        number = int("0" + "".join(c for c in url if c.isdigit()))
        if "b.example" in url:
            return html(prose(url), [f"http://b.example/good/{number + n}" for n in (1, 2, 3)])
        if "c.example" in url:
            return html(prose(url), [f"http://c.example/w{number * 2 + n}" for n in (1, 2)])
        return html(prose(url), ["http://b.example/good/1", "http://c.example/w1"])

    _, site = crawl(answer, host_pages=10, pages=200)
    assert sum("c.example" in url for url in site.asked) == 10
    assert sum("b.example" in url for url in site.asked) == 189


def test_the_reason_when_only_barren_hosts_are_left():
    def answer(url: str) -> bytes:
        number = int("0" + "".join(c for c in url if c.isdigit()))
        return html(prose(url), [f"http://c.example/w{number * 2 + n}" for n in (1, 2)])

    made, site = crawl(answer, host_pages=10)
    assert len(site.asked) == 11
    assert made.reason == SPENT


def test_off_in_simulations():
    site = Site(lambda url: html("same", ["/x/x/x/x/x", "/y?utm_source=1"]))
    made = run_simulation(site, Good().at(0.5), ["http://a.example/"], strategy="breadth_first")
    assert len(site.asked) == 3
    assert made.stats.duplicates == 0
