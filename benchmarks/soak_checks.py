"""What must hold after a soak, looked at from outside: the server's log, the database, the archive."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecordType

from clew import parse
from clew.core import feedback
from clew.core.checkpoint import replay
from clew.frontier import State
from clew.labyrinth import Hostile
from clew.labyrinth.hostile import INSIDE
from clew.labyrinth.witness import Seen, early
from clew.store import Records

Row = tuple[int, str, str, str, int, int]  # order, URL, state, file, offset, length
Hosts = dict[str, list[Seen]]
FEW = 3  # examples that are told of a fault


class Kill(NamedTuple):
    """A moment, and what was committed then."""

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
    """Two connections at once, and requests before their time, also those of another run."""
    asked = {site.name: site.delay for site in web.graph.sites if site.robots}
    double = [request for requests in hosts.values() for request in requests if request.busy]
    hasty = [
        (before, after)
        for host, requests in hosts.items()
        for before, after in early(requests, max(delay, asked.get(host, 0.0)))
    ]
    told = [f"{r.host}{r.path} was asked while {r.busy} other answers of its host were under way" for r in double[:FEW]]
    told += [f"{a.host}{a.path} came {a.begun - b.ended:.4f} s after {b.path}, wish {b.wish}" for b, a in hasty[:FEW]]
    print(f"politeness: {len(double)} double, {len(hasty)} early, on {len(hosts):,} hosts")
    return told


def denied(web: Hostile, hosts: Hosts) -> list[str]:
    """What no request should have been made for."""
    urls = [f"http://{host}{request.path}" for host, requests in hosts.items() for request in requests]
    inside = [url for url in urls if f".{INSIDE}/" in url or url.startswith("http://127.")]
    forbidden = [url for url in urls if web.forbidden(url)]
    return [f"dialled an address inside: {url}" for url in inside[:FEW]] + [
        f"robots.txt forbids {url}" for url in forbidden[:FEW]
    ]


def stateless(folder: Path) -> list[str]:
    """URLs without a state or a reason; the state is that of the last checkpoint, the reason that of the database."""
    with Records(folder) as records:
        state = feedback.state_of_folder(records.config, records.store)
        replay(state, records.store)
        db = records.store.db
        pages = {slot: (state, reason) for slot, state, reason in db.execute("SELECT slot, state, reason FROM pages")}
        shelf = dict(db.execute("SELECT slot, reason FROM candidates"))
    faults, words = [], Counter[str]()
    for slot, number in enumerate(state.frontier.table.state):
        state = State(number).text
        words[state] += 1
        if slot in pages:
            good = pages[slot][0] == state and (state == "fetched" or bool(pages[slot][1]))
        elif state in ("queued", "over capacity"):
            good = slot in shelf or state != "queued"
        else:
            good = bool(shelf.get(slot))
        if not good:
            faults.append(f"slot {slot} is {state}, in the database {pages.get(slot) or shelf.get(slot)!r}")
    print("states:", ", ".join(f"{count:,} {word}" for word, count in words.most_common()))
    return faults[:FEW]


def unspent(folder: Path) -> list[str]:
    """Candidates that are left although their host had visits left; a host has at least its first portion."""
    with Records(folder) as records:
        db, first = records.store.db, records.config.scope.host_pages
        visits = Counter(dict(db.execute("SELECT host, count(*) FROM pages WHERE state != 'refused' GROUP BY host")))
        query = "SELECT url FROM candidates WHERE reason = '' AND slot NOT IN (SELECT slot FROM pages)"
        left = Counter(parse.host(url) for (url,) in db.execute(query))
    print(f"left: {left.total():,} URLs of {len(left):,} hosts whose budget is spent")
    able = [host for host in left if visits[host] < first]
    return [f"{host} has {left[host]:,} URLs left and visits too" for host in able[:FEW]]


def archived(folder: Path) -> list[str]:
    """Where the archive and the database differ."""
    places = {(file, offset): url for _, url, _, file, offset, _ in committed(folder) if file}
    kept: dict[tuple[str, int], str] = {}
    for path in sorted((folder / "pages").glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                kept[path.name, record.stream_pos] = record.headers.get("WARC-Target-URI") or ""
                if not record.verify_payload_digest(consume=True):
                    kept[path.name, record.stream_pos] = "damaged"
    wrong = [
        f"{where}: {kept.get(where)} in the archive, {places.get(where)} in the database"
        for where in sorted(kept.keys() | places.keys())
        if kept.get(where) != places.get(where)
    ]
    print(f"archive: {len(kept):,} answers, {len(wrong)} of them differ from the database")
    return wrong[:FEW]


def lost(kills: Sequence[Kill], final: list[Row]) -> list[str]:
    """What was committed and is no more, or is there twice."""
    faults = []
    for number, (kill, later) in enumerate(zip(kills, [*(kill.rows for kill in kills[1:]), final], strict=True)):
        if later[: len(kill.rows)] != kill.rows:
            faults.append(f"after kill {number + 1} something committed was lost or changed")
    twice = [url for url, count in Counter(row[1] for row in final).items() if count > 1]
    return faults + [f"visited twice: {url}" for url in twice[:FEW]]


def repeated(kills: Sequence[Kill], hosts: Hosts) -> list[str]:
    """Requests for what was committed before the kill that came before them."""
    since: dict[str, float] = {}
    for kill in kills:
        for row in kill.rows:
            since.setdefault(row[1], kill.at)
    again = [
        url
        for host, requests in hosts.items()
        for request in requests
        if (url := f"http://{host}{request.path}") in since and request.begun > since[url]
    ]
    return [f"asked again after its visit was committed: {url}" for url in again[:FEW]]


def outcomes(web: Hostile, hosts: Hosts, folder: Path) -> None:
    """What each kind of hostile host got out of the crawl."""
    requests: Counter[str] = Counter()
    for host, asked in hosts.items():
        requests[web.nature(f"http://{host}/").kind] += len(asked)
    ends: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with Records(folder) as records:
        for record in records.pages():
            ends[web.nature(record.url).kind][_brief(record.state, record.reason)] += 1
    print(f"{'kind':10} group  requests a host  visits")
    for name in ("", *web.kinds, "inside"):
        kind, count = web.kinds.get(name), len(web.hosts) if not name else web.each
        told = ", ".join(f"{n:,} {word}" for word, n in ends[name].most_common(4))
        print(f"{name or 'honest':10} {kind.group if kind else '':5} {requests[name] / count:16,.0f}  {told}")


def _brief(state: str, reason: str) -> str:
    """An outcome without names and numbers."""
    short = re.sub(r"https?://\S+|\d[\d.,]*", "…", reason).partition(":")[0][:40]
    return state if state in ("fetched", "redirected") and not reason.startswith("dup") else f"{state} ({short})"
