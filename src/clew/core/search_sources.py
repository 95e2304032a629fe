"""The search sources of a crawl: made from settings and objects, asked as one, and recorded.

A strategy may ask in the middle of a visit. What it is told becomes part of the crawl: the same visits must lead to the
same state when they are replayed, long after a search engine has changed its mind. So every answer is kept with the
crawl, and a question that was asked before is answered from there.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from clew.base.described import described
from clew.config import Config
from clew.config.parts import make_part, plugins
from clew.core.history import EarlierCrawls
from clew.core.http_search import OpenSearch
from clew.core.own_parts import OwnParts, refuse_class
from clew.errors import ConfigError
from clew.parse.url import canonical
from clew.store import MemoryStore, Store
from clew.store.database import database_of
from clew.store.whole import databases
from clew.strategies import TextSource
from clew.text.surface import spellings
from clew.types import Doc

BUILT_IN: Final[Mapping[str, Any]] = {"opensearch": OpenSearch}
WEB: Final = ("http://", "https://")
METHODS: Final = ("search", "backlinks")
WORDS_PER_PAGE: Final = 100  # of which the spelling is remembered
MAX_WORDS: Final = 50_000

log = logging.getLogger("clew.search")


@runtime_checkable
class Remembers(Protocol):
    """A store that can be asked for facts about the crawl, as a crawl folder can."""

    def get(self, name: str, default: str = "") -> str:
        """A fact, or the default."""
        ...


@dataclass
class RecordedSearch:
    """Asks all sources, takes turns among their answers, and records what it tells the strategy."""

    sources: Sequence[Any]
    store: Store = field(default_factory=MemoryStore)
    is_online: bool = False  # in a replay, what was never asked stays unknown
    answers: dict[str, list[str]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # stem -> the word, as pages write it

    def read(self, content: Doc) -> None:
        """Learn from a page how words are written: strategies ask with stems, which no search service knows.

        This is no part of the state of a crawl: answers are recorded by the stems.
        """
        if len(self.words) > MAX_WORDS:
            self.words.clear()
        self.words |= spellings(content.text, content.language or "en", WORDS_PER_PAGE)

    def search(self, words: str, most: int = 20) -> list[str]:
        """Pages that a search for these words finds; the best of each source come first."""
        return self._answer("search", words, most)

    def backlinks(self, url: str, most: int = 20) -> list[str]:
        """Pages that link to this one."""
        return self._answer("backlinks", url, most)

    def terms(self, url: str) -> Mapping[str, int]:
        """The terms of a page, from the first source that knows them."""
        for source in self.sources:
            if hasattr(source, "terms") and (found := source.terms(url)):
                return dict(found)
        return {}

    def listed(self, host: str, most: int = 100) -> list[str]:
        """Pages of a host that the sources know."""
        found: dict[str, None] = {}
        for source in self.sources:
            if hasattr(source, "listed"):
                found |= dict.fromkeys(source.listed(host, most))
        return list(found)[:most]

    def close(self) -> None:
        """Close the sources that have something to close."""
        for source in self.sources:
            if callable(close := getattr(source, "close", None)):
                close()

    def _answer(self, method: str, question: str, most: int) -> list[str]:
        key = f"{method} {most} {question}"
        if key not in self.answers:
            recorded = self._recorded(key)
            if recorded is None and method == "search":
                question = " ".join(self.words.get(word, word) for word in question.split())
            self.answers[key] = self._ask(key, method, question, most) if recorded is None else recorded
        return list(self.answers[key])

    def _recorded(self, key: str) -> list[str] | None:
        found = self.store.get(key) if isinstance(self.store, Remembers) else ""
        return list(json.loads(found)) if found else None

    def _ask(self, key: str, method: str, question: str, most: int) -> list[str]:
        if not self.is_online:
            return []
        lists = [self._ask_one(source, method, question, most) for source in self.sources]
        found: dict[str, None] = {}
        for row in zip_longest(*lists):
            found |= dict.fromkeys(url for url in row if url)
        answer = list(found)[:most]
        self.store.set(key, json.dumps(answer))
        return answer

    def _ask_one(self, source: Any, method: str, question: str, most: int) -> list[str]:
        """The answer of one source; one that fails has nothing to say."""
        if not callable(ask := getattr(source, method, None)):
            return []
        try:
            urls = [canonical(str(url)) for url in ask(question, most)]
        # It may be anybody's code, and a crawl can go on without it.
        except Exception as error:
            problem = f"{_name(source)} cannot answer {method} {question!r}: {described(error)}"
            self.store.note("search source", problem)
            log.warning("%s", problem)
            return []
        return [url for url in urls if url]


def build_search_source(
    config: Config, own: OwnParts, store: Store | None = None, is_recorded: bool = False
) -> RecordedSearch | None:
    """The sources of the settings, then the caller's objects; None if there are none.

    `is_recorded`: the crawl had one, even if it is not here now; what it has answered still holds.
    """
    texts = config.what.search_sources
    folders = [Path(text) for text in texts if _is_folder(text)]
    for folder in folders:
        if not databases(folder):
            # It says what is missing.
            database_of(folder)
    # One index for all earlier crawls: links lead from the pages of one to those of another.
    sources: list[Any] = [EarlierCrawls(folders)] if folders else []
    sources += [_made(text, config) for text in texts if not _is_folder(text)]
    given = [source for source in own.search_sources if not isinstance(source, str)]
    for source in given:
        refuse_class(source, "search_sources")
    for source in [*sources, *given]:
        if not any(callable(getattr(source, method, None)) for method in METHODS):
            raise ConfigError(f"a search source needs the method search or backlinks, but {source!r} has neither")
    everything = [*sources, *given]
    if not everything and not is_recorded:
        return None
    return RecordedSearch(everything, MemoryStore() if store is None else store)


def written_source(text: str) -> str:
    """A search source as the crawl keeps it: a folder by its whole path."""
    return os.path.abspath(text) if _is_folder(text) else text


def online(source: TextSource | None) -> None:
    """From now on unknown questions are asked."""
    if isinstance(source, RecordedSearch):
        source.is_online = True


def _made(text: str, config: Config) -> Any:
    source = OpenSearch(text) if text.startswith(WEB) else make_part(text, "search_sources", BUILT_IN)
    if isinstance(source, OpenSearch):
        source.connect(config.fetch)
    return source


def _is_folder(text: str) -> bool:
    """Whether a text names the folder of an earlier crawl: it is no template and no part."""
    if text.startswith(WEB):
        return False
    name = text.partition("(")[0].strip()
    is_part = name in BUILT_IN or name in plugins("search_sources") or (":" in name and os.path.sep not in name)
    return not is_part


def _name(source: Any) -> str:
    return str(getattr(source, "template", "") or type(source).__name__)
