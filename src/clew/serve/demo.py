"""The synthetic web of the demo with a crawl running on it, for whoever wants to see the page at work."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from clew.config import configure
from clew.errors import ClewError
from clew.labyrinth import Labyrinth, serving
from clew.serve.problems import Problem
from clew.serve.service import Service

TOPIC: Final = "sailing"
SIZE: Final = 20_000  # pages of the labyrinth
PAGES: Final = 2_000  # of the crawl
DELAY: Final = 0.5  # seconds: half as polite as on the web, so that there is something to see

log = logging.getLogger("clew.serve")


@contextmanager
def demo(service: Service) -> Iterator[None]:
    """Serve the labyrinth while the block runs, for all crawls that are started meanwhile, and start one."""
    labyrinth = Labyrinth(pages=SIZE)
    with serving(labyrinth) as server:
        service.base = configure(service.base, allow_private=True, resolve=[server.resolve], delay=DELAY)
        # A crawl takes a second or two to begin, and the page should be there at once.
        started: list[str] = []
        threading.Thread(target=_start, args=(service, labyrinth, started), daemon=True).start()
        try:
            yield
        finally:
            for crawl in started:
                # Its web goes away, and it would only wait for hosts that are gone.
                service.order(crawl, "stop", [])


def _start(service: Service, labyrinth: Labyrinth, started: list[str]) -> None:
    seeds = [*labyrinth.seeds(TOPIC, 1), *labyrinth.seeds(TOPIC, 4, distance=2)]
    try:
        started.append(service.start({"interest": TOPIC, "seeds": seeds, "pages": PAGES})["id"])
    except (ClewError, Problem) as error:
        log.error("the crawl of the demo could not be started: %s", error)
