from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.store.warc import Archive
from clew.types import Fetched

Write = Callable[[Path, dict[str, "str | int"]], Path]

LABEL = '<h3 id="label">Filed under <a href="/index/boats">boats</a> <b id="label">and more</b></h3>'
PAGES: dict[str, str | int] = {
    "http://a.org/": f"<title>Home</title>{LABEL}<h2>See</h2>to <a href='/sail#top'>sailing</a> here <a href='/old'>x",
    "http://a.org/sail": "<p>Sails <a href='/'>home</a> <a href='http://b.org/row'>rowing</a> <a href='/sail'>me</a>",
    "http://a.org/old": "=> /older",
    "http://a.org/older": "=> http://b.org/row",
    "http://a.org/circle": "=> /circle",
    "http://a.org/index/boats": "<a href='/sail'>a</a><a href='http://b.org/row'>b</a><a href='http://b.org/far'>c</a>",
    "http://b.org/row": "Oars <a href='http://a.org/circle'>o</a> <a href='http://gone.org/'>gone</a> <a href='/far'>",
    "http://b.org/far": "<p>nothing",
    "http://b.org/lone": "<p>An island <a href='/row' rel=nofollow>boats",
    "http://b.org/missing": 404,
}
TOPICS = {
    "warc": "tiny.warc.gz",
    "taxonomy": {
        "id": "all",
        "children": [
            {
                "id": "boats",
                "name": "Boats of all kinds",
                "children": [{"id": "boats.sail", "name": "Sailing boats"}, {"id": "boats.row"}, {"id": "boats.raft"}],
            }
        ],
    },
    "topics": {
        "boats.sail": ["http://a.org/sail", "http://elsewhere.org/"],
        "boats.row": ["http://A.org/old"],
    },
    "unlabelled_pages": ["http://b.org/far"],
    "seeds": [{"name": "home", "urls": ["http://a.org/"]}],
    "exclude_hard": {"url_prefixes": ["http://a.org/index/"]},
}


def write(path: Path, pages: dict[str, str | int]) -> Path:
    """A WARC file with these responses: HTML, a status, or the target of a redirect."""
    archive = Archive(path.parent / "archive")
    for url, content in pages.items():
        kind = ("Content-Type", "text/html; charset=utf-8")
        if isinstance(content, int):
            fetched = Fetched(url, content, (kind,))
        elif content.startswith("=> "):
            fetched = Fetched(url, 301, (("Location", content[3:]),))
        else:
            fetched = Fetched(url, 200, (kind,), raw=content.encode())
        place = archive.append(fetched, at=0.0)
    archive.close()
    return (path.parent / "archive" / place.file).rename(path)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one recorded web, tiny.warc.gz and tiny.topics.json."""
    folder = tmp_path_factory.mktemp("worlds")
    write(folder / "tiny.warc.gz", PAGES)
    (folder / "tiny.topics.json").write_text(json.dumps(TOPICS), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def write_warc() -> Write:
    return write


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests, and never the user's."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(cache_folder))
