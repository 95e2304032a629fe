"""Further predicates for rules: facts from data at hand, or from a function of the user."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from clew.config import unknown
from clew.config.parts import find_part
from clew.errors import ConfigError, StrategyError
from clew.parse import host
from clew.text.terms import stems
from clew.types import Link, Page

MAX_CONSTANTS: Final = 12  # of one predicate for one page or link
MAX_LENGTH: Final = 60  # characters of a constant
HEADER: Final = "header:"
SIZES: Final = (100, 300, 1000, 3000)  # words of a page, at the ends of the classes of `size`

Subject = Literal["page", "link"]


@dataclass(frozen=True)
class Predicate:
    """A predicate of two places: the source page of a link or the link itself, and a constant.

    >>> language = Predicate("language", "page", lambda page: page.language)
    >>> language.mode, language.conditions(Page("u", language="en"))
    ('language(+page, #constant)', ['Y language en'])
    """

    name: str
    on: Subject
    function: Callable[[Any], object]

    @property
    def mode(self) -> str:
        """The mode declaration: + marks what is given, # a constant that rules may contain."""
        return f"{self.name}(+{self.on}, #constant)"

    def conditions(self, subject: Page | Link) -> list[str]:
        """What holds for a page or a link."""
        value = self.function(subject)
        values = value if isinstance(value, Iterable) and not isinstance(value, str) else [value]
        variable = "Y" if self.on == "page" else "A"
        constants = [" ".join(str(each).split())[:MAX_LENGTH] for each in values if each is not None]
        return [f"{variable} {self.name} {each}" for each in dict.fromkeys(constants) if each][:MAX_CONSTANTS]


def predicates(text: str) -> list[Predicate]:
    """The predicates that a text names, separated by commas.

    Each is the name of one that comes with clew, `header:NAME` for a header of the response that brought the source
    page, or `module:function`. A function gets the source page or, with `link` before its name, the link; it returns a
    text, a number, several of them, or None. It must be pure: the same page, the same answer.

    >>> [predicate.mode for predicate in predicates("header:server, language, host")]
    ['header_server(+page, #constant)', 'language(+page, #constant)', 'host(+link, #constant)']
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    found = [_predicate(part) for part in parts]
    names = [predicate.name for predicate in found]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise StrategyError(f"first_order: there are two predicates {twice!r}")
    if taken := next((name for name in names if name in TAKEN), ""):
        raise StrategyError(f"first_order: a predicate cannot be called {taken!r}, which is one of the rules already")
    return found


def _predicate(part: str) -> Predicate:
    if part.startswith(HEADER):
        name = part.removeprefix(HEADER).strip().lower()
        return Predicate(f"header_{_identifier(name)}", "page", lambda page: _header(page, name))
    if part in BUILT_IN:
        return BUILT_IN[part]
    *prefix, name = part.split()
    if ":" not in name or prefix not in ([], ["link"], ["page"]):
        raise StrategyError(
            f"first_order: {unknown('predicate', part, [*BUILT_IN, HEADER + 'NAME', 'module:function'])}"
        )
    try:
        function = find_part(name, "predicates", {})
    except ConfigError as error:
        raise StrategyError(f"first_order: predicate {error}") from error
    if not callable(function):
        raise StrategyError(f"first_order: predicate {name!r} is no function")
    on: Subject = "link" if prefix == ["link"] else "page"
    return Predicate(_identifier(name.rpartition(":")[2].rpartition(".")[2]), on, function)


def _identifier(name: str) -> str:
    """A name that Prolog reads as a predicate.

    >>> _identifier("Content-Type")
    'content_type'
    """
    return re.sub(r"\W+", "_", name.lower()).strip("_")


def _header(page: Page, name: str) -> list[str]:
    """The first words of a header: "Apache/2.4 (Debian)" is apache, 2.4 and debian."""
    value = next((value for key, value in page.headers if key == name), "")
    return [word for word in re.split(r"[\s/;,()=\"]+", value.lower()) if word]


def _size(page: Page) -> str:
    words = sum(page.terms.values())
    return next((f"under_{limit}" for limit in SIZES if words < limit), f"from_{SIZES[-1]}")


def _modified(page: Page) -> list[str]:
    """The year in which the page was last modified, as its server says."""
    value = next((value for key, value in page.headers if key == "last-modified"), "")
    return re.findall(r"\b(?:19|20)\d\d\b", value)


BUILT_IN: Final = {
    predicate.name: predicate
    for predicate in (
        Predicate("language", "page", lambda page: page.language),
        Predicate("depth", "page", lambda page: page.depth),
        Predicate("size", "page", _size),
        Predicate("modified", "page", _modified),
        Predicate("title_has", "page", lambda page: stems(page.title)),
        Predicate("page_host", "page", lambda page: host(page.url)),
        Predicate("host", "link", lambda link: host(link.url)),
    )
}
"""What rules can speak of without a line of code: the source page (`page_host` is its host), and the link's host."""
TAKEN: Final = frozenset(
    [
        *("links_to", "parent", "same_block", "in_block", "target", "relevant"),
        *("tag", "text_has", "url_has", "text_before", "heading_has"),
    ]
)
