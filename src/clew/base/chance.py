"""Keys of URLs and pseudo-random numbers as pure functions of their input: the same in every process, in any order."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=1 << 16)
def key_of(url: str) -> int:
    """A 63-bit key of a URL, the same in every process, so that shards and crawls can compare keys."""
    # SQLite integers are signed: 63 bits stay positive.
    return int.from_bytes(blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


def chance(seed: int, *key: object) -> float:
    """A number uniform in (0, 1), a pure function of seed and key: without state, whatever the order of the calls.

    >>> chance(1, "a") == chance(1, "a") != chance(2, "a")
    True
    """
    digest = blake2b(repr((seed, *key)).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") + 0.5) / 2**64
