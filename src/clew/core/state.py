"""The state of a crawl: everything that follows from its visits, and nothing else.

No clock and no network: the same visits in the same order give the same state, whether they come from the web or from
the archive. That is what makes a resumed crawl equal to one that never stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from clew.base.codec import same_tags
from clew.config import Config
from clew.core.faults import Faults
from clew.core.forecast import Forecast
from clew.core.scoring import Scoring
from clew.core.search_sources import RecordedSearch
from clew.core.stats import Tally
from clew.core.steering import Steering, Wish
from clew.core.verdicts import Verdict, Verdicts
from clew.core.view import CrawlView
from clew.core.visit import NOT_RELEVANT, Assessor, Visit
from clew.filters import Filters
from clew.filters.forms import FormQuery
from clew.filters.scope import ScopeFilter
from clew.filters.sitemaps import Sitemaps
from clew.frontier import CrawlGraph, Frontier
from clew.frontier.frontier import Refuse
from clew.interests import Interest
from clew.parse import host
from clew.store import ReadsAgain, Record, Store, page_of
from clew.strategies import ALL, HOLD, Stale, Strategy, TextSource, _optional, name_of
from clew.strategies._optional import NewVerdict
from clew.types import Doc, Fetched, Judgement, Link, Page, UrlState

SAVED: Final = (
    *("order", "rescored_at", "reserve", "home", "tally"),
    *("sitemaps", "steering", "forecast", "strategy", "faults"),
)
"""The tags of what a checkpoint holds beside frontier, filters and strategy."""

T = TypeVar("T")


class UserLabel(NamedTuple):
    """What a user says of a page."""

    url: str
    relevant: bool
    user: str = ""


@dataclass(repr=False)  # it would be the whole crawl
class CrawlState:
    """Frontier, numbers and strategy, moved forward by one visit at a time."""

    config: Config
    interest: Interest
    strategy: Strategy
    store: Store
    frontier: Frontier
    search_source: TextSource | None = None
    tally: Tally = field(default_factory=Tally)
    order: int = 0  # of the next visit

    def __post_init__(self) -> None:
        what = self.config.what
        self.scope_filter = ScopeFilter(self.config.scope, what.seeds)
        self.sitemaps = Sitemaps.for_scope(self.config.scope)
        self.filters = Filters(self.config)
        if isinstance(self.store, ReadsAgain):
            self.store.set_content(self.filters.content)
        self.faults = Faults(self.store.note)
        self.assessor = Assessor(self.config, self.frontier, self.filters, self._terms_of, self.faults)
        self.steering = Steering(self.frontier)
        self.reserve = list(what.reserve)
        # Labels since the last `rescore_labelled`, and the candidates whose evidence they changed.
        self.pending_labels: list[tuple[Page, bool]] = []
        self._pending_users: list[str] = []  # who gave each of them
        self._touched_by_labels: list[int] = []
        self.scoring = Scoring(
            self.frontier, self.strategy, self.sitemaps, self.steering, self.tally, self._slot_for, self.faults
        )
        if self.scoring.wishes.needs_graph:
            self.frontier.graph = CrawlGraph()
        folded_url = self._folded_url if self.filters.rules else None
        self.view = CrawlView(
            self.interest.guide(), what, self.frontier, self.store, self.tally, self.search_source, folded_url
        )
        self.strategy.start(self.view)
        self.verdicts = Verdicts(self.frontier, self._apply_verdicts, self.interest)
        self.forecast = Forecast(self.frontier, self.strategy)

    # Visits

    def visit(self, slot: int, fetched: Fetched, doc: Doc) -> Visit:
        """What an answer amounts to; `apply_visit` takes it in."""
        return self.verdicts.of(self.assessor.visit(self.order, slot, fetched, doc, self.interest))

    def apply_visit(self, visit: Visit) -> str:
        """Take in a visit; if the strategy fails on it, the reason."""
        record = visit.record
        self.order = record.order + 1
        if record.is_cached:
            self.tally.from_cache()
        if visit.page is None:
            self._apply_redirect(record)
            return ""
        self.steering.visited(record.url)
        if record.state == UrlState.SITEMAP:
            self._apply_sitemap(record, visit.page)
            return ""
        self.view.current = visit.page
        problem = self._apply_page(record, visit.page, visit.doc)
        self.view.current = None
        return problem

    def judge_again(self) -> None:
        """After a visit that the store has: let the judge learn if it is time, and judge earlier pages again."""
        self.verdicts.refit_if_due()

    def finish_judging(self) -> None:
        """At the end of a run: what is handed over has the verdicts of the latest model."""
        self.verdicts.finish()

    def fail(self, visit: Visit, reason: str) -> Visit:
        """Turn a visit on which the strategy failed into a failed one. Its links stay candidates.

        This is not replayed: the next commit must have a checkpoint.
        """
        page = visit.page
        if page is None or not page.ok:
            return visit
        record = replace(visit.record, state=UrlState.FAILED, reason=reason, relevant=False)
        self.frontier.change_relevance(record.slot, 0.0, self.filters.fold_links(page.links))
        self.frontier.finish(record.slot, record.state)
        self.tally.fail(record.order)
        content = self.filters.content(visit.doc, record.order)
        return Visit(record, page_of(record, content, page.inlinks), visit.doc)

    def refuse(self, url: str, depth: int, source: str = "") -> str:
        """Why a URL, linked from that page, must not become a candidate, or ""."""
        return self.scope_filter(url, depth) or self.steering.refuse(url) or self.filters.refuse(url, source)

    def judge(self, doc: Doc) -> Judgement | None:
        """A document under the interest of now; None after a fault of parser or judge."""
        content = self.filters.content(doc, self.order)
        judgement = self.assessor.judge(content, self.interest)
        return self.verdicts.of_document(content, judgement) if judgement else None

    # What the user says

    def set_interest(self, interest: Interest) -> None:
        """Take over the interest with its threshold, once that is known."""
        self.interest = interest
        self.view.interest = interest.guide()
        self.verdicts.follow(interest)

    def apply_label(self, url: str, relevant: bool, user: str = "") -> bool:
        """Take in what the user says of a page, which overrides the judge; False while there is no such page.

        `rescore_labelled` teaches the strategy and scores candidates again, once after many labels.
        """
        page = self.view.page(url)
        if page is None or not page.ok:
            return False
        relevance = float(relevant)
        self._touched_by_labels += self.frontier.change_relevance(self.frontier.slot_for(url), relevance, page.links)
        self._set_judgement(page, Judgement(relevance, relevant, page.topics))
        self.verdicts.label(self.frontier.slot_for(url), relevant)
        self.pending_labels.append((replace(page, relevance=relevance, relevant=relevant), relevant))
        self._pending_users.append(user)
        self.view.forget()
        return True

    def steer(self, url: str, wish: Wish) -> bool:
        """Go to a page that waits next, or drop it; whether that is news."""
        if not self.steering.label(url, wish):
            return False
        self.scoring.score_urls([url])
        return True

    def change_settings(self, config: Config) -> None:
        """Go on with other settings: limits, scope and start pages; `follow_scope` brings the frontier along."""
        self.config = config
        self.assessor.config = config
        self.filters.change(config)
        self.scope_filter.change(config.scope)
        self.view.what = config.what

    def add_start_page(self, url: str, number: int) -> bool:
        """Visit a page next that the user names while the crawl runs; False if it was visited, or dropped, before."""
        self.scope_filter.add_home(url)
        slot = self.frontier.slot_for(self._folded_url(url))
        if self.frontier.state(slot) == UrlState.OUT_OF_SCOPE:
            self.frontier.readmit(slot)
        return self.steer(self.frontier.url(slot), Wish(number, True))

    def rescore_labelled(self) -> None:
        """Teach the strategy the labels, and score again what they have changed."""
        labels = self.pending_labels
        users = self._pending_users
        touched = self._touched_by_labels
        self.pending_labels = []
        self._pending_users = []
        self._touched_by_labels = []
        stale = self._ask_strategy("learn_labels", "labels", _optional.learn_labels, self.strategy, labels, users)
        self.scoring.after_page(touched, stale or ())
        self.verdicts.refit_if_due()

    def change_interest(
        self,
        interest: Interest,
        docs: Iterable[tuple[Record, Doc]],
        labels: Mapping[str, bool] | None = None,
        by_users: Sequence[UserLabel] = (),
    ) -> int:
        """Follow another interest: every page is judged again, then every candidate scored; the number of pages.

        Labels still override the judge. The strategy is told when all pages are judged.
        """
        self.set_interest(interest)
        self.filters.forms.forget_words()
        labels = labels or {}
        count = 0
        for record, doc in docs:
            count += 1
            judgement, relevance = self._judge_again(doc)
            content = self.filters.content(doc, self.order)
            self.verdicts.learn_again(record, content, judgement)
            if record.url in labels:
                self.verdicts.label(record.slot, labels[record.url])
                relevance = float(labels[record.url])
                judgement = Judgement(relevance, labels[record.url], judgement.topics)
            self.frontier.change_relevance(record.slot, relevance)
            if self.filters.forms.wanted:
                self.filters.forms.learn_words(judgement.relevant, content)
            self._set_judgement(record, judgement)
        self.view.forget()
        self.verdicts.refit()
        self.forecast.forget()
        self.frontier.reweigh_sources()
        if self._ask_strategy("interest_changed", "the new interest", _optional.interest_changed, self.strategy):
            self._teach(labels, by_users)
        self.scoring.after_page([], ALL)
        return count

    def teach_strategy(self, labels: Mapping[str, bool], by_users: Sequence[UserLabel] = ()) -> None:
        """Another strategy goes on from here: it learns from all pages and labels."""
        self._teach(labels, by_users)
        self.scoring.after_page([], ALL)

    # Links that come without a visit

    def add_new_links(self, record: Record, links: tuple[Link, ...], relevance: float) -> int:
        """Take in the links that a visited page has got since and that lead to unknown URLs; how many they are.

        This is not replayed: the next commit must have a checkpoint. The graph of links stays as the crawl saw it.
        """
        fresh, _ = self.frontier.add(self.unknown(links), record.depth + 1, relevance, self.refuse)
        self.scoring.after_page(fresh, ())
        return len(fresh)

    def apply_change(self, record: Record, doc: Doc, judgement: Judgement, labelled: bool = False) -> int:
        """Take in the new version of a visited page, as a recrawl found it; the number of its new links.

        The relevance of the page changes for the candidates that it links to, unless the user has labelled it, and the
        strategy learns of the change. The record of the visit stays as it is. Like new links, this is not replayed.
        """
        relevance = self.view.interest.value(judgement.topics)
        if labelled:
            relevance = self.frontier.relevance_of(record.url)
        links = self.filters.fold_links(doc.links)
        new = self.unknown(links)
        fresh, _ = self.frontier.add(new, record.depth + 1, relevance, self.refuse)
        touched = self.frontier.change_relevance(record.slot, relevance, links)
        changed = replace(
            record,
            title=doc.title,
            language=doc.language,
            relevance=relevance,
            relevant=judgement.relevant,
            topics=judgement.topics,
        )
        before = self.view.page(record.url)
        page = page_of(changed, self.filters.content(doc, record.order), before.inlinks if before else ())
        page = replace(page, links=links)
        new_urls = [self.frontier.url(slot) for slot in fresh]
        stale = self._ask_strategy("learn_change", record.url, _optional.learn_change, self.strategy, page, new_urls)
        self.scoring.after_page([*fresh, *touched], stale or ())
        return len(fresh)

    def unknown(self, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """Those of the links that lead to URLs the crawl has never seen; sitemaps of sitemaps are not followed here."""
        if self.sitemaps.list_sitemaps(links):
            return ()
        folded = self.filters.fold_links(links)
        return tuple([link for link in folded if self.frontier.find(link.url) is None])

    def add_urls(self, urls: Iterable[str]) -> None:
        """Score these URLs, known or not."""
        self.scoring.score_urls(urls)

    # Before a choice

    def rescore_best(self) -> None:
        """Score the best few again, if the strategy asks for it."""
        self.scoring.score_best()

    def unblock(self) -> bool:
        """Nothing can be fetched: look whether what is held back, the reserve or more visits of a host help."""
        if self.frontier.waiting and self.scoring.score_all():
            return True
        if self.reserve:
            reserve = self.reserve
            self.reserve = []
            self.add_urls(reserve)
            return True
        return self._extend_budgets()

    def allow(self, name: str) -> None:
        """Let a host have what its budget leaves, where there are budgets."""
        if self.filters.budgets.first:
            self.frontier.allow(name, self.filters.budgets.left(name))

    # Checkpoints

    @property
    def has_unsaved_change(self) -> bool:
        """Whether something has changed that a replay would not repeat: the next commit needs a checkpoint."""
        return self.faults.is_unsaved or self.verdicts.is_unsaved

    def saved(self) -> None:
        """A checkpoint holds everything."""
        self.faults.is_unsaved = False
        self.verdicts.is_unsaved = False

    def know_spellings(self, spellings: Mapping[str, str]) -> None:
        """Before `load`, in a folder of an earlier version: links lead to the URLs as that version spelled them."""
        self.filters.spellings = spellings
        if spellings:
            self.view.folded_url = self._folded_url

    def save(self) -> dict[str, bytes]:
        """Everything but texts, under fixed tags."""
        numbers: dict[str, object] = {
            "order": self.order,
            "rescored_at": self.scoring.rescored_at,
            "reserve": self.reserve,
            "home": sorted(self.scope_filter.home),
            "tally": self.tally.save(),
            "sitemaps": self.sitemaps.read,
            "steering": self.steering.wishes,
            "forecast": self.forecast.save(),
            "strategy": name_of(self.strategy),
            "faults": self.faults.count,
        }
        parts = {"strategy": self.strategy.save(), "state": json.dumps(numbers).encode(), "judge": self.verdicts.save()}
        return {**self.frontier.save(), **self.filters.save(), **parts}

    def load(self, parts: Mapping[str, bytes], labels: Mapping[str, bool], by_users: Sequence[UserLabel] = ()) -> None:
        """Take over what `save` gave; the labels are for a strategy that goes on from another one's crawl."""
        saved: dict[str, Any] = json.loads(parts["state"])
        same_tags("the crawl", saved, SAVED)
        self.frontier.load(parts)
        self.tally.load(saved["tally"])
        self.order = saved["order"]
        self.faults.count = saved["faults"]
        self.scoring.rescored_at = saved["rescored_at"]
        self.reserve = saved["reserve"]
        self.scope_filter.home = set(saved["home"])
        self.sitemaps.read = saved["sitemaps"]
        self.steering.load(saved["steering"])
        self.forecast.load(saved["forecast"])
        self.filters.load(parts)
        self.verdicts.load(parts["judge"])
        for name in self.filters.budgets.visits:
            self.allow(name)
        if saved["strategy"] == name_of(self.strategy):
            self.strategy.load(parts["strategy"])
        else:
            self.teach_strategy(labels, by_users)

    def _apply_page(self, record: Record, found: Page, doc: Doc) -> str:
        page = self._with_known_links(found)
        content = self.filters.content(doc, record.order)
        queries: list[FormQuery] = []
        if self.filters.forms.wanted:
            self.filters.forms.record_visit(page, content, doc.forms, record.state == UrlState.REFUSED)
            queries = self._next_queries()
            # The strategy learns from the page with all its links.
            own = [query.link for query in queries if query.link.source == page.url]
            page = replace(page, links=(*page.links, *own)) if own else page
        touched = self._apply_links(record, page)
        touched += self._apply_queries([query for query in queries if query.link.source != page.url])
        self._count(record, page)
        is_start = record.depth == 0
        changed_hosts = self.filters.record_visit(record.slot, record.state, record.relevant, content, is_start)
        if record.state == UrlState.FETCHED:
            self.filters.learn_boilerplate(doc, record.order)
        self._refresh_hosts(changed_hosts, page.url)
        if page.relevant and isinstance(self.search_source, RecordedSearch):
            self.search_source.read(content)
        stale = self._learn(page)
        problem = self.faults.last if stale is None else ""
        self.scoring.after_page(touched, stale or ())
        robots = self.sitemaps.begin(page.url) if page.relevant else ""
        if robots and not self.scope_filter.denial(robots):
            self.scoring.score_slots([self.frontier.slot_for(robots)])
        if record.state != UrlState.REFUSED:
            visited = self.tally.visited
            self._ask_strategy("chances", page.url, self.forecast.record_visit, record.slot, page.relevant, visited)
        self.verdicts.learn(record, page)
        return problem

    def _with_known_links(self, page: Page) -> Page:
        """A page whose links lead to the URLs under which their pages are known."""
        links = self.filters.fold_links(self.sitemaps.within(page.url, page.links))
        return page if links is page.links else replace(page, links=links)

    def _apply_links(self, record: Record, page: Page) -> list[int]:
        """Into the frontier with a page's links; the candidates to score again."""
        relevance = self.view.interest.value(page.topics) if page.ok else 0.0
        refuse: Refuse = partial(self.refuse, source=page.url)
        if self.sitemaps.list_sitemaps(page.links):
            refuse = self.scope_filter.sitemap
        fresh, again = self.frontier.add(page.links, page.depth + 1, relevance, refuse, record.slot)
        self.frontier.finish(record.slot, record.state, relevance)
        return fresh if self.scoring.wishes.inlinks_only else fresh + again

    def _next_queries(self) -> list[FormQuery]:
        """What forms are asked next."""
        return list(self.filters.forms.next_queries(self._has_slot, self.view.interest.rate))

    def _has_slot(self, url: str) -> bool:
        return self.frontier.find(url) is not None

    def _apply_queries(self, queries: Sequence[FormQuery]) -> list[int]:
        """Into the frontier with queries of forms on pages that were visited before; the new candidates."""
        fresh: list[int] = []
        for query in queries:
            relevance = self.frontier.relevance_of(query.link.source)
            fresh += self.frontier.add([query.link], query.depth, relevance, self.refuse)[0]
        return fresh

    def _apply_sitemap(self, record: Record, page: Page) -> None:
        """Into the frontier with what a sitemap or robots.txt lists; it is no page, so nobody learns from it."""
        page = replace(page, links=self.sitemaps.with_guess(page))
        touched = self._apply_links(record, self._with_known_links(page))
        self.tally.sitemap(record.transferred)
        # Budgets are for pages: the host gets this visit back.
        self.allow(host(page.url))
        self.scoring.after_page(touched, ())

    def _apply_redirect(self, record: Record) -> None:
        is_start = record.depth == 0 and not record.is_robots_file
        if is_start:
            # A start page's new address is as good as the old one.
            self.scope_filter.add_home(record.location)
        was_known = self.frontier.find(record.location) is not None
        hops = self.frontier.hops(record.slot)
        refuse: Refuse = partial(self.scope_filter.of_start_page, record.url) if is_start else self.refuse
        touched = self.frontier.redirect(record.slot, record.location, refuse)
        self.frontier.finish(record.slot, UrlState.REDIRECTED)
        self.steering.visited(record.url, record.location)
        self.frontier.set(touched, [max(record.score, self.frontier.score(slot)) for slot in touched])
        self.tally.redirect(record.transferred)
        changed_hosts = self.filters.redirect(record.url, record.location, hops, was_known, is_start)
        self._refresh_hosts(changed_hosts, record.url)
        if self.filters.forms.wanted:
            self.filters.forms.redirect_query(record.url, record.location, not was_known)
            self.scoring.score_slots(self._apply_queries(self._next_queries()))

    def _count(self, record: Record, page: Page) -> None:
        if record.state == UrlState.REFUSED:
            self.tally.refuse()
        else:
            self.tally.visit(page, record.transferred, duplicate=record.state == UrlState.DUPLICATE)

    def _teach(self, labels: Mapping[str, bool], by_users: Sequence[UserLabel]) -> None:
        """A strategy that knows nothing yet learns from all pages and labels."""
        for page in self.view.pages():
            self._learn(page)
            self.faults.check()
        given = [UserLabel(url, relevant) for url, relevant in labels.items()]
        if by_users and _optional.tells_users_apart(self.strategy):
            # Users may disagree about a page: each verdict counts for the one who gave it.
            given = list(by_users)
        found = [(self.view.page(label.url), label) for label in given]
        labelled = [(page, label.relevant) for page, label in found if page]
        users = [label.user for page, label in found if page]
        if labelled:
            self._ask_strategy("learn_labels", "labels", _optional.learn_labels, self.strategy, labelled, users)

    def _learn(self, page: Page) -> Stale | None:
        """Teach the strategy a page; None if it fails on it."""
        return self._ask_strategy("learn", page.url, _optional.learn, self.strategy, page)

    def _ask_strategy(self, task: str, where: str, function: Callable[..., T], *args: Any) -> T | None:
        return self.faults.attempt("strategy", task, where, function, *args)

    def _judge_again(self, doc: Doc) -> tuple[Judgement, float]:
        """The judgement of a page that was fetched before, and its relevance to the strategy; 0 after a fault."""
        judgement = self.judge(doc)
        self.faults.check()
        if judgement is None:
            return NOT_RELEVANT, 0.0
        return judgement, self.view.interest.value(judgement.topics)

    def _apply_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Pages that were visited before are judged anew.

        This is not replayed: the next commit must have a checkpoint.
        """
        self.store.set("cut", repr(self.verdicts.cut))
        for slot, order, judgement in verdicts:
            self.frontier.change_relevance(slot, judgement.relevance)
            self.store.judge(order, self.frontier.url(slot), judgement)
            self.tally.judge(order, judgement.relevant)
        self.view.forget()
        entries = self.frontier.entries([slot for slot, _, _ in verdicts])
        pairs = zip(entries, verdicts, strict=True)
        news = [NewVerdict(entry.url, entry.links, verdict.judgement.relevance) for entry, verdict in pairs]
        stale = self._ask_strategy("learn_verdicts", "new verdicts", _optional.learn_verdicts, self.strategy, news)
        self.scoring.after_page([], stale or ())

    def _set_judgement(self, page: Page | Record, judgement: Judgement) -> None:
        self.store.judge(page.order, page.url, judgement)
        self.tally.judge(page.order, judgement.relevant)

    def _refresh_hosts(self, changed_hosts: Iterable[str], url: str) -> None:
        """After a visit: the budget of its host, and the candidates of hosts where a rule was learnt."""
        self.allow(host(url))
        for name in changed_hosts:
            seen: set[str] = set()
            for slot, candidate in self.frontier.queued_on(name):
                target = self.filters.fold(candidate)
                is_known = target in seen or self.frontier.find(target) is not None
                seen.add(target)
                if target != candidate and is_known:
                    self.frontier.exclude(slot, f"same as {target}")
                elif reason := self.filters.refuse(candidate):
                    self.frontier.exclude(slot, reason)

    def _terms_of(self, url: str) -> Mapping[str, int]:
        page = self.view.page(url)
        return page.terms if page else {}

    def _slot_for(self, url: str) -> int:
        return self.frontier.slot_for(self._folded_url(url), refuse=self.refuse)

    def _folded_url(self, url: str) -> str:
        """The URL itself if it has a slot, else the one under which its page is known."""
        return url if self.frontier.find(url) is not None else self.filters.fold(url)

    def _extend_budgets(self) -> bool:
        """Another portion for the good hosts whose budget is spent."""
        for name in self.filters.budgets.extend(self.filters.home_hosts):
            self.allow(name)
        return self.frontier.best() > HOLD
