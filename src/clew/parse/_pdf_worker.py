"""The program that `pdf.read` runs: it reads a PDF file and writes its title, text and links as JSON."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any


def confine(memory: int, seconds: int) -> None:
    """Let the system end this process if it uses too much memory or CPU time."""
    # Windows has no module `resource`; there, only the timeout of the caller applies.
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(body: bytes, pages: int, links: int, text: int) -> dict[str, Any]:
    """The title, text and links of a file, up to the given limits; broken pages are skipped."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(body))
    words: list[str] = []
    found: dict[str, None] = {}
    for number in range(min(pages, len(reader.pages))):
        # pypdf can raise anything on a hostile file; the other pages may still be sound.
        with suppress(Exception):
            page = reader.pages[number]
            words.append(page.extract_text())
            for uri in uris(page):
                found.setdefault(uri)
        if sum(map(len, words)) > text or len(found) > links:
            break
    return {"title": title(reader), "text": "\n".join(words)[:text], "links": list(found)[:links]}


def title(reader: Any) -> str:
    """The title in the metadata of the file."""
    with suppress(Exception):
        return str(reader.metadata.title or "")[:2000]
    return ""


def uris(page: Any) -> Iterator[str]:
    """The targets of the links on a page."""
    for annotation in page.get("/Annots") or ():
        action = annotation.get_object().get("/A")
        uri = action.get_object().get("/URI") if action else None
        if uri and len(uri) < 4000:
            yield str(uri)


def main() -> None:
    """Read standard input, write standard output."""
    limits = json.loads(sys.argv[1])
    confine(limits.pop("memory"), limits.pop("seconds"))
    # pypdf logs every flaw of a file.
    logging.disable()
    json.dump(read(sys.stdin.buffer.read(), **limits), sys.stdout)


if __name__ == "__main__":
    main()
