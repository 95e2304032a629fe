"""Run by `pdf.read` as a program of its own: a PDF file comes in, its title, text and links go out as JSON."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any


def confine(memory: int, seconds: int) -> None:
    """Let the system end this process when it takes too much; Windows has no such thing."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(body: bytes, pages: int, links: int, text: int) -> dict[str, Any]:
    """What is read of a file; a page that is broken is left out."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(body))
    words: list[str] = []
    found: dict[str, None] = {}
    for number in range(min(pages, len(reader.pages))):
        with suppress(Exception):  # a parser of hostile files raises anything
            page = reader.pages[number]
            words.append(page.extract_text())
            for uri in uris(page):
                found.setdefault(uri)
        if sum(map(len, words)) > text or len(found) > links:
            break
    return {"title": title(reader), "text": "\n".join(words)[:text], "links": list(found)[:links]}


def title(reader: Any) -> str:
    """What the file calls itself."""
    with suppress(Exception):
        return str(reader.metadata.title or "")[:2000]
    return ""


def uris(page: Any) -> Iterator[str]:
    """Where the links of a page lead."""
    for note in page.get("/Annots") or ():
        action = note.get_object().get("/A")
        uri = action.get_object().get("/URI") if action else None
        if uri and len(uri) < 4000:
            yield str(uri)


def main() -> None:
    """Read standard input, write standard output."""
    limits = json.loads(sys.argv[1])
    confine(limits.pop("memory"), limits.pop("seconds"))
    logging.disable()
    json.dump(read(sys.stdin.buffer.read(), **limits), sys.stdout)


if __name__ == "__main__":
    main()
