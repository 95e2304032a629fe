"""Writes pages as Markdown: into one file, or into a folder with a file for each page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

from clew.cli.export_rows import Text, iso
from clew.errors import ConfigError

if TYPE_CHECKING:
    from clew.store import Record, Records

MAX_NAME_CHARACTERS: Final = 80
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9.]+")
_FENCE: Final = re.compile(r"\s*(`{3,})([^`]*)")


class MarkdownFolder:
    """A folder that takes a file for each page."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, record: Record, page: bytes) -> None:
        """Write one page."""
        (self.path / file_name(record)).write_bytes(page)


def is_folder(output: str | None) -> bool:
    """Whether Markdown goes into a folder: the name says so, unless it is the name of a file.

    >>> is_folder("pages.md"), is_folder("pages"), is_folder(None)
    (False, True, False)
    """
    return output is not None and (Path(output).is_dir() or not output.lower().endswith((".md", ".markdown")))


@contextmanager
def folder_target(output: str | None) -> Iterator[IO[bytes]]:
    """Make the folder."""
    path = Path(output or ".")
    try:
        path.mkdir(parents=True, exist_ok=True)
        yield cast(IO[bytes], MarkdownFolder(path))
    except OSError as error:
        raise ConfigError(f"cannot write {output}: {error.strerror or error}") from None


def to_markdown(records: Records, chosen: Iterable[Record], file: IO[bytes] | MarkdownFolder, text: Text) -> int:
    """Write each page with its front matter; return the number of pages."""
    assert text is not None, "Markdown is made of texts"
    count = 0
    for record in chosen:
        page = (front_matter(record) + safe_markdown(text(record)) + "\n").encode(errors="replace")
        if isinstance(file, MarkdownFolder):
            file.write(record, page)
        else:
            file.write(b"\n" * bool(count) + page)
        count += 1
    return count


def front_matter(record: Record) -> str:
    """What is known about a page, in YAML; a text in JSON's quotes is YAML, whatever a page has put into it."""
    facts = {
        "url": record.url,
        "title": record.title,
        "language": record.language,
        "relevance": round(record.relevance, 4),
        "relevant": record.relevant,
        "fetched": iso(record.at),
    }
    lines = [f"{name}: {json.dumps(value)}" for name, value in facts.items()]
    return "\n".join(["---", *lines, "---", "", ""])


def file_name(record: Record) -> str:
    """A file name that is unique, sorts by the order of visits, and tells people which page it is.

    >>> from clew.store import Record
    >>> file_name(Record(12, 0, "https://a.example/boats/oak?id=../7"))
    '000012-a.example-boats-oak-id-..-7.md'
    """
    address = record.url.partition("://")[2]
    return f"{record.order:06}-{_UNSAFE.sub('-', address).strip('-')[:MAX_NAME_CHARACTERS]}.md"


def safe_markdown(text: str) -> str:
    r"""The text of a page without what a viewer of Markdown would take for HTML or a link; code stays as it is.

    >>> safe_markdown("a <b> [x](javascript:y)\n```\n<b>\n```")
    'a &lt;b> \\[x](javascript:y)\n```\n<b>\n```'
    """
    lines = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.fullmatch(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1] == fence and not found[2].strip():
            fence = ""
        elif not fence:
            line = line.replace("<", "&lt;").replace("[", "\\[")
        lines.append(line)
    if fence:
        # The text was cut off in the middle of code.
        lines.append(fence)
    return "\n".join(lines)
