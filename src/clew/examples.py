"""Example documents from files, folders and URLs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from clew.config import Fetch
from clew.errors import InterestError
from clew.fetch import HttpFetcher
from clew.outcome import reason_of
from clew.parse import canonical, parse
from clew.types import Doc, Fetched

_HTML = {".html", ".htm", ".xhtml", ".php"}


def reader(config: Fetch) -> Callable[[str], list[Doc]]:
    """What turns the place of an example into documents."""
    return lambda place: [_from_web(place, config)] if "://" in place else _from_disk(Path(place))


def _from_web(url: str, config: Fetch) -> Doc:
    fetched = asyncio.run(_get(canonical(url) or url, config))
    if not fetched.ok:
        raise InterestError(f"the example {url} cannot be fetched: {reason_of(fetched)}")
    return parse(fetched.body, fetched.url, fetched.header("content-type"))


async def _get(url: str, config: Fetch) -> Fetched:
    fetcher = HttpFetcher(config)
    try:
        fetched = await fetcher.get(url)
        for _ in range(config.max_redirects):
            if not fetched.location:
                break
            await asyncio.sleep(fetcher.pause(url))
            fetched = await fetcher.get(fetched.location)
        return fetched
    finally:
        await fetcher.close()


def _from_disk(path: Path) -> list[Doc]:
    if not path.exists():
        raise InterestError(f"there is no example at {path}")
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return [_from_file(file) for file in files]


def _from_file(path: Path) -> Doc:
    body = path.read_bytes()
    markup = path.suffix.lower() in _HTML or b"<html" in body[:1000].lower()
    return parse(body, path.absolute().as_uri(), "text/html" if markup else "text/plain")
