"""Records what the hosts of a labyrinth saw of a crawler: when each request came, and which others were open."""

from __future__ import annotations

import os
import socket
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from clew.labyrinth.answer import Answer

TAB: Final = "\t"


class Seen(NamedTuple):
    """One request as its host saw it; times are those of the monotonic clock, which all processes share."""

    begun: float
    ended: float  # when the last part of the answer went out
    host: str
    path: str
    status: int
    busy: int = 0  # other connections on which this host was answering
    wish: float = 0.0  # seconds for which the host asked to be left alone, by Retry-After
    left: bool = False  # whether the client hung up before the end


class Line(Protocol):
    """The part of a connection that the witness needs."""

    def fileno(self) -> int:
        """The file descriptor of its socket; -1 if it is closed."""
        ...


class Witness:
    """Writes one line for each request when it is over."""

    def __init__(self, path: str | Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._under_way: dict[Line, Seen] = {}
        self._lines: defaultdict[str, set[Line]] = defaultdict(set)

    def begin(self, line: Line, host: str, path: str, answer: Answer) -> None:
        """A request has come."""
        now = time.monotonic()
        busy = sum(not _gone(other) for other in self._lines[host])
        self._under_way[line] = Seen(now, now, host, path, answer.status, busy, _wish(answer))
        self._lines[host].add(line)

    def writing(self, line: Line) -> None:
        """A part of its answer goes out; called before, because the client may have it before we go on."""
        if seen := self._under_way.get(line):
            self._under_way[line] = seen._replace(ended=time.monotonic())

    def end(self, line: Line, left: bool = False) -> None:
        """The answer is complete, or the client has left."""
        if seen := self._under_way.pop(line, None):
            self._lines[seen.host].discard(line)
            seen = seen._replace(left=left)
            os.write(self._file, (TAB.join(map(_field, seen)) + "\n").encode())

    def close(self) -> None:
        """Write the requests that are still open."""
        for line in list(self._under_way):
            self.end(line, left=True)
        os.close(self._file)


def seen(path: str | Path) -> dict[str, list[Seen]]:
    """The requests that each host saw, in order."""
    hosts: defaultdict[str, list[Seen]] = defaultdict(list)
    for row in Path(path).read_text(encoding="utf-8").splitlines():
        begun, ended, host, where, status, busy, wish, left = row.split(TAB)
        hosts[host].append(
            Seen(float(begun), float(ended), host, where, int(status), int(busy), float(wish), left == "1")
        )
    return {host: sorted(requests) for host, requests in hosts.items()}


def early(requests: list[Seen], delay: float, robots: bool = False) -> Iterator[tuple[Seen, Seen]]:
    """Pairs of requests of which the second came too soon; requests for robots.txt count only with `robots`.

    >>> requests = [Seen(0.0, 0.1, "a", "/", 200), Seen(0.3, 0.4, "a", "/b", 200)]
    >>> len(list(early(requests, 0.5))), len(list(early(requests, 0.1)))
    (1, 0)
    """
    counted = [request for request in requests if robots or request.path != "/robots.txt"]
    for before, after in pairwise(counted):
        # A client that hangs up does so before our side notices, so the end we saw is too late.
        since = before.begun if before.left else before.ended
        if after.begun - since < max(delay, before.wish):
            yield before, after


def _field(value: object) -> str:
    """A value as it stands in the file."""
    if isinstance(value, float):
        return f"{value:.6f}"
    return str(int(value)) if isinstance(value, bool) else str(value)


def _wish(answer: Answer) -> float:
    """Seconds from the Retry-After of an answer."""
    value = next((value for name, value in answer.headers if name == "Retry-After"), "")
    if value.isdigit():
        return float(value)
    return max(0.0, parsedate_to_datetime(value).timestamp() - time.time()) if value else 0.0


def _gone(line: Line) -> bool:
    """Whether the client has hung up; the system knows before the event loop does."""
    number = line.fileno()
    if number < 0:
        return True
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as probe:
        try:
            return probe.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
    # Any other error means that the client has reset the connection.
    return True
