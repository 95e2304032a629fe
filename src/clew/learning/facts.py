"""Relational facts about links and the DOM around them, as Prolog would state them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from clew.types import Link

BLOCKS: Final = frozenset(
    ["ul", "ol", "dl", "menu", "table", "p", "nav", "header", "footer", "aside", "section", "article", "main"]
)  # elements that begin a block, as `Link.block` counts them
DEFINED: Final = (
    "links_to(Y, X) :- links_to(Y, X, _).",
    "same_block(E, A) :- in_block(E, B), in_block(A, B), E \\== A.",
)  # what rules say of links beside the facts themselves
_PLAIN: Final = re.compile(r"[a-z][a-z0-9_]*|0|[1-9][0-9]{0,8}")  # 02 would be read as 2


class Literal(NamedTuple):
    """A predicate over variables (capitalised) and constants.

    >>> print(Literal("text_has", ("A", "ii")), Literal("!=", ("D", "B")))
    text_has(A, ii) D != B
    """

    name: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        if self.name == "!=":
            return " != ".join(self.args)
        return f"{self.name}({', '.join(arg if is_variable(arg) else atom(arg) for arg in self.args)})"


def is_variable(arg: str) -> bool:
    """Whether an argument is a variable: it starts with a capital letter."""
    return arg[:1].isascii() and arg[:1].isupper()


def atom(constant: str) -> str:
    """A constant as Prolog writes it.

    >>> atom("ii"), atom("02"), atom("http://a.example/")
    ('ii', "'02'", "'http://a.example/'")
    """
    if _PLAIN.fullmatch(constant):
        return constant
    return "'" + constant.replace("\\", "\\\\").replace("'", "\\'") + "'"


def parse(body: str) -> tuple[Literal, ...]:
    """The literals of a rule's body in the form that `str` writes; constants must be plain.

    >>> parse("links_to(Y, X, A), url_has(A, shakespeare)")[1]
    Literal(name='url_has', args=('A', 'shakespeare'))
    """
    literals: list[Literal] = []
    for left, right, name, inside in re.findall(r"(\w+) ?!= ?(\w+)|(\w+)\(([^)]*)\)", body):
        if left:
            literals.append(Literal("!=", (left, right)))
        else:
            literals.append(Literal(name, tuple(part.strip() for part in inside.split(","))))
    return tuple(literals)


@dataclass
class Facts:
    """What is known about links: the elements of each page, and which pages were visited in which order.

    >>> facts = Facts(links=[("u", "v", "e8")], parent={"e8": "e7"}, has={"tag": {"e7": ["li"]}})
    >>> print(facts.prolog())
    links_to(u, v, e8).
    parent(e8, e7).
    tag(e7, li).
    """

    links: list[tuple[str, str, str]] = field(default_factory=list)  # links_to(Y, X, A)
    parent: dict[str, str] = field(default_factory=dict)
    block: dict[str, str] = field(default_factory=dict, kw_only=True)  # in_block(A, B)
    has: dict[str, dict[str, list[str]]] = field(default_factory=dict)  # of elements: tag, text_has, or any further one
    about: dict[str, dict[str, list[str]]] = field(default_factory=dict, kw_only=True)  # of pages: header, language, …
    judged: dict[str, bool] = field(default_factory=dict)  # visited pages in order: relevant or not
    modes: list[str] = field(default_factory=list, kw_only=True)  # declarations of further predicates

    def add(self, link: Link, anchor: Mapping[str, Iterable[str]], parent: Mapping[str, Iterable[str]]) -> None:
        """Add a link with the constants that hold for its anchor and for the element around it, by predicate.

        The DOM is rebuilt from the path: links in one block share it and the elements above it; below it each link
        has elements of its own.
        """
        names, kinds = zip(*elements(link), strict=True)
        self.block[names[0]] = _block(link)
        self.links.append((link.source, link.url, names[0]))
        self.parent.update(pairwise(names))
        for name, kind in zip(names, kinds, strict=True):
            self._add_constants("tag", name, [kind])
        for name, predicates in zip(names, (anchor, parent), strict=False):
            for predicate, constants in predicates.items():
                self._add_constants(predicate, name, constants)

    def prolog(self, before: str | None = None) -> str:
        """All facts as Prolog; about visits only what was known before the visit of the page `before`."""
        return "\n".join(f"{literal}." for literal in self.literals(before))

    def program(self) -> Iterator[str]:
        """The lines of a Prolog program: the definitions of predicates that rules use, then the facts."""
        yield from (f"% mode {mode}" for mode in self.modes)
        yield from DEFINED
        yield from (f"{literal}." for literal in self.literals())

    def literals(self, before: str | None = None) -> Iterator[Literal]:
        """The facts one by one."""
        order = list(self.judged)
        # What a rule may use is what was known when the page was still a candidate.
        earlier = order[: order.index(before)] if before in self.judged else order
        relevant = {page for page in earlier if self.judged[page]}
        yield from (Literal("links_to", row) for row in self.links)
        yield from (Literal("parent", pair) for pair in self.parent.items())
        yield from (Literal("in_block", pair) for pair in self.block.items())
        for name, table in (*self.has.items(), *self.about.items()):
            for element, constants in table.items():
                yield from (Literal(name, (element, constant)) for constant in constants)
        yield from (Literal("target", (anchor,)) for _, page, anchor in self.links if page in relevant)
        yield from (Literal("relevant", (page,)) for page in order if page in relevant)

    def _add_constants(self, name: str, element: str, constants: Iterable[str]) -> None:
        known = self.has.setdefault(name, {}).setdefault(element, [])
        known += [constant for constant in dict.fromkeys(constants) if constant not in known]


@lru_cache(maxsize=10_000)
def tags(path: str) -> tuple[str, ...]:
    """The tags of a path from the body down, without ids and classes; cached, as the links of a list share their path.

    >>> tags("div#main>ul.menu>li>a")
    ('div', 'ul', 'li', 'a')
    """
    if not path:
        return ()
    return tuple(re.split(r"[#.]", step, maxsplit=1)[0] for step in path.split(">"))


def elements(link: Link) -> Iterator[tuple[str, str]]:
    """Name and tag of the anchor, then of the elements above it."""
    names = tags(link.path) or ("a",)
    steps = link.path.split(">")
    # The innermost block above the anchor: it and everything above it is shared with other links.
    shared = next((at for at in range(len(names) - 2, -1, -1) if names[at] in BLOCKS), -1)
    for at in range(len(names) - 1, -1, -1):
        if at > shared:
            name = f"{link.source}#{link.position}.{at}"
        elif at == shared:
            name = _block(link)
        else:
            name = f"{link.source}#{'>'.join(steps[: at + 1])}"
        yield name, names[at]


def _block(link: Link) -> str:
    return f"{link.source}#b{link.block}"
