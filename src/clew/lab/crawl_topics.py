"""A crawl folder as a world: what its judge found, and before that the user's labels, are the truth."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any, Final

from clew.store import Records, latest
from clew.types import UrlState

OWN_TOPIC: Final = "relevant"
"""The topic of a crawl whose interest is a formula; one that is a single word is named after it."""


def is_crawl(folder: Path) -> bool:
    """Whether a folder holds a crawl."""
    return (folder / "crawl.db").is_file()


def crawl_topics(folder: Path) -> dict[str, Any]:
    """The content of a topics.json for a crawl folder: the pages that are relevant there, and its start pages."""
    with closing(Records(folder)) as records:
        what = records.config.what
        pages = list(records.newest())
        labels = {url: label.relevant for url, label in latest(records.labels()).items()}
    relevant = [page.url for page in pages if labels.get(page.url, page.relevant)]
    # The judge never counts a duplicate, so its verdict says nothing of its topic.
    unlabelled = [page.url for page in pages if page.state == UrlState.DUPLICATE and page.url not in labels]
    name = what.interest if what.interest.isalnum() else OWN_TOPIC
    return {
        "topics": {name: relevant},
        "unlabelled_pages": unlabelled,
        "taxonomy": {"children": [{"id": name, "name": what.interest or name}]},
        "seeds": [{"name": "crawl", "urls": list(what.seeds)}],
    }
