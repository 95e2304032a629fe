"""A search service on the web as a search source: any that answers a GET request with JSON, Atom or RSS."""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.config import Fetch
from clew.core.polite_get import DataReader
from clew.core.visit import reason_of
from clew.errors import ClewError, ConfigError
from clew.parse import opensearch
from clew.parse.body import decoded
from clew.parse.url import canonical


@dataclass
class OpenSearch:
    """Asks a service by its OpenSearch template.

    `template` has the place {searchTerms}, and {count} where the service can be told how many results are wanted.
    `results` says where in the JSON of an answer the URLs are, as in "rows.*.url"; without it, every web address in
    the answer counts. `backlink_template`, with the place {url}, asks for pages that link to one. After `max_questions`
    in one run the service is left alone.

    >>> OpenSearch("https://a.example/find.json?q={searchTerms}", results="rows.*.url").question("old boats")
    'https://a.example/find.json?q=old+boats'
    """

    template: str
    results: str = ""
    backlink_template: str = ""
    max_questions: int = 200
    _asked_so_far: int = field(default=0, init=False, repr=False, compare=False)
    _reader: DataReader | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not opensearch.is_template(self.template):
            raise ConfigError(f"a search template has a scheme and a place for {{searchTerms}}, not {self.template!r}")
        self.question("")
        if self.backlink_template and f"{{{opensearch.URL}}}" not in self.backlink_template:
            raise ConfigError(f"a backlink template has a place for {{url}}, not {self.backlink_template!r}")

    def connect(self, config: Fetch) -> None:
        """Use these settings for requests: guard, robots.txt and politeness hold as for pages."""
        self._reader = DataReader(config)

    def close(self) -> None:
        """Close all connections."""
        if self._reader:
            self._reader.close()

    def question(self, words: str, most: int = 20) -> str:
        """The address of the answer to a search."""
        return opensearch.expanded(self.template, {opensearch.WORDS: words, opensearch.COUNT: most})

    def search(self, words: str, most: int = 20) -> list[str]:
        """Pages that the service finds, the best first; where nothing has all the words, with half of them."""
        asked = words.split()
        while True:
            found = self._asked(self.question(" ".join(asked), most))[:most]
            if found or len(asked) < 2:
                return found
            # Strategies put the most important word first.
            asked = asked[: len(asked) // 2]

    def backlinks(self, url: str, most: int = 20) -> list[str]:
        """Pages that link to this one; none if the service cannot be asked for them."""
        if not self.backlink_template:
            return []
        values = {opensearch.URL: url, opensearch.COUNT: most}
        return self._asked(opensearch.expanded(self.backlink_template, values))[:most]

    def _asked(self, question: str) -> list[str]:
        if self._asked_so_far >= self.max_questions:
            return []
        self._asked_so_far += 1
        self._reader = self._reader or DataReader(Fetch())
        fetched = self._reader.get(canonical(question) or question)
        if not fetched.ok:
            raise ClewError(f"{fetched.url}: {reason_of(fetched)}")
        body = fetched.body or decoded(fetched.raw, fetched.header("content-encoding"))
        return opensearch.found_urls(body, fetched.url, fetched.header("content-type"), self.results)
