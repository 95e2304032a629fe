"""Words of a text: tokens, stems without stop words, and the language they are in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import Stemmer
from resiliparse.parse.lang import detect_fast

from clew.text.stopwords import STOP_WORDS

Entry = str | tuple[str, ...] | None

SHORTEST: Final = 2  # a single letter or digit says nothing
LONGEST: Final = 40  # longer tokens are keys, hashes and encoded data
MEMO: Final = 100_000  # raw tokens remembered for each language, about 15 MB when full
SAMPLE: Final = 2000  # characters that tell the language; more of them seldom change the answer
TOO_SHORT: Final = 40  # characters below which the detector guesses

SNOWBALL: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
# The detector knows a hundred; without the rare ones it takes far fewer lists of names for Latin or Frisian.
LANGUAGES: Final = [*SNOWBALL, "bg", "he", "hr", "ja", "ko", "lv", "sk", "sl", "th", "uk", "vi", "zh"]
MARGIN: Final = 1.05  # by how much English must be the worse guess: menus and indexes look like anything

SURE: Final = 0.25  # share of function words that leaves no doubt; running text has 0.4
FEW: Final = 12  # words among which a share says nothing
_GERMAN: Final = 1 << 32  # what a German function word counts, an English one 1: one sum tells how many of each
_FUNCTION_WORDS: Final = Counter(word.encode() for word in STOP_WORDS["en"])
_FUNCTION_WORDS.update({word.encode(): _GERMAN for word in STOP_WORDS["de"]})

# Bytes above 127 belong to letters, or to typographic signs that `_words` sees to once for each token.
BREAKS: Final = bytes(byte if byte > 127 or chr(byte).isalnum() else 32 for byte in bytes(range(256)).lower())


def terms(text: str, language: str = "en") -> dict[str, int]:
    """How often each stem occurs, stop words left out; a language of "" is taken for English.

    >>> terms("The sailor sails; sailing is what sailors do.")
    {'sailor': 2, 'sail': 2}
    """
    return _count(_raw(text), language)


def read(text: str, otherwise: str = "") -> tuple[str, dict[str, int]]:
    """The language of a text (or another, where it cannot be told) and its terms, split into words only once.

    >>> read("The island is the largest of the country and lies in the Baltic Sea.")[0]
    'en'
    """
    # A blank parts words whatever is around it, so both halves can be split by themselves.
    middle = text.rfind(" ", 0, SAMPLE) + 1
    first = _raw(text[:middle])
    name = _by_function_words(first + _raw(text[middle:SAMPLE])) or _detected(text) or otherwise
    return name, _count(first + _raw(text[middle:]), name)


def _count(raw: list[bytes], language: str) -> dict[str, int]:
    found = Counter(filter(None, map(_memo(language or "en").__getitem__, raw)))
    if tuple in map(type, found):
        for several in [key for key in found if isinstance(key, tuple)]:
            times = found.pop(several)
            for stem in several:
                found[stem] += times
    return dict(found)  # type: ignore[arg-type]  # only strings are left


def stems(text: str, language: str = "en") -> list[str]:
    """The stems in the order of the text, stop words left out.

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
    """Two letters for the language of a text, or "" when it is too short or unlike any that is known.

    >>> language("The island is the largest of the country and lies in the Baltic Sea.")
    'en'
    """
    return _by_function_words(_raw(text[:SAMPLE])) or _detected(text)


def _detected(text: str) -> str:
    sample = " ".join(text[:SAMPLE].split())
    if len(sample) < TOO_SHORT:
        return ""
    ranks = detect_fast(sample, n_results=len(LANGUAGES), langs=LANGUAGES)
    if not ranks:
        return ""
    name, rank = ranks[0]
    english = dict(ranks).get("en", rank * MARGIN)
    return str(name) if name == "en" or english >= rank * MARGIN else ""


def mentions(text: str, stems: frozenset[str], language: str = "en") -> bool:
    """Whether any of these stems occurs: asked of every link, so nothing is built.

    >>> mentions("Sailing boats", frozenset({"boat"})), mentions("Golf", frozenset({"boat"}))
    (True, False)
    """
    entries = set(_lookup(text, language))
    if not stems.isdisjoint(entries):
        return True
    return any(type(entry) is tuple and not stems.isdisjoint(entry) for entry in entries)


def _by_function_words(raw: list[bytes]) -> str:
    """English and German show by their function words; the detector is ten times dearer."""
    if len(raw) < FEW:
        return ""
    found = divmod(sum(filter(None, map(_FUNCTION_WORDS.get, raw))), _GERMAN)
    german, english = (number / len(raw) for number in found)
    if max(english, german) < SURE or 0.5 < english / (german or 1e-9) < 2:
        return ""
    return "en" if english > german else "de"


def _lookup(text: str, language: str) -> Iterator[Entry]:
    return map(_memo(language or "en").__getitem__, _raw(text))


def _raw(text: str) -> list[bytes]:
    return text.encode("utf-8", "replace").translate(BREAKS).split()


class Memo(dict[bytes, Entry]):
    """From a raw token to its stem, so that the work is done once for each distinct token.

    A stop word has none; typographic signs inside a raw token can make it several words.

    >>> memo = Memo("en")
    >>> memo[b"waves"], memo[b"the"], memo["wind\u2013waves".encode()]
    ('wave', None, ('wind', 'wave'))
    """

    def __init__(self, language: str) -> None:
        # Its own cache would be a second copy of this one.
        self.stemmer = Stemmer.Stemmer(SNOWBALL[language], 0) if language in SNOWBALL else None
        self.stop = STOP_WORDS.get(language, frozenset())

    def __missing__(self, raw: bytes) -> Entry:
        words = [w for w in _words(raw) if SHORTEST <= len(w) <= LONGEST and w not in self.stop]
        found = self.stemmer.stemWords(words) if self.stemmer else words
        # The stem of a few Greek and Nepali words is empty; in a tuple it counts, as only stop words are false.
        entry = found[0] if len(found) == 1 and found[0] else tuple(found) or None
        if len(raw) <= 4 * LONGEST:
            if len(self) >= MEMO:
                self.clear()
            self[raw] = entry
        return entry


@lru_cache(maxsize=64)
def _memo(language: str) -> Memo:
    return Memo(language)


class Breaks(dict[int, str]):
    """A table for `str.translate`: what is no letter, mark or digit becomes a space, format characters go."""

    def __missing__(self, code: int) -> str:
        kind = unicodedata.category(chr(code))
        self[code] = chr(code) if kind[0] in "LMN" else "" if kind == "Cf" and code != 0x200B else " "
        return self[code]


_breaks = Breaks()


def _words(raw: bytes) -> list[str]:
    word = raw.decode("utf-8", "replace")
    if word.isascii():
        return [word]
    return unicodedata.normalize("NFC", word).translate(_breaks).lower().split()
