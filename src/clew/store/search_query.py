"""Queries as people type them, in the language of the full-text index.

All words must occur, in any form of an English word. "Quotes" keep words together, OR offers a choice, NOT or a minus
excludes, a star at the end of a word stands for any ending, parentheses group, and `title:` looks in titles only.
Everything else is text: no sign in a query can be an error of the index.
"""

from __future__ import annotations

import re
from typing import Final

from clew.errors import ConfigError
from clew.store.texts import SEPARATOR
from clew.text.unspaced import apart

MAX_QUERY_WORDS: Final = 100
MAX_QUERY_DEPTH: Final = 20  # parentheses inside parentheses
NOTHING_WANTED: Final = "the query names nothing to look for: it needs at least one word that is not excluded"

# A quotation that is never closed goes on to the end. A minus excludes only at the beginning of a word.
_TOKEN: Final = re.compile(r'\s*(?:([()])|(-)(?=[^\s()-])|((?:title:)?"[^"]*"?\*?)|([^\s()"]+))', re.I)
_TITLE: Final = "title:"


def match_expression(query: str) -> str:
    """The query as an expression of FTS5; a ConfigError says what is wrong with it.

    >>> print(match_expression("wooden boats"))
    "wooden" AND "boats"
    >>> print(match_expression('("tall ship" OR schoon*) -model'))
    ("tall ship" OR "schoon" *) NOT "model"
    >>> print(match_expression("C++ AND don't title:sailing"))
    "C++" AND "don't" AND {title} : "sailing"
    >>> match_expression("-model")
    Traceback (most recent call last):
    clew.errors.ConfigError: the query names nothing to look for: it needs at least one word that is not excluded
    """
    tokens = [_kind(match) for match in _TOKEN.finditer(query)]
    if len(tokens) > MAX_QUERY_WORDS:
        raise ConfigError(f"the query has {len(tokens)} words and signs; at most {MAX_QUERY_WORDS} are allowed")
    reader = _Reader(tokens)
    found = reader.choice()
    if reader.rest:
        raise ConfigError('the query has a ")" without a "("; put text with parentheses between quotation marks')
    if not found:
        raise ConfigError(NOTHING_WANTED)
    return found


def _kind(match: re.Match[str]) -> tuple[str, str]:
    """The kind of a token, and its text: sign, minus, OR, AND, NOT or word."""
    sign, minus, phrase, word = match.groups()
    if sign:
        return sign, sign
    if minus:
        return "NOT", minus
    if word in ("AND", "OR", "NOT"):
        return word, word
    return "word", phrase or word


class _Reader:
    """Reads tokens from left to right; each method returns an expression, or "" if there is nothing to look for."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.rest = tokens[::-1]
        self.depth = 0

    def choice(self) -> str:
        """What stands between the ORs."""
        options = [self._all_of()]
        while self._take("OR"):
            options.append(self._all_of())
        options = [option for option in options if option]
        if len(options) < 2:
            return "".join(options)
        return " OR ".join(f"({option})" if " NOT " in option or " AND " in option else option for option in options)

    def _all_of(self) -> str:
        wanted: list[str] = []
        unwanted: list[str] = []
        while self.rest and self.rest[-1][0] not in (")", "OR"):
            self._take("AND")
            is_unwanted = False
            while self._take("NOT"):
                is_unwanted = not is_unwanted
            part = self._unit()
            if part:
                (unwanted if is_unwanted else wanted).append(part)
        if unwanted and not wanted:
            raise ConfigError(NOTHING_WANTED)
        found = " AND ".join(wanted)
        if not unwanted:
            return found
        group = f"({found})" if len(wanted) > 1 else found
        return f"{group} NOT {unwanted[0] if len(unwanted) == 1 else '(' + ' OR '.join(unwanted) + ')'}"

    def _unit(self) -> str:
        if self._take("("):
            self.depth += 1
            if self.depth > MAX_QUERY_DEPTH:
                raise ConfigError(f"the query has more than {MAX_QUERY_DEPTH} parentheses inside each other")
            inside = self.choice()
            if not self._take(")"):
                raise ConfigError(
                    'the query has a "(" without a ")"; put text with parentheses between quotation marks'
                )
            self.depth -= 1
            return f"({inside})" if inside else ""
        if self.rest and self.rest[-1][0] == "word":
            return _term(self.rest.pop()[1])
        return ""

    def _take(self, kind: str) -> bool:
        """Go on behind the next token if it is of this kind."""
        is_next = bool(self.rest) and self.rest[-1][0] == kind
        if is_next:
            self.rest.pop()
        return is_next


def _term(word: str) -> str:
    """A word or a phrase, between quotation marks: then no sign in it has a meaning."""
    column = ""
    if word.lower().startswith(_TITLE):
        column = "{title} : "
        word = word[len(_TITLE) :]
    ending = " *" if word.endswith("*") else ""
    text = word.rstrip("*").strip('"').replace('"', "").replace("\0", "")
    # The index has no words without letters and digits.
    if not any(map(str.isalnum, text)):
        return ""
    return f'{column}"{apart(text, SEPARATOR)}"{ending}'
