"""Which forms are filled in, with which words, and how often.

Relevant pages that no link leads to lie behind search forms. A form that stands on a relevant page is asked for words
of relevant pages, one query at a time, so that each choice can use what the one before has brought. Queries are
ordinary candidates, but other filters leave them alone: a budget for each form bounds them.

Barbosa and Freire, Siphoning hidden-web data through keyword-based interfaces, SBBD 2004. Ntoulas, Zerfos and Cho,
Downloading textual hidden web content through keyword queries, JCDL 2005.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypedDict
from urllib.parse import parse_qsl

from clew.parse.forms import query_url
from clew.parse.url import host
from clew.text.surface import common_words
from clew.types import Doc, Form, FormField, Link, Page

FIRST_QUERIES: Final = 4  # of each form, before it must have brought something
FINDS_PER_QUERY: Final = 2  # relevant pages that pay for one more query
MAX_QUERIES_PER_FORM: Final = 100
MAX_NEXT_PAGES_PER_QUERY: Final = 5  # of results
MAX_VARIANTS_PER_QUERY: Final = 1  # other links from results to results: sorted or filtered in another way
MAX_FORMS_PER_HOST: Final = 3
MAX_FORMS: Final = 1000
SAMPLE_PAGES: Final = 100  # the latest relevant pages, and the latest others
WORDS_PER_PAGE: Final = 50
UNKNOWN_LABEL: Final = 1e-3  # the gain of a choice whose label is on no relevant page: better than nothing

INTEREST_WEIGHT: Final = 2.0  # of the rating of a word by the interest, beside what the pages say
NEXT_PAGE: Final = re.compile(r"page|start|offset|next|cursor|after|skip|begin|^p$|^pg$|^pn$|^from$|seite", re.I)

RELEVANT: Final = "relevant"
OTHER: Final = "other"


class Filling(NamedTuple):
    """A field of a form with a value, and the words that a reader would see there."""

    name: str
    value: str
    label: str


class KnownForm(TypedDict):
    """A form and what it has brought."""

    form: tuple[Any, ...]  # a Form as plain values
    source: str  # the page with the form
    depth: int  # of its queries
    tried: list[str]  # words and labels
    waits_for: str  # the URL of the query that was not visited yet, or ""
    finds: int  # relevant pages
    next: int  # further pages of results
    variants: int  # the same results in another order
    closed: bool  # robots.txt forbids it


class FormQuery(NamedTuple):
    """A form that is filled in, as a link from the page that it stands on."""

    link: Link
    depth: int


@dataclass(slots=True)
class FormQueries:
    """Chooses the queries from the visits so far, and from nothing else.

    >>> forms = FormQueries(wanted=True)
    >>> box = Form("http://a.example/find", (FormField("q", is_text=True),))
    >>> forms.learn_words(True, Doc("http://a.example/", text="boats and sails, boats"))
    >>> forms.add(Page("http://a.example/", relevant=True), [box])
    >>> [(link.url, link.anchor, depth) for link, depth in forms.next_queries(lambda url: False, lambda word: 0.0)]
    [('http://a.example/find?q=boats', 'boats', 1)]
    >>> list(forms.next_queries(lambda url: False, lambda word: 0.0))  # the answer is not there yet
    []
    """

    wanted: bool
    known: dict[str, KnownForm] = field(default_factory=dict)  # action -> the form and what it has brought
    asked: dict[str, str] = field(default_factory=dict)  # URL of a query -> action
    results: dict[str, str] = field(default_factory=dict)  # URL of a further page of results -> action
    samples: dict[str, list[list[str]]] = field(default_factory=dict)  # words of the latest pages

    def is_query(self, url: str) -> bool:
        """Whether a URL is a form that was filled in here."""
        return url in self.asked

    def is_results(self, url: str) -> bool:
        """Whether a URL is the answer to a query, or a further page of it: a list of pages, and nothing to find."""
        return url in self.asked or url in self.results

    def refuse(self, url: str, source: str) -> str:
        """Why a link from results to more results is not followed, or ""."""
        action = self.known and self._form_behind(url)
        if not action or self.is_results(url) or self._form_behind(source) != action:
            return ""
        state = self.known[action]
        fields = {each.name for each in _restored(state["form"]).fields}
        if any(NEXT_PAGE.search(name) for name in _names(url) - fields):
            if state["next"] >= MAX_NEXT_PAGES_PER_QUERY * len(state["tried"]):
                return f"form: more than {MAX_NEXT_PAGES_PER_QUERY} further pages of results per query"
            state["next"] += 1
        else:
            if state["variants"] >= MAX_VARIANTS_PER_QUERY * len(state["tried"]):
                return f"form: more than {MAX_VARIANTS_PER_QUERY} other order of results per query"
            state["variants"] += 1
        self.results[url] = action
        return ""

    def add(self, page: Page, forms: Iterable[Form]) -> None:
        """Take in the forms of a relevant page."""
        for form in forms:
            on_host = sum(host(action) == host(form.action) for action in self.known)
            if form.action in self.known or on_host >= MAX_FORMS_PER_HOST or len(self.known) >= MAX_FORMS:
                continue
            self.known[form.action] = KnownForm(
                form=tuple(form),
                source=page.url,
                depth=page.depth + 1,
                tried=[],
                waits_for="",
                finds=0,
                next=0,
                variants=0,
                closed=False,
            )

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

    def redirect_query(self, url: str, target: str, is_new: bool) -> None:
        """A query leads elsewhere: there the answer is, unless that page is known."""
        action = self.asked.get(url)
        if action and is_new:
            self.asked[target] = action
            self.known[action]["waits_for"] = target
        else:
            self.close_query(url)

    def budget(self, action: str) -> int:
        """How many queries a form may have by now."""
        return min(MAX_QUERIES_PER_FORM, FIRST_QUERIES + self.known[action]["finds"] // FINDS_PER_QUERY)

    def next_queries(self, is_known: Callable[[str], bool], rate: Callable[[str], float]) -> Iterator[FormQuery]:
        """The next query of each form that may have one; `rate` tells how well a word fits the interest."""
        for action, state in self.known.items():
            if state["closed"] or state["waits_for"]:
                continue
            if link := self._next_link(action, _restored(state["form"]), is_known, rate):
                state["waits_for"] = link.url
                yield FormQuery(link, state["depth"])

    def _next_link(
        self, action: str, form: Form, is_known: Callable[[str], bool], rate: Callable[[str], float]
    ) -> Link | None:
        state = self.known[action]
        while len(state["tried"]) < self.budget(action):
            query = self._best_query(form, state["tried"], rate)
            if query is None:
                return None
            state["tried"].append(query.label)
            url = query_url(form, {query.name: query.value})
            if url and not is_known(url):
                self.asked[url] = action
                around = f"{form.label}\t" if form.label else ""
                return Link(state["source"], url, query.label, around, kind="form")
        return None

    def _best_query(self, form: Form, tried: list[str], rate: Callable[[str], float]) -> Filling | None:
        """The query that promises most: its words are on many relevant pages that no earlier query has reached."""
        gains = {word: gain * (1 + INTEREST_WEIGHT * rate(word)) for word, gain in self._gains(set(tried)).items()}
        queries: dict[Filling, float] = {}
        for each in form.fields:
            if each.is_text:
                queries |= {Filling(each.name, word, word): gain for word, gain in gains.items() if word not in tried}
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
            there = (elsewhere.get(word, 0) + 1) / (len(others) + 2)
            gains[word] = total * here / (here + there)
        return gains

    def _form_behind(self, url: str) -> str:
        """The form of which a URL is a page of results, also the second or third; "" if there is none."""
        action = url.partition("?")[0]
        if len(action) == len(url) or action not in self.known:
            return ""
        names = _names(url)
        fields = _restored(self.known[action]["form"]).fields
        return action if any(each.name in names for each in fields if each.is_text or each.options) else ""


def _choices(each: FormField, gains: dict[str, float], tried: list[str]) -> dict[Filling, float]:
    """The choices of a list that were not tried yet, by what the words of their labels promise."""
    found: dict[Filling, float] = {}
    for value, label in each.options:
        # The first choice is often "all", with an empty value: the query without words.
        if not value or value == each.value or label in tried:
            continue
        words = common_words(label)
        found[Filling(each.name, value, label)] = max([gains.get(word, 0.0) for word in words], default=0.0)
    return {query: gain or UNKNOWN_LABEL for query, gain in found.items()}


def _names(url: str) -> set[str]:
    """The names of the parameters of a URL."""
    return {name for name, _ in parse_qsl(url.partition("?")[2], keep_blank_values=True)}


def _restored(saved: tuple[Any, ...]) -> Form:
    action, fields, label, charset, is_search = saved
    return Form(action, tuple(FormField(*each) for each in fields), label, charset, is_search)
