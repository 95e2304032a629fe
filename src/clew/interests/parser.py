"""From the text of a formula to its parts, with the exact place of every mistake."""

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
DEEPEST: Final = 50  # parentheses in one another; more is a mistake, and would exhaust the stack

_number = re.compile(r"-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


class Parsed(NamedTuple):
    """A formula with the places of its topics and of the arguments of its predicates."""

    formula: str
    node: Node
    places: dict[Atom, int]


class Weighted(NamedTuple):
    """A part with the weight that was written behind it."""

    node: Node
    weight: Token | None = None


def parse(formula: str) -> Node:
    """The formula as parts. NOT binds tightest, then AND, then OR.

    Words side by side are one topic of several words; a name with AND, OR or NOT in it needs quotes.

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
    """The same with the places, for mistakes that show only later."""
    formula = re.sub(r"\s", " ", formula)  # one character for one: the caret must stay in its line
    if not formula.strip():
        raise InterestError("the interest is empty; say what you want, for example: sailing AND ruegen")
    parser = _Parser(formula, tokens(formula))
    node = parser.formula_()
    parser.end()
    return Parsed(formula, node, parser.places)


@dataclass
class _Parser:
    """One method for each level of precedence, the loosest first."""

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
            self.fail("a weight counts only beside the other parts of an AND or OR", weight.at)
        return node

    def end(self) -> None:
        match self.token.kind:
            case "end":
                return
            case "close":
                self.fail("this parenthesis was never opened")
            case "sign":
                self.fail("only one comparison at a time; join two of them by AND")
            case _:
                self.fail("AND or OR is missing here")

    def chain(self, kind: type[And] | type[Or], part: Callable[[], Weighted]) -> Weighted:
        found = [part()]
        while self.accept_token("operator", kind.__name__.upper()):
            found.append(part())
        if len(found) == 1:
            return found[0]  # its weight, if any, belongs to the level above
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
        number = self.number("a weight", most=1e6)
        if self.token.kind == "weight":
            self.fail("only one weight for each part")
        return Weighted(node, number)

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
        return Compare(node, sign.text, float(self.number("a membership", most=1).text)) if sign else node

    def number(self, what: str, most: float) -> Token:
        token = self.accept_token("word") or self.accept_token("number")
        if token is None or not _number.fullmatch(token.text):
            self.fail(f"{what} must be a number", token.at if token else None)
        if not 0 <= float(token.text) <= most:
            self.fail(f"{token.text} is out of range: {what} lies between 0 and {most:.7g}", token.at)
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
                self.fail("something is missing at the end")
            case "close":
                self.fail("something is missing before this parenthesis")
            case "operator":
                self.fail(f"something is missing before {token.text}; a name like this needs quotes")
            case _:
                self.fail("a topic or a predicate must stand here")

    def group(self) -> Node:
        self.next += 1
        self.deeper(1)
        node = self.formula_()
        if not self.accept_token("close"):
            if self.token.kind == "end":
                self.fail("the closing parenthesis is missing")
            self.end()
        self.deeper(-1)
        return node

    def deeper(self, step: int) -> None:
        self.depth += step
        if self.depth > DEEPEST:
            self.fail(f"nested more than {DEEPEST} levels deep")

    def words(self) -> Node:
        first, words = self.token, [self.tokens[self.next].text]
        self.next += 1
        while self.token.kind == "word" and not self.calls(self.next):
            words.append(self.token.text)
            self.next += 1
        if len(words) == 1 and self.calls(self.next - 1):
            return self.call(first)
        return self.topic(" ".join(words), first.at)

    def calls(self, index: int) -> bool:
        """Whether a word and the parenthesis behind it are the name and the argument of a predicate."""
        word, after = self.tokens[index], self.tokens[index + 1]
        known = word.text.lower() in ("topic", *PREDICATES)
        return after.kind == "open" and (known or after.at == word.at + len(word.text))

    def call(self, word: Token) -> Node:
        name = word.text.lower()
        if name not in ("topic", *PREDICATES):
            self.fail(unknown("predicate", word.text, ["topic", *PREDICATES]), word.at)
        self.next += 1
        at = self.token.at
        argument = self.argument(name)
        if not self.accept_token("close"):
            self.fail(f"{name} takes one argument; a closing parenthesis must stand here")
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
            self.fail("a name cannot be empty", at)
        self.places.setdefault(node, at)
        return node

    def predicate(self, name: str, argument: str, at: int) -> Predicate:
        node = Predicate(name, argument)
        if not argument.strip():
            self.fail(f"the argument of {name} is empty", at)
        self.places.setdefault(node, at)
        return node
