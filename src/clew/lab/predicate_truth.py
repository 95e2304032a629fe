"""Predicates as part of a topic: a test of a page needs no labels, because the page itself decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from clew.errors import ConfigError, InterestError
from clew.interests.predicates import make
from clew.interests.reading import Measure, Reading
from clew.interests.syntax import Predicate
from clew.types import Doc


class Pages(Protocol):
    """What of a world a predicate needs."""

    @property
    def urls(self) -> Sequence[str]:
        """The URLs of all pages."""
        ...

    def id_of(self, url: str) -> int | None:
        """The page to which a canonical URL leads."""
        ...

    def doc(self, page: int) -> Doc:
        """The parsed page."""
        ...


def predicate_measure(pages: Pages, predicate: Predicate) -> Measure:
    """A predicate as crawls use it; `similar("URL")` compares with a page of the world."""

    def read(url: str) -> list[Doc]:
        page = pages.id_of(url)
        if page is None:
            raise ConfigError(f"{predicate}: in the laboratory, similar needs the URL of a page of the world")
        return [pages.doc(page)]

    try:
        # The argument begins after the name and a parenthesis.
        return make(predicate.name, predicate.argument, read, str(predicate), len(predicate.name) + 1)
    except InterestError as error:
        raise ConfigError(str(error)) from error


def passing(pages: Pages, predicate: Predicate) -> NDArray[np.float64]:
    """How far each page of a world passes a predicate, from 0 to 1."""
    measure = predicate_measure(pages, predicate)
    return np.array([measure(Reading(pages.doc(page))) for page in range(len(pages.urls))], np.float64)
