"""Reads the values of a flag from a file, where the user writes '@FILE': a list, or the bookmarks of a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from clew.cli.terminal import clean, counted, err, reason
from clew.errors import ConfigError

START_PAGES: Final = ("seeds", "reserve")
LIST_ENDINGS: Final = (".txt", ".csv", ".tsv", ".lst", ".list", ".urls")
BOOKMARK_ENDINGS: Final = (".html", ".htm", ".json")
"""Endings of files that hold lists or bookmarks; none of them is a top-level domain."""
FOLDER_MARK: Final = "#"  # begins the folder of bookmarks after the name of a file
MAX_NAMED_LINES: Final = 10  # bad lines that a message names
MAX_NAMED_FOLDERS: Final = 20


def with_files(setting: str, items: list[str], silent: bool = False) -> list[str]:
    """Replace each item `@file` by the lines of that file; start pages may be in a file that is named without @.

    For start pages the file may also hold bookmarks, and `@file#folder` means those in one folder.
    """
    entries: list[str] = []
    for item in items:
        file = item[1:] if item.startswith("@") else _named_file(item) if setting in START_PAGES else ""
        entries += _values(setting, file, silent) if file else [item]
    return entries


def _named_file(item: str) -> str:
    """The file that an item names although it has no @, or "": a host that is called like a file stays a host."""
    if "://" in item:
        return ""
    is_list = item.lower().endswith(LIST_ENDINGS)
    if is_list or ("." not in item and Path(item).is_file()):
        return item
    file = _without_folder(item)
    return item if file.lower().endswith(BOOKMARK_ENDINGS) and Path(file).is_file() else ""


def _values(setting: str, file: str, silent: bool) -> list[str]:
    """The values in a file; lines that are no addresses are skipped where start pages are wanted."""
    if setting in START_PAGES and (pages := _from_bookmarks(file, silent)) is not None:
        return pages
    lines = {number: line for number, line in _lines(file).items() if line and not line.startswith("#")}
    if setting not in START_PAGES:
        return list(lines.values())
    bad = {number: line for number, line in lines.items() if not _is_address(line)}
    good = [line for number, line in lines.items() if number not in bad]
    if not good:
        raise ConfigError(f"{file} has no web addresses, one on each line{_named(bad)}")
    skipped = f"; skipped {counted(len(bad), 'line')} without a web address{_named(bad)}" if bad else ""
    if skipped or not silent:
        message = f"read {counted(len(good), 'start page')} from {file}{skipped}"
        err().print(clean(message), markup=False, soft_wrap=True)
    return good


def _from_bookmarks(item: str, silent: bool) -> list[str] | None:
    """The start pages in an export of bookmarks; None if the file is something else."""
    # Imported late: most commands read no file.
    from clew.parse.bookmarks import folders_of, in_folder, read_bookmarks, web_pages

    file = _without_folder(item)
    folder = item[len(file) + 1 :]
    data = _bytes(file)
    try:
        found = read_bookmarks(data)
    except ConfigError as error:
        raise ConfigError(f"cannot read the bookmarks in {file}: {error}") from None
    if found is None:
        if folder:
            raise ConfigError(f"{file} is no export of bookmarks, so it has no folder {folder!r}")
        if data.lstrip().startswith((b"<", b"{")):
            raise ConfigError(
                f"{file} is no list of web addresses and no export of bookmarks: export them from your browser as "
                "HTML, or write one address on each line"
            )
        return None
    chosen = in_folder(found, folder) if folder else found
    pages = web_pages(chosen)
    if not pages:
        raise ConfigError(_no_bookmarks(file, folder, folders_of(found), len(chosen)))
    if not silent:
        where = f"the folder {folder} of {file}" if folder else file
        others = len(chosen) - len(pages)
        skipped = f"; skipped {counted(others, 'bookmark')} that lead nowhere on the web or are there twice"
        message = f"read {counted(len(pages), 'start page')} from the bookmarks in {where}{skipped if others else ''}"
        err().print(clean(message), markup=False, soft_wrap=True)
    return pages


def _no_bookmarks(file: str, folder: str, folders: list[str], count: int) -> str:
    if not folder or count:
        return f"{file} has no bookmarks of web pages{f' in the folder {folder!r}' if folder else ''}"
    names = ", ".join(clean(name, 40) for name in folders[:MAX_NAMED_FOLDERS])
    more = ", …" if len(folders) > MAX_NAMED_FOLDERS else ""
    return f"{file} has no folder {folder!r} with bookmarks; there are: {names}{more}"


def _without_folder(item: str) -> str:
    """The file of an item; a file whose own name has the mark is that file."""
    return item if Path(item).is_file() else item.partition(FOLDER_MARK)[0]


def _named(bad: dict[int, str]) -> str:
    """
    >>> _named({3: "no url", 7: "x y"})
    ": line 3 ('no url'), line 7 ('x y')"
    """
    named = [f"line {number} ({clean(line, 40)!r})" for number, line in bad.items()]
    more = ", …" if len(named) > MAX_NAMED_LINES else ""
    return f": {', '.join(named[:MAX_NAMED_LINES])}{more}" if bad else ""


def _is_address(text: str) -> bool:
    # Imported late: most commands read no file.
    from clew.core.build import address

    is_plain_word = not re.search(r"[.:]|^localhost(/|$)", text)
    if is_plain_word or " " in text:
        return False
    try:
        return bool(address(text))
    except ConfigError:
        return False


def _bytes(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read the list {file}: {reason(error)}") from None


def _lines(file: str) -> dict[int, str]:
    try:
        # A byte order mark is no part of the first line.
        text = _bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"cannot read the list {file}: {reason(error)}") from None
    return {number: line.strip() for number, line in enumerate(text.splitlines(), start=1)}
