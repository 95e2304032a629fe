"""A site whose sidebar names the topic: only pages that are themselves about it are found."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.core.checkpoint import checkpoint_of, replay_all
from clew.core.feedback import state_of_folder

ON_TOPIC = [3, 9, 14]
TREES = [
    *("oak", "pine", "elm", "ash", "yew", "fir", "larch", "teak", "cedar"),
    *("birch", "maple", "alder", "beech", "rowan", "holly", "hazel", "willow", "poplar"),
]
SIDEBAR = "".join(f'<li><a href="/{number}">{tree.title()} wood</a></li>' for number, tree in enumerate(TREES))


def page(number: int) -> str:
    tree = TREES[number]
    own = f"The {tree} is a tree of the northern hills; its timber is hard, and craftsmen like to work with it. "
    if number in ON_TOPIC or number == 0:
        own += "For sailing it is the best: sailing boats have masts of it, and sailing schools buy them. "
    grain = " ".join(f"{tree}{word}" for word in ("leaf", "bark", "root", "seed", "bud", "twig"))
    return (
        f"<title>{tree.title()} - The sailing almanac</title><div><h3>Sailing</h3><p>News for sailing people</p></div>"
        f"<ul>{SIDEBAR}</ul><main><h1>{tree.title()}</h1><p>{own}</p><p>{grain}</p></main>"
        f"<footer>Sailing almanac, page {number}</footer>"
    )


@pytest.fixture
def site() -> Iterator[str]:
    class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.strip("/")
            is_page = name.isdigit() and int(name) < len(TREES)
            body = page(int(name)).encode() if is_page else b""
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def crawl(site: str, folder: Path, **more: object) -> list[int]:
    """The numbers of the pages that count as found."""
    plain = {"allow_private": True, "delay": 0.0, "parallel": 1, "threshold": 0.3, "strategy": "breadth_first"}
    # The few words of a page could make it a duplicate by chance.
    plain["duplicates"] = "keep"
    result = clew.crawl("sailing", [f"{site}/0"], folder=str(folder), **{**plain, **more})
    with result.records as records:
        return sorted(int(record.url.rpartition("/")[2]) for record in records.pages() if record.relevant)


def test_only_pages_about_the_topic_are_found(site, tmp_path):
    found = crawl(site, tmp_path / "drop")
    # The first pages are judged before anything can be said to repeat.
    assert [number for number in found if number > 3] == [number for number in ON_TOPIC if number > 3]
    whole = crawl(site, tmp_path / "keep", boilerplate="keep")
    assert len(whole) == len(TREES)


def test_judged_again_the_first_pages_lose_their_menus_too(site, tmp_path):
    crawl(site, tmp_path / "crawl")
    clew.resume(str(tmp_path / "crawl"), interest="sailing OR regatta", pages=100)
    with clew.Records(tmp_path / "crawl") as records:
        found = [int(record.url.rpartition("/")[2]) for record in records.pages() if record.relevant]
    assert sorted(found) == [0, *ON_TOPIC]


def test_a_replay_sees_what_the_crawl_saw(site, tmp_path):
    crawl(site, tmp_path / "crawl", strategy="shark")
    with clew.Records(tmp_path / "crawl") as records:
        state = state_of_folder(records.config, records.store)
        replay_all(state, records.store)
        saved = records.store.checkpoint()
        again = checkpoint_of(state)
        assert {tag: again[tag] for tag in again if "boilerplate" in tag} == {
            tag: saved[tag] for tag in saved if "boilerplate" in tag
        }
        assert state.filters.boilerplate.repeated > len(TREES)
        words = {record.url: record.words for record in records.pages() if record.state == "fetched"}
        pages = [page for page in state.view.pages() if page.ok]
        assert {page.url: sum(page.terms.values()) for page in pages} == words
        assert not any(link.menu for link in pages[0].links)
        assert all(link.menu for link in pages[-1].links)


def test_explain_counts_the_words_of_the_page_itself(site, tmp_path):
    crawl(site, tmp_path / "crawl")
    [topic] = clew.explain(str(tmp_path / "crawl"), f"{site}/14").topics
    assert (topic.words, topic.in_title) == ({"sailing": 3}, ())
