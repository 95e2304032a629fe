"""The parser: turns the text of a formula into its parts and points at the exact place of every mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, NoReturn

from clew.config import unknown
from clew.errors import InterestError
from clew.interests.lexer import Token, tokens
from clew.interests.syntax import And, Atom, Compare, Node, Not, Or, Predicate, Topic

PREDICATES: Final = (
    "word", "phrase", "regex", "url", "host", "language", "similar", "links_to", "python",
)  # fmt: skip
CALLABLE: Final = ("topic", *PREDICATES)
MAX_NESTING_LEVELS: Final = 50  # more is a mistake, and would exhaust the stack
MAX_WEIGHT: Final = 1e6

_number = re.compile(r"-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


class Parsed(NamedTuple):
    """A formula with the positions of its topics and of the arguments of its predicates."""

    formula: str
    node: Node
    places: dict[Atom, int]


class Weighted(NamedTuple):
    """A part with the weight written after it, if any."""

    node: Node
    weight: Token | None = None


def parse(formula: str) -> Node:
    """The formula as a tree. NOT binds tightest, then AND, then OR.

    Adjacent words form one topic name; a name that contains AND, OR or NOT needs quotes.

    >>> parse("sailing boats and not ads")
    And(parts=(Topic(name='sailing boats'), Not(part=Topic(name='ads'))), weights=())
    >>> parse("sailing AND (ruegen")
    Traceback (most recent call last):
    clew.errors.InterestError: the closing parenthesis is missing
      sailing AND (ruegen
                         ^
    """
    return parsed(formula).node


def parsed(formula: str) -> Parsed:
    """Like `parse`, but with positions, for mistakes that show only when the interest is built."""
    # Each whitespace character becomes one space: the error message stays on one line and the caret in its place.
    formula = re.sub(r"\s", " ", formula)
    if not formula.strip():
        raise InterestError("the interest is empty; describe what you want, for example: sailing AND ruegen")
    parser = _Parser(formula, tokens(formula))
    node = parser.formula_()
    parser.end()
    return Parsed(formula, node, parser.places)


@dataclass
class _Parser:
    """A recursive descent parser: one method per level of precedence, the loosest first."""

    formula: str
    tokens: list[Token]
    places: dict[Atom, int] = field(default_factory=dict)
    next: int = 0
    depth: int = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def accept_token(self, kind: str, text: str = "") -> Token | None:
        token = self.token
        if token.kind != kind or (text and token.text != text):
            return None
        self.next += 1
        return token

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        raise InterestError(message, self.formula, self.token.at if at is None else at)

    def formula_(self) -> Node:
        node, weight = self.chain(Or, lambda: self.chain(And, self.weighted))
        if weight:
            self.fail("a weight has no effect here; weights compare the parts of an AND or OR", weight.at)
        return node

    def end(self) -> None:
        match self.token.kind:
            case "end":
                return
            case "close":
                self.fail("this parenthesis has no opening one")
            case "sign":
                self.fail("comparisons cannot be chained; join two of them with AND")
            case _:
                self.fail("expected AND or OR here")

    def chain(self, kind: type[And] | type[Or], part: Callable[[], Weighted]) -> Weighted:
        found = [part()]
        while self.accept_token("operator", kind.__name__.upper()):
            found.append(part())
        if len(found) == 1:
            # The weight of a lone part, if any, belongs to the level above.
            return found[0]
        return Weighted(kind(tuple(node for node, _ in found), self.weights(found)))

    def weights(self, found: list[Weighted]) -> tuple[float, ...]:
        written = [weight for _, weight in found if weight]
        if not written:
            return ()
        weights = tuple(float(weight.text) if weight else 1.0 for _, weight in found)
        if not any(weights):
            self.fail("the weights cannot all be 0", written[0].at)
        return weights

    def weighted(self) -> Weighted:
        node = self.negation()
        if not self.accept_token("weight"):
            return Weighted(node)
        weight = self.number("a weight", limit=MAX_WEIGHT)
        if self.token.kind == "weight":
            self.fail("a part can have only one weight")
        return Weighted(node, weight)

    def negation(self) -> Node:
        if not self.accept_token("operator", "NOT"):
            return self.comparison()
        self.deeper(1)
        node = Not(self.negation())
        self.deeper(-1)
        return node

    def comparison(self) -> Node:
        node = self.primary()
        sign = self.accept_token("sign")
        if sign is None:
            return node
        number = self.number("a relevance", limit=1)
        return Compare(node, sign.text, float(number.text))

    def number(self, what: str, limit: float) -> Token:
        token = self.accept_token("word") or self.accept_token("number")
        if token is None or not _number.fullmatch(token.text):
            self.fail(f"{what} must be a number", token.at if token else None)
        if not 0 <= float(token.text) <= limit:
            self.fail(f"{token.text} is out of range: {what} must be between 0 and {limit:.7g}", token.at)
        return token

    def primary(self) -> Node:
        token = self.token
        match token.kind:
            case "open":
                return self.group()
            case "string":
                self.next += 1
                return self.topic(token.text, token.at)
            case "word":
                return self.words()
            case "end":
                self.fail("a topic or predicate is missing at the end of the formula")
            case "close":
                self.fail("a topic or predicate is missing before this parenthesis")
            case "operator":
                self.fail(f"a topic or predicate is missing before {token.text}; a topic of that name needs quotes")
            case _:
                self.fail("expected a topic or predicate here")

    def group(self) -> Node:
        self.next += 1
        self.deeper(1)
        node = self.formula_()
        if not self.accept_token("close"):
            if self.token.kind == "end":
                self.fail("the closing parenthesis is missing")
            # Anything else that ends a group is the same mistake as at the end of the formula.
            self.end()
        self.deeper(-1)
        return node

    def deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > MAX_NESTING_LEVELS:
            self.fail(f"the formula is nested more than {MAX_NESTING_LEVELS} levels deep")

    def words(self) -> Node:
        first = self.token
        words = [first.text]
        self.next += 1
        while self.token.kind == "word" and not self.calls(self.next):
            words.append(self.token.text)
            self.next += 1
        if len(words) == 1 and self.calls(self.next - 1):
            return self.call(first)
        return self.topic(" ".join(words), first.at)

    def calls(self, index: int) -> bool:
        """Whether a word and the parenthesis after it are the name and the argument of a predicate."""
        word = self.tokens[index]
        after = self.tokens[index + 1]
        if after.kind != "open":
            return False
        # An unknown name directly before a parenthesis is a misspelt predicate; after a space, AND or OR is missing.
        adjacent = after.at == word.at + len(word.text)
        return word.text.lower() in CALLABLE or adjacent

    def call(self, word: Token) -> Node:
        name = word.text.lower()
        if name not in CALLABLE:
            self.fail(unknown("predicate", word.text, list(CALLABLE)), word.at)
        self.next += 1
        at = self.token.at
        argument = self.argument(name)
        if not self.accept_token("close"):
            self.fail(f"{name} takes one argument; expected a closing parenthesis here")
        return self.topic(argument, at) if name == "topic" else self.predicate(name, argument, at)

    def argument(self, name: str) -> str:
        if string := self.accept_token("string"):
            return string.text
        if self.token.kind != "word":
            self.fail(f'{name} needs an argument: {name}("…")')
        if name != "topic":
            self.fail(f'the argument of {name} needs quotes: {name}("{self.token.text}")')
        words = []
        while word := self.accept_token("word"):
            words.append(word.text)
        return " ".join(words)

    def topic(self, name: str, at: int) -> Topic:
        node = Topic(" ".join(name.split()))
        if not node.name:
            self.fail("a topic name cannot be empty", at)
        # An error about a repeated topic points at its first mention.
        self.places.setdefault(node, at)
        return node

    def predicate(self, name: str, argument: str, at: int) -> Predicate:
        node = Predicate(name, argument)
        if not argument.strip():
            self.fail(f"the argument of {name} is empty", at)
        self.places.setdefault(node, at)
        return node
