"""The course of a crawl: everything that follows from its visits, and nothing else.

No clock and no network: the same visits in the same order give the same course, whether they come from the web or from
the archive. That is what makes a resumed crawl (`replay`) equal to one that never stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from clew.config import Config
from clew.core.forecast import Forecast
from clew.core.stats import Tally
from clew.core.view import CrawlView
from clew.filters import Filters
from clew.filters.scope import ScopeFilter
from clew.filters.sitemaps import Sitemaps
from clew.frontier import Frontier, State, Web
from clew.interests import Interest
from clew.parse import host
from clew.store import Record, Store
from clew.strategies import ALL, HOLD, LinkSource, Stale, Strategy
from clew.types import Candidate, Doc, Judgement, Link, Page


@dataclass(repr=False)  # it would be the whole crawl
class CrawlState:
    """Frontier, numbers and strategy, moved forward by one visit at a time."""

    config: Config
    interest: Interest
    strategy: Strategy
    store: Store
    frontier: Frontier
    link_source: LinkSource | None = None
    tally: Tally = field(default_factory=Tally)
    order: int = 0  # of the next visit
    rescored_at: int = 0  # visits at the last time that everything was scored

    def __post_init__(self) -> None:
        what = self.config.what
        self.scope_filter = ScopeFilter(self.config.scope, what.seeds)
        self.sitemaps = Sitemaps(self.config.scope.sitemaps)
        self.filters = Filters(self.config)
        self.reserve = list(what.reserve)
        self.pending_labels: list[tuple[list[int], Stale]] = []  # labels since the last `heed`: what each has changed
        if self.strategy.graph:
            self.frontier.web = Web()
        folded_url = self._folded_url if self.filters.rules else None
        self.view = CrawlView(
            self.interest.guide(), what, self.frontier, self.store, self.tally, self.link_source, folded_url
        )
        self.strategy.start(self.view)
        self.forecast = Forecast(self.frontier, self.strategy)

    def set_interest(self, interest: Interest) -> None:
        """Take over the interest with its threshold, once that is known."""
        self.interest = interest
        self.view.interest = interest.guide()

    def apply_visit(self, record: Record, page: Page | None, doc: Doc | None = None) -> None:
        """Take in a visit, with what the parser made of it; a redirect has no page."""
        self.order = record.order + 1
        if page is None:
            return self._redirect(record)
        if (links := self.filters.fold_links(self.sitemaps.within(page.url, page.links))) is not page.links:
            page = replace(page, links=links)
        relevance = self.view.interest.value(page.topics) if page.ok else 0.0
        refuse = (
            self.scope_filter.sitemap
            if self.sitemaps.list_sitemaps(page.links)
            else partial(self.refuse, source=page.url)
        )
        fresh, again = self.frontier.add(page.links, page.depth + 1, relevance, refuse, record.slot)
        self.frontier.finish(record.slot, State.from_text(record.state), relevance)
        if record.state == State.REFUSED.text:
            self.tally.refuse()
        else:
            self.tally.visit(page, record.bytes, duplicate=record.state == State.DUPLICATE.text)
        seen, first = doc or Doc(page.url), record.depth == 0
        self._tidy(self.filters.record_visit(record.slot, record.state, record.relevant, seen, first), page.url)
        self._rescore(fresh if self.strategy.inlinks_only else fresh + again, self.strategy.learn(page) or ())
        if page.ok and (robots := self.sitemaps.begin(page.url)):
            self._score([slot for slot in [self.frontier.slot_for(robots)] if self.frontier.is_queued(slot)])
        if record.state != State.REFUSED.text:
            self.forecast.record_visit(record.slot, page.relevant, self.tally.visited)

    def refuse(self, url: str, depth: int, source: str = "") -> str:
        """Why a URL, linked from that page, must not become a candidate, or ""."""
        return self.scope_filter(url, depth) or self.filters.refuse(url, source)

    def fault(self, doc: Doc) -> tuple[State, str] | None:
        """State and reason of a document that does not count: it repeats another page, or says that there is none."""
        twin, error = self.filters.examine(doc)
        if error:
            return State.FAILED, error
        return None if twin is None else (State.DUPLICATE, f"same as {self.frontier.entries([twin])[0].url}")

    def judge(self, doc: Doc) -> Judgement:
        """A document under the interest; one that wants no place in an index is not found."""
        judged = self.interest.judge(doc)
        return judged._replace(relevant=False) if doc.noindex and self.config.scope.noindex == "drop" else judged

    def apply_label(self, url: str, relevant: bool) -> bool:
        """Take in what the user says of a page, which overrides the judge; False while there is no such page.

        Candidates are scored again by `heed`, once after many labels.
        """
        page = self.view.page(url)
        if page is None or not page.ok:
            return False
        touched = self.frontier.relevance.change(self.frontier.slot_for(url), float(relevant), page.links)
        self._judge(page, Judgement(float(relevant), relevant, page.topics))
        page = replace(page, relevance=float(relevant), relevant=relevant)
        self.view.forget()
        self.pending_labels.append((touched, self.strategy.learn_label(page, relevant) or ()))
        return True

    def rescore_labelled(self) -> None:
        """Score again what labels have changed."""
        heard, self.pending_labels = self.pending_labels, []
        touched, stale = [slot for slots, _ in heard for slot in slots], list[str]()
        for _, each in heard:
            if each is ALL:
                return self._rescore(touched, ALL)
            stale += each
        self._rescore(touched, stale)

    def add_new_links(self, record: Record, links: tuple[Link, ...], relevance: float) -> int:
        """Take in the links that a visited page has got since, and that lead to unknown URLs; how many they were.

        It is not replayed: the next commit must have a checkpoint. The graph of links stays as the crawl saw it.
        """
        web, self.frontier.web = self.frontier.web, None
        links = self.unknown(links)
        fresh, _ = self.frontier.add(links, record.depth + 1, relevance, self.refuse, record.slot)
        self.frontier.web = web
        self._rescore(fresh, ())
        return len(fresh)

    def unknown(self, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """Those of the links that lead to URLs the crawl has never seen; lists of lists are not followed here."""
        folded = () if self.sitemaps.list_sitemaps(links) else self.filters.fold_links(links)
        return tuple([link for link in folded if self.frontier.table.find(link.url) is None])

    def change_interest(
        self, interest: Interest, docs: Iterable[tuple[Record, Doc]], said: Mapping[str, bool] | None = None
    ) -> int:
        """Follow another interest: every page is judged again, then every candidate scored; the number of pages.

        What the user has said of a page still overrides the judge. The strategy is told when all are judged.
        """
        self.set_interest(interest)
        count, said = 0, said or {}
        for record, doc in docs:
            count += 1
            judged = self.judge(doc)
            relevance = self.view.interest.value(judged.topics)
            if record.url in said:
                relevance = float(said[record.url])
                judged = Judgement(relevance, said[record.url], judged.topics)
            self.frontier.relevance.change(record.slot, relevance, ())
            self._judge(record, judged)
        self.view.forget()
        self.forecast.forget()
        self.frontier.relevance.weigh()
        if self.strategy.interest_changed():
            self._teach(said)
        self._rescore([], ALL)
        return count

    def teach_strategy(self, said: Mapping[str, bool]) -> None:
        """Another strategy goes on from here, with what the user has said of pages."""
        self._teach(said)
        self._rescore([], ALL)

    def add_urls(self, urls: Iterable[str], touched: Sequence[int] = ()) -> None:
        """Score these URLs, known or not, beside what a page has touched."""
        named = (self.frontier.slot_for(self._folded_url(url), refuse=self.refuse) for url in urls)
        self._score([slot for slot in dict.fromkeys((*touched, *named)) if self.frontier.is_queued(slot)])

    def rescore_best(self) -> None:
        """Before a choice: score the best few again, if the strategy asks for it."""
        if self.strategy.rescore_top:
            self._score(self.frontier.queues.tops(self.strategy.rescore_top))

    def unblock(self) -> bool:
        """Nothing can be fetched: look whether what is held back, or the reserve, helps."""
        if self.frontier.waiting:
            self.frontier.set_all(self._value)
            if self.frontier.best() > HOLD:
                return True
        reserve, self.reserve = self.reserve, []
        self.add_urls(reserve)
        return bool(reserve) or self._extend()

    def allow(self, name: str) -> None:
        """Let a host have what its budget leaves, where there are budgets."""
        if self.filters.budgets.first:
            self.frontier.allow(name, self.filters.budgets.left(name))

    def _teach(self, said: Mapping[str, bool]) -> None:
        """A strategy that knows nothing yet learns from all pages, and hears what the user has said of them."""
        for page in self.view.pages():
            self.strategy.learn(page)
        for url, relevant in said.items():
            if labelled := self.view.page(url):
                self.strategy.learn_label(labelled, relevant)

    def _judge(self, page: Page | Record, judgement: Judgement) -> None:
        self.store.judge(page.order, page.url, judgement)
        self.tally.judge(page.order, judgement.relevant)

    def _redirect(self, record: Record) -> None:
        first = record.depth == 0 and not record.url.endswith("/robots.txt")
        if first:
            self.scope_filter.add_home(record.location)  # a start page's new address is as good as the old one
        known, hops = self.frontier.table.find(record.location) is not None, self.frontier.table.hops[record.slot]
        touched = self.frontier.redirect(record.slot, record.location, self.scope_filter if first else self.refuse)
        self.frontier.finish(record.slot, State.REDIRECTED)
        self.frontier.set(touched, [max(record.score, self.frontier.table.score[slot]) for slot in touched])
        self.tally.redirect(record.bytes)
        self._tidy(self.filters.redirect(record.url, record.location, hops, known, first), record.url)

    def _tidy(self, hosts: Iterable[str], url: str) -> None:
        """After a visit: the budget of its host, and the candidates of hosts where a rule was learnt."""
        self.allow(host(url))
        for name in hosts:
            kept = set[str]()
            for slot, candidate in self.frontier.queued_on(name):
                target = self.filters.fold(candidate)
                same = target != candidate and (target in kept or self.frontier.table.find(target) is not None)
                kept.add(target)
                if reason := f"same as {target}" if same else self.filters.refuse(candidate):
                    self.frontier.exclude(slot, reason)

    def _folded_url(self, url: str) -> str:
        """The URL itself if it has a slot, else that under which its page goes."""
        return url if self.frontier.table.find(url) is not None else self.filters.fold(url)

    def _extend(self) -> bool:
        """Another portion for the good hosts whose budget is spent."""
        for name in self.filters.budgets.extend(self.filters.home_hosts):
            self.allow(name)
        return self.frontier.best() > HOLD

    def _rescore(self, touched: list[int], stale: Stale) -> None:
        """What the page touched, what the strategy names, and at times everything."""
        if stale is not ALL:
            self.add_urls(stale, touched)
        if stale is ALL or (
            self.strategy.rescore_all_every and self.tally.visited - self.rescored_at >= self.strategy.rescore_all_every
        ):
            self.rescored_at = self.tally.visited
            self.frontier.set_all(self._value)

    def _score(self, slots: list[int]) -> None:
        if slots:
            self.frontier.set(slots, self._value(self.frontier.candidates(slots)))

    def _value(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        return self.sitemaps.first(candidates, self.strategy.score(candidates))
