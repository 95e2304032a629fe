"""The lexer: splits the text of a formula into tokens."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from clew.errors import InterestError
from clew.interests.syntax import OPERATORS, WORD

# Users bring these habits from search engines and programming languages; the message names the right spelling.
CORRECTIONS: Final = {
    "&": "write AND instead of '&'",
    "|": "write OR instead of '|'",
    "!": "write NOT instead of '!'",
    "-": "write NOT instead of '-'",
    ",": "commas are not part of a formula; write AND or OR",
    "=": "'=' is not a comparison; use >=, >, <= or <",
}

_token = re.compile(
    rf"""(?P<space>\s+) | (?P<open>\() | (?P<close>\)) | (?P<sign>[<>]=?) | (?P<weight>\^)
    | "(?P<string>(?:[^"\\]|\\.)*)" | '(?P<single>(?:[^'\\]|\\.)*)' | [“„](?P<curly>[^“”]*)[“”]
    | (?P<word>{WORD}) | (?P<number>-[\d.]+)""",
    re.VERBOSE,
)
_escape = re.compile(r"""\\([\\"'])""")


class Token(NamedTuple):
    """A token and its position in the formula."""

    kind: str
    text: str
    at: int


def tokens(formula: str) -> list[Token]:
    """All tokens of a formula, followed by one of kind "end".

    >>> [token.text for token in tokens("boats and not (ads)")]
    ['boats', 'AND', 'NOT', '(', 'ads', ')', '']
    """
    found: list[Token] = []
    at = 0
    while at < len(formula):
        match = _token.match(formula, at)
        if match is None:
            raise InterestError(_explain(formula[at]), formula, at)
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
        # "and" in lower case is an operator too; a topic of that name needs quotes.
        case "word" if text.upper() in OPERATORS:
            return [Token("operator", text.upper(), at)]
        case _:
            return [Token(kind, text, at)]


def _explain(character: str) -> str:
    """Why no token can start with this character."""
    # A quote matches a token together with its closing quote, so it gets here only without one.
    if character in "\"'“„":
        return "the closing quote is missing"
    default = f"unexpected {character!r}; put names with special characters in quotes"
    return CORRECTIONS.get(character, default)
