"""The words of a text: tokens, stems without stop words, and the language of the text."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import Stemmer
from resiliparse.parse.lang import detect_fast

from clew.text.scripts import languages_of
from clew.text.stopwords import STOP_WORDS
from clew.text.unspaced import is_unspaced, pairs

Entry = str | tuple[str, ...] | None

MIN_WORD_LENGTH: Final = 2  # a single letter or digit says nothing
MAX_WORD_LENGTH: Final = 40  # longer tokens are keys, hashes and encoded data
MEMO: Final = 100_000  # raw tokens in the cache of each language, about 15 MB when full
SAMPLE: Final = 2000  # characters by which the language is detected; more of them seldom change the answer
MIN_SAMPLE: Final = 40  # characters; with fewer the detector only guesses

SNOWBALL: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
# The detector knows a hundred languages. Without the rare ones it mistakes far fewer lists of names
# for Latin or Frisian.
LANGUAGES: Final = [*SNOWBALL, "bg", "he", "hr", "ja", "ko", "lv", "sk", "sl", "th", "uk", "vi", "zh"]
# They have no stemmer, and the words in Latin letters on their pages are mostly English.
OTHER_SCRIPTS: Final = frozenset(["bg", "he", "ja", "ko", "th", "uk", "zh"])
MARGIN: Final = 1.05  # factor by which English must be the worse guess: menus and indexes look like anything

MIN_FUNCTION_WORDS: Final = 0.25  # share of function words that leaves no doubt; running text has 0.4
MIN_WORDS: Final = 12  # words; among fewer a share says nothing
# An English function word counts 1, a German one 2**32: one sum holds the number of both.
_GERMAN: Final = 1 << 32
_FUNCTION_WORDS: Final = Counter(word.encode() for word in STOP_WORDS["en"])
_FUNCTION_WORDS.update({word.encode(): _GERMAN for word in STOP_WORDS["de"]})

# Bytes above 127 belong to letters, or to typographic signs, which `_words` handles once for each distinct token.
BREAKS: Final = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in bytes(range(256)).lower())


def terms(text: str, language: str = "en") -> dict[str, int]:
    """How often each stem occurs, without stop words; the language "" counts as English.

    >>> terms("The sailor sails; sailing is what sailors do.")
    {'sailor': 2, 'sail': 2}
    """
    return _count(_raw(text), language)


def read(text: str, otherwise: str = "") -> tuple[str, dict[str, int]]:
    """The language of a text, or `otherwise` if it is not clear, and its terms; the text is split only once.

    >>> read("The island is the largest of the country and lies in the Baltic Sea.")[0]
    'en'
    """
    # A blank always separates words, so both halves can be split on their own.
    middle = text.rfind(" ", 0, SAMPLE) + 1
    first = _raw(text[:middle])
    name = _by_function_words(first + _raw(text[middle:SAMPLE])) or _detected(text) or otherwise
    return name, _count(first + _raw(text[middle:]), name)


def _count(raw: list[bytes], language: str) -> dict[str, int]:
    found = Counter(filter(None, map(_memo(language or "en").__getitem__, raw)))
    # Tokens of several words are rare: most texts need no second pass.
    if tuple in map(type, found):
        for several in [key for key in found if isinstance(key, tuple)]:
            times = found.pop(several)
            for stem in several:
                found[stem] += times
    return dict(found)  # type: ignore[arg-type]  # only strings are left


def stems(text: str, language: str = "en") -> list[str]:
    """The stems in the order of the text, without stop words.

    >>> stems("Häfen auf der Insel Rügen", "de")
    ['haf', 'insel', 'rug']
    """
    found: list[str] = []
    for entry in _lookup(text, language):
        if isinstance(entry, str):
            found.append(entry)
        elif entry:
            found += entry
    return found


def language(text: str) -> str:
    """The two-letter code of the language of a text, or "" if the text is too short or unlike any known language.

    >>> language("The island is the largest of the country and lies in the Baltic Sea.")
    'en'
    """
    return _by_function_words(_raw(text[:SAMPLE])) or _detected(text)


def _detected(text: str) -> str:
    sample = " ".join(text[:SAMPLE].split())
    if len(sample) < MIN_SAMPLE:
        return ""
    among = languages_of(sample)
    if len(among) == 1:
        return among[0]
    ranks = detect_fast(sample, n_results=len(LANGUAGES), langs=list(among) or LANGUAGES)
    if not ranks:
        return ""
    name, rank = ranks[0]
    # A lower rank is the better guess.
    english = dict(ranks).get("en", rank * MARGIN)
    if name == "en" or english >= rank * MARGIN:
        return str(name)
    return ""


def mentions(text: str, stems: frozenset[str], language: str = "en") -> bool:
    """Whether any of these stems occurs; called for every link, so it builds no list of stems.

    >>> mentions("Sailing boats", frozenset({"boat"})), mentions("Golf", frozenset({"boat"}))
    (True, False)
    """
    entries = set(_lookup(text, language))
    if not stems.isdisjoint(entries):
        return True
    return any(type(entry) is tuple and not stems.isdisjoint(entry) for entry in entries)


def _by_function_words(raw: list[bytes]) -> str:
    """English or German by the share of function words, "" if it is not clear; ten times faster than the detector."""
    if len(raw) < MIN_WORDS:
        return ""
    german_words, english_words = divmod(sum(filter(None, map(_FUNCTION_WORDS.get, raw))), _GERMAN)
    german = german_words / len(raw)
    english = english_words / len(raw)
    if max(english, german) < MIN_FUNCTION_WORDS:
        return ""
    # Some words belong to both languages: one of them must have twice as many.
    if 0.5 < english / (german or 1e-9) < 2:
        return ""
    return "en" if english > german else "de"


def _lookup(text: str, language: str) -> Iterator[Entry]:
    return map(_memo(language or "en").__getitem__, _raw(text))


def _raw(text: str) -> list[bytes]:
    return text.encode("utf-8", "replace").translate(BREAKS).split()


class Memo(dict[bytes, Entry]):
    """A cache from raw tokens to stems, so that the work is done once for each distinct token.

    A stop word has no stem; typographic signs inside a raw token can make it several words.

    >>> memo = Memo("en")
    >>> memo[b"waves"], memo[b"the"], memo["wind\u2013waves".encode()]
    ('wave', None, ('wind', 'wave'))
    """

    def __init__(self, language: str) -> None:
        # The cache of the stemmer itself would be a second copy of this one.
        stemmed = "en" if language in OTHER_SCRIPTS else language
        self.stemmer = Stemmer.Stemmer(SNOWBALL[stemmed], 0) if stemmed in SNOWBALL else None
        self.stop = STOP_WORDS.get(language, frozenset())

    def __missing__(self, raw: bytes) -> Entry:
        sized = [word for word in _words(raw) if MIN_WORD_LENGTH <= len(word) <= MAX_WORD_LENGTH]
        words = [word for word in sized if word not in self.stop]
        found = self.stemmer.stemWords(words) if self.stemmer else words
        entry: Entry = tuple(found) or None
        # The stem of a few Greek and Nepali words is empty. In a tuple it counts, as only stop words are false.
        if len(found) == 1 and found[0]:
            entry = found[0]
        # Up to four bytes a character; longer tokens are no words and would only fill the cache.
        if len(raw) <= 4 * MAX_WORD_LENGTH:
            if len(self) >= MEMO:
                self.clear()
            self[raw] = entry
        return entry


@lru_cache(maxsize=64)
def _memo(language: str) -> Memo:
    return Memo(language)


class Breaks(dict[int, str]):
    """A table for `str.translate`: letters, marks and digits stay, format characters go, all else becomes a space."""

    def __missing__(self, code: int) -> str:
        kind = unicodedata.category(chr(code))
        if kind[0] in "LMN":
            self[code] = chr(code)
        # Soft hyphens and joiners stand inside words; the zero-width space (U+200B) separates them.
        elif kind == "Cf" and code != 0x200B:
            self[code] = ""
        else:
            self[code] = " "
        return self[code]


_breaks = Breaks()


def _words(raw: bytes) -> list[str]:
    word = raw.decode("utf-8", "replace")
    if word.isascii():
        return [word]
    words = unicodedata.normalize("NFC", word).translate(_breaks).lower().split()
    if not is_unspaced(word):
        return words
    found: list[str] = []
    for each in words:
        found += pairs(each)
    return found
