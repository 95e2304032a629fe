"""A crawl stops before its disk is full, and does not begin on one that nearly is."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew
from clew.config import Config, configure
from clew.core.build import frontier
from clew.core.engine import Engine
from clew.core.runner import run
from clew.core.state import CrawlState
from clew.errors import StoreError
from clew.store import Records, SqliteStore
from clew.strategies import make
from clew.testing.tiny_web import TinyWeb, TinyWebFetcher, TinyWebInterest, url_of
from clew.types import Fetched

MUCH = 1e12  # megabytes that no disk has
LARGE = 400_000  # bytes of a page


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 30 MB."""
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", str(tmp_path)], capture_output=True, text=True
    )
    if mount.returncode:
        pytest.skip(f"only root can mount a small file system: {mount.stderr.strip()}")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


class LargePages(TinyWebFetcher):
    """Answers that fill the disk: noise, which does not shrink."""

    async def get(self, url: str) -> Fetched:
        answer = await super().get(url)
        noise = b"".join(hash((url, n)).to_bytes(8, "big", signed=True) for n in range(LARGE // 8))
        body = answer.body + b"<!--" + noise.hex().encode() + b"-->"
        return Fetched(answer.url, answer.status, answer.headers, body, body)


WEB = TinyWeb.read("; ".join(f"p{n} .9 {{boats}} -> p{n + 1}" for n in range(200)) + "; p200 .9 {boats}")


def crawl(folder: Path, min_free: float, resumed: bool = False) -> str:
    plain = {"parallel": 1, "delay": 0, "commit_pages": 1, "threshold": 0.5, "host_pages": 0, "duplicates": "keep"}
    config = configure(Config(), interest="boats", seeds=[url_of("p0")], min_free=min_free, traps=False, **plain)
    with SqliteStore(folder, new=None if resumed else config) as store:
        state = CrawlState(config, TinyWebInterest(WEB), make("breadth_first"), store, frontier(config, store))
        engine = Engine(state, LargePages(WEB), store)
        engine.resume(store)
        return run(engine.run())


def test_a_crawl_stops_before_a_small_disk_is_full(small_disk: Path) -> None:
    folder = small_disk / "crawl"
    reason = crawl(folder, min_free=10)
    assert "MB are left on the disk" in reason
    assert "make room" in reason
    with Records(folder) as records:
        visited = records.stats().visited
        assert 1 < visited < 100
        assert records.reason == reason
        assert not records.store.lost.urls
    with pytest.raises(StoreError, match="are left on the disk"):
        clew.resume(folder, min_free=20)
    # A limit that leaves room goes on.
    crawl(folder, min_free=5, resumed=True)
    with Records(folder) as records:
        assert records.stats().visited > visited


def test_a_crawl_does_not_begin_without_room(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "crawl"
    with pytest.raises(StoreError, match=r"MB are left .*min_free"):
        clew.crawl("boats", ["http://127.0.0.1:9/"], folder=str(folder), min_free=MUCH)
    assert not folder.exists()


def test_it_stops_at_the_first_commit(tmp_path: Path) -> None:
    assert "min_free" in crawl(tmp_path, min_free=MUCH)


def test_the_limit_can_be_switched_off(tmp_path: Path) -> None:
    assert crawl(tmp_path, min_free=0) == "no candidates are left"
