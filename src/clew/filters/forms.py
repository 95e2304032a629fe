"""Which forms are filled in, with which words, and how often.

Relevant pages that no link leads to lie behind search forms. A form that stands on a relevant page is asked for words
of relevant pages, one query at a time, so that each choice can use what the one before has brought. Queries are
ordinary candidates, but other filters leave them alone: a budget for each form bounds them.

Barbosa and Freire, Siphoning hidden-web data through keyword-based interfaces, SBBD 2004. Ntoulas, Zerfos and Cho,
Downloading textual hidden web content through keyword queries, JCDL 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from clew.parse.forms import query_url
from clew.parse.url import host
from clew.text.surface import common_words
from clew.types import Doc, Form, FormField, Link, Page

FIRST_QUERIES: Final = 4  # of each form, before it must have brought something
FINDS_PER_QUERY: Final = 2  # relevant pages that pay for one more query
MAX_QUERIES_PER_FORM: Final = 100
MAX_FORMS_PER_HOST: Final = 3
MAX_FORMS: Final = 1000
SAMPLE_PAGES: Final = 100  # the latest relevant pages, and the latest others
WORDS_PER_PAGE: Final = 30
UNKNOWN_LABEL: Final = 1e-3  # the gain of a choice whose label is on no relevant page: better than nothing

RELEVANT: Final = "relevant"
OTHER: Final = "other"


class Query(NamedTuple):
    """A field of a form with a value, and the words that a reader would see there."""

    name: str
    value: str
    label: str


@dataclass(slots=True)
class FormQueries:
    """Chooses the queries from the visits so far, and from nothing else.

    >>> forms = FormQueries(wanted=True)
    >>> box = Form("http://a.example/find", (FormField("q", is_text=True),))
    >>> forms.learn_words(True, Doc("http://a.example/", text="boats and sails, boats"))
    >>> forms.add(Page("http://a.example/", relevant=True), [box])
    >>> [(link.url, link.anchor, depth) for link, depth in forms.next_links(lambda url: False)]
    [('http://a.example/find?q=boats', 'boats', 1)]
    >>> list(forms.next_links(lambda url: False))  # the answer is not there yet
    []
    """

    wanted: bool
    known: dict[str, dict[str, Any]] = field(default_factory=dict)  # action -> the form and what it has brought
    asked: dict[str, str] = field(default_factory=dict)  # URL of a query -> action
    samples: dict[str, list[list[str]]] = field(default_factory=dict)  # words of the latest pages

    def is_query(self, url: str) -> bool:
        """Whether a URL is a form that was filled in here."""
        return url in self.asked

    def add(self, page: Page, forms: Iterable[Form]) -> None:
        """Take in the forms of a relevant page."""
        for form in forms:
            on_host = sum(host(action) == host(form.action) for action in self.known)
            if form.action in self.known or on_host >= MAX_FORMS_PER_HOST or len(self.known) >= MAX_FORMS:
                continue
            self.known[form.action] = {
                "form": tuple(form),
                "source": page.url,
                "depth": page.depth + 1,
                "tried": [],  # words and labels
                "waits_for": "",  # the URL of the query that was not visited yet
                "finds": 0,
                "closed": False,
            }

    def learn_words(self, relevant: bool, content: Doc) -> None:
        """Remember what a page is about."""
        words = common_words(content.text, content.language or "en", WORDS_PER_PAGE)
        kind = RELEVANT if relevant else OTHER
        self.samples[kind] = [*self.samples.get(kind, [])[1 - SAMPLE_PAGES :], words]

    def forget_words(self) -> None:
        """Another interest: what was relevant says nothing any more."""
        self.samples.clear()

    def record_visit(self, page: Page, content: Doc, forms: Iterable[Form], is_refused: bool = False) -> None:
        """Take in a visit: it may answer a query, be found by one, or have forms of its own."""
        self.close_query(page.url, is_refused)
        action = self._form_behind(page.url)
        # A page of results repeats the words of its query, whether they are good or not.
        if action or not page.ok:
            return
        if page.relevant and page.inlinks and (found_by := self._form_behind(page.inlinks[0].source)):
            self.known[found_by]["finds"] += 1
        self.learn_words(page.relevant, content)
        if page.relevant:
            self.add(page, forms)

    def close_query(self, url: str, is_refused: bool = False) -> None:
        """A query has its answer; if robots.txt forbids it, the form is not asked again."""
        if action := self.asked.get(url):
            form = self.known[action]
            form["closed"] |= is_refused
            if form["waits_for"] == url:
                form["waits_for"] = ""

    def budget(self, action: str) -> int:
        """How many queries a form may have by now."""
        finds: int = self.known[action]["finds"]
        return min(MAX_QUERIES_PER_FORM, FIRST_QUERIES + finds // FINDS_PER_QUERY)

    def next_links(self, is_known: Callable[[str], bool]) -> Iterator[tuple[Link, int]]:
        """The next query of each form that may have one, as a link from the page with the form, and its depth."""
        for action, state in self.known.items():
            if state["closed"] or state["waits_for"]:
                continue
            if link := self._next_link(action, _restored(state["form"]), is_known):
                state["waits_for"] = link.url
                yield link, state["depth"]

    def _next_link(self, action: str, form: Form, is_known: Callable[[str], bool]) -> Link | None:
        state = self.known[action]
        while len(state["tried"]) < self.budget(action):
            query = self._best_query(form, state["tried"])
            if query is None:
                return None
            state["tried"].append(query.label)
            url = query_url(form, {query.name: query.value})
            if url and not is_known(url):
                self.asked[url] = action
                around = f"{form.label}\t" if form.label else ""
                return Link(state["source"], url, query.label, around, kind="form")
        return None

    def _best_query(self, form: Form, tried: list[str]) -> Query | None:
        """The query that promises most: its words are on many relevant pages that no earlier query has reached."""
        gains = self._gains(set(tried))
        queries: dict[Query, float] = {}
        for each in form.fields:
            if each.is_text:
                queries |= {Query(each.name, word, word): gain for word, gain in gains.items() if word not in tried}
            queries |= _choices(each, gains, tried)
        # Of equal ones the first: the words of a page come by frequency, choices in the order of their list.
        return max(queries, key=lambda query: queries[query], default=None)

    def _gains(self, tried: set[str]) -> dict[str, float]:
        """What each word of the relevant pages promises.

        A relevant page counts less for each word on it that was asked already (weighted covering). The sum is
        multiplied by the share of relevant pages among those with the word, as if both kinds were equally frequent.
        """
        relevant = self.samples.get(RELEVANT, [])
        others = self.samples.get(OTHER, [])
        sums: dict[str, float] = {}
        counts: dict[str, int] = {}
        for words in relevant:
            weight = 1 / (1 + len(tried.intersection(words)))
            for word in words:
                sums[word] = sums.get(word, 0.0) + weight
                counts[word] = counts.get(word, 0) + 1
        elsewhere: dict[str, int] = {}
        for words in others:
            for word in words:
                elsewhere[word] = elsewhere.get(word, 0) + 1
        gains: dict[str, float] = {}
        for word, total in sums.items():
            here = counts[word] / len(relevant)
            there = (elsewhere.get(word, 0) + 0.5) / (len(others) + 1)
            gains[word] = total * here / (here + there)
        return gains

    def _form_behind(self, url: str) -> str:
        """The form of which a URL is a page of results, also the second or third; "" if there is none."""
        action, mark, query = url.partition("?")
        if not mark or action not in self.known:
            return ""
        names = {name for name, _ in parse_qsl(query, keep_blank_values=True)}
        fields = _restored(self.known[action]["form"]).fields
        return action if any(each.name in names for each in fields if each.is_text or each.options) else ""


def _choices(each: FormField, gains: dict[str, float], tried: list[str]) -> dict[Query, float]:
    """The choices of a list that were not tried yet, by what the words of their labels promise."""
    found: dict[Query, float] = {}
    for value, label in each.options:
        # The first choice is often "all", with an empty value: the query without words.
        if not value or value == each.value or label in tried:
            continue
        words = common_words(label)
        found[Query(each.name, value, label)] = max([gains.get(word, 0.0) for word in words], default=0.0)
    return {query: gain or UNKNOWN_LABEL for query, gain in found.items()}


def _restored(saved: tuple[Any, ...]) -> Form:
    action, fields, label, charset, is_search = saved
    return Form(action, tuple(FormField(*each) for each in fields), label, charset, is_search)
