"""The text of PDF files, read in a process of its own with limits on time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from clew.base import extras

MAX_PAGES_PER_FILE: Final = 100  # the subject shows long before
MAX_LINKS_PER_FILE: Final = 1000
MAX_TEXT_CHARACTERS: Final = 500_000
MAX_MEMORY_BYTES: Final = 1 << 30  # of address space
MAX_CPU_SECONDS: Final = 20  # an ordinary page takes a hundredth of a second
PDF_WAIT_SECONDS: Final = 120.0  # by the clock, for a busy machine
WORKER: Final = Path(__file__).with_name("_pdf_worker.py")

# For callers that must not block; its size also limits the number of processes.
READERS: Final = ThreadPoolExecutor(2, "pdf")


class Read(NamedTuple):
    """The content of a PDF file; empty if it cannot be read within the limits."""

    title: str = ""
    text: str = ""
    links: tuple[str, ...] = ()


@cache
def installed() -> bool:
    """Whether PDF files can be read, which requires the extra `clew-crawler[pdf]`."""
    return extras.installed("pypdf")


def is_one(body: bytes) -> bool:
    """Whether a body is a PDF file."""
    return body.startswith(b"%PDF-")


def read(body: bytes) -> Read:
    """The title, text and links of a PDF file; a hostile file costs no more than the limits.

    >>> read(b"%PDF-1.7 but nothing else")
    Read(title='', text='', links=())
    """
    if not installed():
        return Read()
    limits = {
        "pages": MAX_PAGES_PER_FILE,
        "links": MAX_LINKS_PER_FILE,
        "text": MAX_TEXT_CHARACTERS,
        "memory": MAX_MEMORY_BYTES,
        "seconds": MAX_CPU_SECONDS,
    }
    # -P keeps the folder of the worker off the import path: its html.py would shadow the standard library's.
    command = [sys.executable, "-P", "-W", "ignore", str(WORKER), json.dumps(limits)]
    try:
        # In a session of its own: Ctrl-C stops the crawl, but not the reading of a file that was fetched already.
        done = subprocess.run(
            command, input=body, capture_output=True, timeout=PDF_WAIT_SECONDS, check=True, start_new_session=True
        )
        found = json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError):
        return Read()
    return Read(_sound(found["title"]), _sound(found["text"]), tuple(map(_sound, found["links"])))


def _sound(text: str) -> str:
    """The text without surrogates and NUL characters, which files and databases refuse."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
