"""The report of a crawl: one HTML file with what the page of `clew serve` shows, for whoever has only a browser."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from clew.serve import data
from clew.serve.bundle import standalone
from clew.store import Records
from clew.version import __version__

FILE: Final = Path("report") / "report.html"
"""Where the report of a crawl is, below its folder."""
MAX_PAGES: Final = 100  # the best ones; they bound the size of the report
MAX_LATEST: Final = 20
MAX_HOSTS: Final = 100
MAX_CANDIDATES: Final = 50
MAX_EXPLAINED: Final = 30


def write_report(records: Records, file: Path | None = None) -> Path:
    """Write the report of a crawl, by default into its folder; return the file."""
    target = file or records.folder / FILE
    text = standalone("report.js", contents(records))
    target.parent.mkdir(parents=True, exist_ok=True)
    # Whoever has the report open must not see half of it.
    new = target.with_name(f"{target.name}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(target)
    return target


def contents(records: Records) -> dict[str, Any]:
    """What the report shows, as plain values."""
    best = data.pages(records, "best", relevant=True, limit=MAX_PAGES)["items"]
    latest = data.pages(records, "newest", limit=MAX_LATEST)["items"]
    following = data.next_up(records, MAX_CANDIDATES)["items"]
    pages = {page["url"]: page for page in [*latest, *best]}
    explained = [page["url"] for page in best[:MAX_EXPLAINED]]
    return {
        "version": __version__,
        "written": time.time(),
        "most": MAX_PAGES + MAX_LATEST,
        "overview": data.summary(records) | {"orders": 0, "labels_waiting": 0},
        "curve": data.curve(records),
        "pages": list(pages.values()),
        "hosts": data.hosts(records, limit=MAX_HOSTS)["items"],
        "next": following,
        "orders": data.orders(records)["items"],
        "explanations": {url: data.explain(records, url) for url in explained},
    }
