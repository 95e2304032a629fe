"""Crawls that the service starts are processes of their own, and orders are taken exactly once, whoever is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.labyrinth.process import Serving
from clew.store import Records
from tests.serve.conftest import PATIENCE, Served, serve

SLOW = 0.05  # seconds between two requests to a host: the crawl must not be over before the test


@pytest.fixture
def service(web: Serving, tmp_path: Path) -> Iterator[tuple[Served, Any]]:
    settings = tmp_path / "defaults.toml"
    settings.write_text(f'allow_private = true\nresolve = ["{web.resolve}"]\ndelay = {SLOW}\nparallel = 2\n')
    with serve(tmp_path / "crawls", "--config", str(settings)) as served:
        yield served


def start(served: Served, web: Serving, **settings: Any) -> str:
    body = {"interest": "sailing", "seeds": web.labyrinth.seeds("sailing", 3), "pages": 100_000, **settings}
    answer = served.ask("/api/crawls", "POST", body)
    assert answer.status == 201, answer.body
    return f"/api/crawls/{answer.json['id']}"


def process_of(folder: Path) -> int:
    """The process that crawls into a folder; Linux names those that hold its lock."""
    inode = (folder / "lock").stat().st_ino
    for line in Path("/proc/locks").read_text().splitlines():
        fields = line.split()
        if fields[1] == "FLOCK" and fields[5].endswith(f":{inode}"):
            return int(fields[4])
    raise AssertionError("nobody crawls into this folder")


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)


def wait_until(holds: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def visited(folder: Path) -> int:
    with Records(folder) as records:
        return records.stats().visited


def test_a_crawl_survives_the_service(service: tuple[Served, Any], web: Serving) -> None:
    served, server = service
    crawl = start(served, web, name="kept")
    folder = served.root / "kept"
    served.wait(crawl, lambda found: found["visited"] >= 5)
    kill(server.pid)
    server.wait()
    before = visited(folder)
    wait_until(lambda: visited(folder) > before + 5)
    with serve(served.root) as (again, _):
        assert again.ask(crawl).json["state"] == "running"
        assert again.ask(f"{crawl}/orders", "POST", {"kind": "stop"}).status == 202
        found = again.wait(crawl, lambda found: found["state"] == "stopped")
    assert found["why"] == "you told it to stop"


def test_a_crawl_that_cannot_begin_says_why_and_leaves_nothing(service: tuple[Served, Any]) -> None:
    served, _ = service
    answer = served.ask("/api/crawls", "POST", {"interest": "sailing", "seeds": ["gopher://a.example/"]})
    assert answer.status == 422
    assert "gopher" in answer.json["detail"]
    assert list(served.root.glob("*")) == []


def test_orders_are_taken_exactly_once_across_kills(service: tuple[Served, Any], web: Serving) -> None:
    served, _ = service
    crawl = start(served, web, name="killed")
    folder = served.root / "killed"
    found = served.wait(crawl, lambda found: found["visited"] >= 10)
    url = served.ask(f"{crawl}/pages").json["items"][0]["url"]
    denied = [item["host"] for item in served.ask(f"{crawl}/hosts").json["items"] if item["waiting"]][-3:]
    for host in denied:
        # Killed between order and commit, and once a little later.
        order = served.ask(f"{crawl}/orders", "POST", {"kind": "deny", "words": [host]})
        assert order.json["status"] == "waiting"
        assert served.ask(f"{crawl}/labels", "POST", {"url": url, "relevant": False}).status == 202
        if host == denied[-1]:
            time.sleep(1.0)
        kill(process_of(folder))
        wait_until(lambda: served.ask(crawl).json["state"] != "running")
        assert served.ask(f"{crawl}/resume", "POST", {}).status == 202
        served.wait(crawl, lambda found: found["state"] == "running")
    orders = served.wait(f"{crawl}/orders", lambda found: all(o["status"] == "taken" for o in found["items"]))["items"]
    assert [order["words"] for order in orders] == [[host] for host in reversed(denied)]
    served.wait(crawl, lambda found: found["labels_waiting"] == 0)
    served.ask(f"{crawl}/orders", "POST", {"kind": "stop"})
    found = served.wait(crawl, lambda found: found["state"] != "running")
    with Records(folder) as records:
        noted = [detail for _, event, detail in records.journal() if event == "order" and detail.startswith("deny")]
        assert sorted(line.split(":")[0] for line in noted) == sorted(f"deny {host}" for host in denied)
        assert records.config.scope.deny == tuple(denied)
        taken = {order.words[0]: order.taken for order in records.orders() if order.kind == "deny"}
        for record in records.pages():
            # A page that was in flight lands.
            assert record.host not in taken or record.order <= (taken[record.host] or 0) + 2
    assert found["visited"] >= 10


def test_a_crawl_goes_on_with_another_limit(service: tuple[Served, Any], web: Serving) -> None:
    served, _ = service
    crawl = start(served, web, pages=5)
    found = served.wait(crawl, lambda found: found["state"] == "finished")
    assert found["why"] == "fetched 5 pages"
    assert served.ask(f"{crawl}/resume", "POST", {"limits": {"pages": 9}}).status == 202
    found = served.wait(crawl, lambda found: found["pages"] >= 9 and found["state"] == "finished")
    assert found["why"] == "fetched 9 pages"
    assert served.ask(f"{crawl}/resume", "POST", {"limits": {"folder": 1}}).status == 422


def test_the_demo_is_a_crawl_in_a_browser_with_one_command(tmp_path: Path) -> None:
    with serve(tmp_path / "crawls", "--demo") as (served, process):
        [item] = served.wait("/api/crawls", lambda found: found["items"] and found["items"][0]["visited"] > 0)["items"]
        assert (item["interest"], item["state"]) == ("sailing", "running")
        assert served.ask("/").headers["content-type"].startswith("text/html")
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    wait_until(lambda: not Records(tmp_path / "crawls" / "sailing").running)
