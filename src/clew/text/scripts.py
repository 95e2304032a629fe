"""The script of a text narrows down its language: a Russian page with many commands is not English."""

from __future__ import annotations

import re
from typing import Final

MIN_SHARE: Final = 0.08  # of the characters of a text; names in other scripts are rarer

# The languages of each script, and its letters. Japanese is written in Han characters, too, but not without kana.
SCRIPTS: Final = (
    (("ja",), re.compile(r"[\u3040-\u30ff]")),
    (("ko",), re.compile(r"[\uac00-\ud7af]")),
    (("zh",), re.compile(r"[\u4e00-\u9fff]")),
    (("ru", "uk", "bg", "sr"), re.compile(r"[\u0400-\u04ff]")),
    (("el",), re.compile(r"[\u0370-\u03ff]")),
    (("ar", "fa"), re.compile(r"[\u0600-\u06ff]")),
    (("he", "yi"), re.compile(r"[\u0590-\u05ff]")),
    (("hi", "ne"), re.compile(r"[\u0900-\u097f]")),
    (("ta",), re.compile(r"[\u0b80-\u0bff]")),
    (("th",), re.compile(r"[\u0e00-\u0e7f]")),
    (("hy",), re.compile(r"[\u0530-\u058f]")),
)


def languages_of(text: str) -> tuple[str, ...]:
    """The languages that are written in the letters of a text; () for Latin ones, in which most are.

    >>> languages_of("Ядро Linux: apt-get install"), languages_of("Die Insel Rügen")
    (('ru', 'uk', 'bg', 'sr'), ())
    """
    if text.isascii():
        return ()
    for languages, letters in SCRIPTS:
        if len(letters.findall(text)) >= MIN_SHARE * len(text):
            return languages
    return ()
