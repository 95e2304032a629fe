"""The text of PDF files, read in a process of its own that cannot take more than its share of time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from clew.base import extras

PAGES: Final = 100  # read of a file; what it is about shows long before
LINKS: Final = 1000
TEXT: Final = 500_000  # characters
MEMORY: Final = 1 << 30  # bytes of address space
SECONDS: Final = 20  # of computing; an ordinary page takes a hundredth of one
PDF_WAIT_SECONDS: Final = 120.0  # seconds by the clock, on a machine that is busy
WORKER: Final = Path(__file__).with_name("_pdf_worker.py")

READERS: Final = ThreadPoolExecutor(2, "pdf")  # for those who must not wait; it bounds the processes too


class Read(NamedTuple):
    """What a PDF file says; nothing at all if it cannot be read within the limits."""

    title: str = ""
    text: str = ""
    links: tuple[str, ...] = ()


@cache
def installed() -> bool:
    """Whether PDF files can be read: it takes the extra `clew-crawler[pdf]`."""
    return extras.installed("pypdf")


def is_one(body: bytes) -> bool:
    """Whether a body is a PDF file."""
    return body.startswith(b"%PDF-")


def read(body: bytes) -> Read:
    """Title, text and links of a PDF file; a hostile one costs its limits and nothing else.

    >>> read(b"%PDF-1.7 but nothing else")
    Read(title='', text='', links=())
    """
    if not installed():
        return Read()
    limits = json.dumps({"pages": PAGES, "links": LINKS, "text": TEXT, "memory": MEMORY, "seconds": SECONDS})
    # -P: the folder of the worker holds modules with the names of others, html among them.
    command = [sys.executable, "-P", "-W", "ignore", str(WORKER), limits]
    try:
        # In a session of its own, so that Ctrl-C ends the crawl and not the reading of a file that was fetched.
        done = subprocess.run(
            command, input=body, capture_output=True, timeout=PDF_WAIT_SECONDS, check=True, start_new_session=True
        )
        found = json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError):
        return Read()
    return Read(_sound(found["title"]), _sound(found["text"]), tuple(map(_sound, found["links"])))


def _sound(text: str) -> str:
    """Without halves of characters, which no file or database takes."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
