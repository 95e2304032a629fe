"""Reads the values of a flag from a file: one per line, where the user writes '@FILE'."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from clew.cli.terminal import clean, counted, err, reason
from clew.errors import ConfigError

START_PAGES: Final = ("seeds", "reserve")
LIST_ENDINGS: Final = (".txt", ".csv", ".tsv", ".lst", ".list", ".urls")
"""Endings of files that hold lists; none of them is a top-level domain."""
MAX_NAMED_LINES: Final = 10  # bad lines that a message names


def with_files(setting: str, items: list[str], silent: bool = False) -> list[str]:
    """Replace each item `@file` by the lines of that file; start pages may be in a file that is named without @."""
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
    return item if is_list or ("." not in item and Path(item).is_file()) else ""


def _values(setting: str, file: str, silent: bool) -> list[str]:
    """The values in a file; lines that are no addresses are skipped where start pages are wanted."""
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


def _lines(file: str) -> dict[int, str]:
    try:
        # A byte order mark is no part of the first line.
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the list {file}: {reason(error)}") from None
    return {number: line.strip() for number, line in enumerate(text.splitlines(), start=1)}
