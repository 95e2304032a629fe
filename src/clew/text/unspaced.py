"""Words of languages that are written without spaces (Chinese, Japanese) or that add particles to words (Korean).

A run of their characters is taken as its overlapping pairs, the usual answer of search engines: 機械学習 becomes
機械, 械学 and 学習. It needs no dictionary, finds a word inside any text, and a word of several characters only where
they stand together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

_SCRIPTS: Final = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"  # Han and kana
    r"\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"  # Hangul, compatibility forms, rare Han
)
# Thai and Lao, Burmese, Khmer: they have no pairs, because their vowels are marks on the letters.
_OTHER_SCRIPTS: Final = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_APART: Final = re.compile(f"[{_SCRIPTS}{_OTHER_SCRIPTS}]")
_CHARACTER: Final = re.compile(f"[{_SCRIPTS}]")
_RUNS: Final = re.compile(f"[{_SCRIPTS}]+|[^{_SCRIPTS}]+")


def is_unspaced(text: str) -> bool:
    """Whether a text has such characters."""
    return _CHARACTER.search(text) is not None


def pairs(word: str) -> list[str]:
    """A word with each run of such characters replaced by its overlapping pairs; a character alone stays.

    >>> pairs("機械学習2024"), pairs("船")
    (['機械', '械学', '学習', '2024'], ['船'])
    """
    found: list[str] = []
    for run in _RUNS.findall(word):
        if len(run) > 1 and is_unspaced(run[0]):
            found += map("".join, pairwise(run))
        else:
            found.append(run)
    return found


def apart(text: str, mark: str) -> str:
    """The text with a mark behind each character of scripts without spaces: an index takes it for a word then.

    >>> apart("機械 and 船", "|")
    '機|械| and 船|'
    """
    return text if text.isascii() else _APART.sub(rf"\g<0>{mark}", text)


def chained(found: Iterable[str], text: str) -> list[str]:
    """Pairs that overlap put together again, as far as the text has them so.

    >>> chained(["学習", "機械", "械学", "boat"], "機械学習は学習")
    ['機械学習', 'boat']
    """
    left = dict.fromkeys(found)
    ends = {pair[-1] for pair in left if is_unspaced(pair)}
    # What continues no other pair begins a chain.
    ordered = sorted(left, key=lambda pair: is_unspaced(pair) and pair[0] in ends)
    chains: list[str] = []
    for pair in ordered:
        if pair not in left:
            continue
        del left[pair]
        chain = pair
        while is_unspaced(chain) and (longer := next((p for p in left if _follows(chain, p, text)), "")):
            del left[longer]
            chain += longer[1:]
        chains.append(chain)
    return chains


def _follows(chain: str, pair: str, text: str) -> bool:
    return pair[0] == chain[-1] and len(pair) > 1 and chain + pair[1:] in text
