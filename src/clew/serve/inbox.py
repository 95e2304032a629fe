"""Orders and labels: they are written at once, and a crawl that is not running takes them in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from clew.core.build import address
from clew.core.feedback import apply_pending_labels
from clew.core.order_inbox import take_waiting_orders
from clew.core.orders import order_of
from clew.serve.settings_schema import refuse_python
from clew.store import Order, Records, write_labels, write_orders
from clew.store.home import by_home
from clew.store.whole import databases

FORMULAS: Final = ("interest", "focus")
_busy: Final[dict[Path, threading.Thread]] = {}  # what takes something in now
_again: Final[set[Path]] = set()  # folders into which more was written meanwhile
_lock: Final = threading.Lock()


def give_order(folder: Path, kind: str, words: Sequence[str]) -> Order:
    """Write an order that was checked; a crawl takes each exactly once, whenever it or this process is killed."""
    order_of(kind, words)
    if kind in FORMULAS and words:
        refuse_python(words[0])
    [number] = write_orders(folder, [(kind, words)])
    take_in(folder)
    with Records(folder) as records:
        return next(order for order in records.orders() if order.id == number)


def give_labels(folder: Path, labels: Mapping[str, bool], user: str = "") -> dict[str, bool]:
    """Write labels, by URL; return them by the addresses that the crawl knows."""
    by_address = {address(url): is_relevant for url, is_relevant in labels.items()}
    for place, here in by_home(folder, by_address).items():
        write_labels(place, here, user)
    take_in(folder)
    return by_address


def take_in(folder: Path) -> None:
    """Let a crawl that is not running take what was written; a running one finds it itself."""
    with _lock:
        if folder in _busy:
            # It may have looked already, and it holds the folder as a crawl does.
            _again.add(folder)
            return
        with Records(folder) as records:
            if records.running:
                return
        _busy[folder] = threading.Thread(target=_work, args=(folder,), daemon=True)
        _busy[folder].start()


def wait_for(folder: Path) -> None:
    """Wait until nothing is being taken in: only one process can have the folder."""
    working = _busy.get(folder)
    if working:
        working.join()


def _work(folder: Path) -> None:
    """Take in what was written, and what comes meanwhile."""
    is_done = False
    while not is_done:
        # A crawl computes for seconds when it learns; the service must answer meanwhile.
        subprocess.run(
            [sys.executable, "-m", "clew.serve.inbox", str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            start_new_session=True,
        )
        with _lock:
            is_done = folder not in _again
            _again.discard(folder)
            if is_done:
                del _busy[folder]


def main(folder: Path) -> None:
    """Take the orders and labels of a crawl that is not running."""
    take_waiting_orders(folder)
    for database in databases(folder):
        apply_pending_labels(database.parent)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
