"""Which shard visits a URL: that of its registered domain, for what is learned of a host holds for its domain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from clew.base.chance import key_of
from clew.config import read_folder
from clew.parse import domain, host
from clew.store.database import is_whole
from clew.store.whole import shard_folder


def home(url: str, shards: int) -> int:
    """The number of the shard that visits a canonical URL; the same in every process.

    >>> home("http://a.example.org/x", 8) == home("https://b.example.org:8080/", 8)
    True
    """
    return _home_of_host(host(url), shards)


def by_home(folder: Path, labels: Mapping[str, bool]) -> dict[Path, dict[str, bool]]:
    """What is said of pages, by the crawl folder that holds them: with shards, that of their home."""
    if not is_whole(folder):
        return {folder: dict(labels)}
    shards = read_folder(folder).fetch.shards
    found: dict[Path, dict[str, bool]] = defaultdict(dict)
    for url, is_relevant in labels.items():
        found[shard_folder(folder, home(url, shards))][url] = is_relevant
    return found


@lru_cache(100_000)
def _home_of_host(name: str, shards: int) -> int:
    return key_of(domain(f"http://{name}/")) % shards
