"""The pieces of a formula, before anybody knows what they mean together."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from clew.errors import InterestError
from clew.interests.syntax import OPERATORS, WORD

INSTEAD: Final = {
    "&": "write AND instead of '&'",
    "|": "write OR instead of '|'",
    "!": "write NOT instead of '!'",
    "-": "write NOT instead of '-'",
    ",": "a comma means nothing here; write AND or OR",
    "=": "'=' is no comparison; there are >=, >, <= and <",
}

_token = re.compile(
    rf"""(?P<space>\s+) | (?P<open>\() | (?P<close>\)) | (?P<sign>[<>]=?) | (?P<weight>\^)
    | "(?P<string>(?:[^"\\]|\\.)*)" | '(?P<single>(?:[^'\\]|\\.)*)' | [“„](?P<curly>[^“”]*)[“”]
    | (?P<word>{WORD}) | (?P<number>-[\d.]+)""",
    re.VERBOSE,
)
_escape = re.compile(r"""\\([\\"'])""")


class Token(NamedTuple):
    """A piece of the formula and where it begins."""

    kind: str
    text: str
    at: int


def tokens(formula: str) -> list[Token]:
    """All pieces, and one for the end.

    >>> [token.text for token in tokens("boats and not (ads)")]
    ['boats', 'AND', 'NOT', '(', 'ads', ')', '']
    """
    found: list[Token] = []
    at = 0
    while at < len(formula):
        match = _token.match(formula, at)
        if match is None:
            raise InterestError(_refusal(formula[at]), formula, at)
        kind = str(match.lastgroup)
        found += _token_of(kind, match[kind], at)
        at = match.end()
    return [*found, Token("end", "", len(formula))]


def _token_of(kind: str, text: str, at: int) -> list[Token]:
    match kind:
        case "space":
            return []
        case "string" | "single" | "curly":
            return [Token("string", _escape.sub(r"\1", text), at)]
        case "word" if text.upper() in OPERATORS:
            return [Token("operator", text.upper(), at)]
        case _:
            return [Token(kind, text, at)]


def _refusal(sign: str) -> str:
    if sign in "\"'“„":
        return "the closing quote is missing"
    return INSTEAD.get(sign, f"{sign!r} cannot stand here; put a name with signs in it into quotes")
