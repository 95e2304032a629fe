"""Checks what must hold after a soak test, from outside: the log of the server, the database, the archive."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from clew import parse
from clew.core import feedback
from clew.core.checkpoint import replay
from clew.labyrinth import Hostile
from clew.labyrinth.hostile import INSIDE
from clew.labyrinth.witness import Seen, early
from clew.store import Records
from clew.store.other_answers import load_other_answers
from clew.types import UrlState

Row = tuple[int, str, str, str, int, int]  # order, URL, state, file, offset, length
Hosts = dict[str, list[Seen]]
MAX_EXAMPLES = 3  # of each fault


class Kill(NamedTuple):
    """The time of a kill, and what was committed then."""

    at: float
    rows: list[Row]


def committed(folder: Path) -> list[Row]:
    """The visits in the database, in order; none while there is no database."""
    try:
        with closing(sqlite3.connect(f"file:{folder}/crawl.db?mode=ro", uri=True)) as db:
            query = 'SELECT "order", url, state, file, offset, length FROM pages ORDER BY "order"'
            return db.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []


def impolite(web: Hostile, hosts: Hosts, delay: float) -> list[str]:
    """Hosts with two connections at once, and requests before their time, also across runs."""
    asked = {site.name: site.delay for site in web.graph.sites if site.robots}
    double: list[Seen] = []
    hasty: list[tuple[Seen, Seen]] = []
    for host, requests in hosts.items():
        double += [request for request in requests if request.busy]
        hasty += early(requests, max(delay, asked.get(host, 0.0)))
    faults = [
        f"{r.host}{r.path} was asked while {r.busy} other answers of its host were under way"
        for r in double[:MAX_EXAMPLES]
    ]
    faults += [
        f"{a.host}{a.path} came {a.begun - b.ended:.4f} s after {b.path}, wish {b.wish}"
        for b, a in hasty[:MAX_EXAMPLES]
    ]
    print(f"politeness: {len(double)} double, {len(hasty)} early, on {len(hosts):,} hosts")
    return faults


def denied(web: Hostile, hosts: Hosts) -> list[str]:
    """Requests that should never have been made."""
    urls: list[str] = []
    for host, requests in hosts.items():
        urls += [f"http://{host}{request.path}" for request in requests]
    inside = [url for url in urls if f".{INSIDE}/" in url or url.startswith("http://127.")]
    forbidden = [url for url in urls if web.forbidden(url)]
    faults = [f"connected to a private address: {url}" for url in inside[:MAX_EXAMPLES]]
    faults += [f"robots.txt forbids {url}" for url in forbidden[:MAX_EXAMPLES]]
    return faults


def stateless(folder: Path) -> list[str]:
    """URLs without a state or a reason; the state is that of the last checkpoint, the reason that of the database."""
    with Records(folder) as records:
        crawl = feedback.state_of_folder(records.config, records.store)
        replay(crawl, records.store)
        db = records.store.db
        pages = {slot: (state, reason) for slot, state, reason in db.execute("SELECT slot, state, reason FROM pages")}
        candidates = dict(db.execute("SELECT slot, reason FROM candidates"))
    faults: list[str] = []
    words = Counter[str]()
    for slot in range(len(crawl.frontier)):
        state = crawl.frontier.state(slot)
        words[state] += 1
        if slot in pages:
            good = pages[slot][0] == state and (state == UrlState.FETCHED or bool(pages[slot][1]))
        elif state in (UrlState.QUEUED, UrlState.OVER_CAPACITY):
            good = slot in candidates or state != UrlState.QUEUED
        else:
            good = bool(candidates.get(slot))
        if not good:
            faults.append(f"slot {slot} is {state}, in the database {pages.get(slot) or candidates.get(slot)!r}")
    print("states:", ", ".join(f"{count:,} {word}" for word, count in words.most_common()))
    return faults[:MAX_EXAMPLES]


def unspent(folder: Path) -> list[str]:
    """Candidates that are left although their host had visits left; every host has at least its first budget."""
    with Records(folder) as records:
        db = records.store.db
        first = records.config.scope.host_pages
        visits = Counter(dict(db.execute("SELECT host, count(*) FROM pages WHERE state != 'refused' GROUP BY host")))
        query = "SELECT url FROM candidates WHERE reason = '' AND slot NOT IN (SELECT slot FROM pages)"
        left = Counter(parse.host(url) for (url,) in db.execute(query))
    print(f"left: {left.total():,} URLs of {len(left):,} hosts whose budget is spent")
    able = [host for host in left if visits[host] < first]
    return [f"{host} has {left[host]:,} URLs left although its budget is not spent" for host in able[:MAX_EXAMPLES]]


def archived(folder: Path) -> list[str]:
    """Where the archive and the database differ."""
    places = {(file, offset): url for _, url, _, file, offset, _ in committed(folder) if file}
    with Records(folder) as records:
        places |= {(other.file, other.offset): other.url for other in load_other_answers(records.store.db)}
    stored: dict[tuple[str, int], str] = {}
    for path in sorted((folder / "pages").glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=False):
                url = record.headers.get("WARC-Target-URI") or ""
                stored[path.name, record.stream_pos] = url if _is_sound(record) else "damaged"
    wrong = [
        f"{where}: {stored.get(where)} in the archive, {places.get(where)} in the database"
        for where in sorted(stored.keys() | places.keys())
        if stored.get(where) != places.get(where)
    ]
    print(f"archive: {len(stored):,} responses, {len(wrong)} of them differ from the database")
    return wrong[:MAX_EXAMPLES]


def _is_sound(record: WarcRecord) -> bool:
    """Whether both digests of a record are right."""
    if not record.verify_block_digest():
        return False
    record.parse_http()
    return bool(record.verify_payload_digest(consume=True))


def lost(kills: Sequence[Kill], final: list[Row]) -> list[str]:
    """Visits that were committed and are gone, or are there twice."""
    faults = []
    later_rows = [*(kill.rows for kill in kills[1:]), final]
    for number, (kill, later) in enumerate(zip(kills, later_rows, strict=True), 1):
        if later[: len(kill.rows)] != kill.rows:
            faults.append(f"after kill {number} something committed was lost or changed")
    twice = [url for url, count in Counter(row[1] for row in final).items() if count > 1]
    return faults + [f"visited twice: {url}" for url in twice[:MAX_EXAMPLES]]


def repeated(kills: Sequence[Kill], hosts: Hosts) -> list[str]:
    """Requests for pages whose visit was committed before an earlier kill."""
    since: dict[str, float] = {}
    for kill in kills:
        for row in kill.rows:
            since.setdefault(row[1], kill.at)
    again: list[str] = []
    for host, requests in hosts.items():
        for request in requests:
            url = f"http://{host}{request.path}"
            # Every run reads the rules of a host again, whether or not the crawl has visited its robots.txt.
            if request.path != "/robots.txt" and url in since and request.begun > since[url]:
                again.append(url)
    return [f"asked again after its visit was committed: {url}" for url in again[:MAX_EXAMPLES]]


def outcomes(web: Hostile, hosts: Hosts, folder: Path) -> None:
    """Print what each kind of hostile host achieved."""
    requests: Counter[str] = Counter()
    for host, asked in hosts.items():
        requests[web.nature(f"http://{host}/").kind] += len(asked)
    ends: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with Records(folder) as records:
        for record in records.pages():
            ends[web.nature(record.url).kind][_brief(record.state, record.reason)] += 1
    print(f"{'kind':10} group  requests a host  visits")
    for name in ("", *web.kinds, "inside"):
        kind = web.kinds.get(name)
        group = kind.group if kind else ""
        count = web.each if name else len(web.hosts)
        visits = ", ".join(f"{n:,} {word}" for word, n in ends[name].most_common(4))
        print(f"{name or 'honest':10} {group:5} {requests[name] / count:16,.0f}  {visits}")


def _brief(state: str, reason: str) -> str:
    """An outcome without names and numbers."""
    short = re.sub(r"https?://\S+|\d[\d.,]*", "…", reason).partition(":")[0][:40]
    return state if state in ("fetched", "redirected") and not reason.startswith("dup") else f"{state} ({short})"
