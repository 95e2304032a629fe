"""The state of a crawl: everything that follows from its visits, and nothing else.

No clock and no network: the same visits in the same order give the same state, whether they come from the web or from
the archive. That is what makes a resumed crawl equal to one that never stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from clew.base.codec import same_tags
from clew.config import Config
from clew.core.correspondence import Correspondence
from clew.core.faults import Faults
from clew.core.forecast import Forecast
from clew.core.form_candidates import FormCandidates
from clew.core.host_limits import HostLimits
from clew.core.media import doc_by_links, link_language
from clew.core.port import Alone, Home, Letter, Port, at_home
from clew.core.scoring import Scoring
from clew.core.search_sources import RecordedSearch
from clew.core.stats import Tally
from clew.core.steering import Steering, Wish
from clew.core.teaching import Teaching, UserLabel
from clew.core.verdicts import Verdict, Verdicts
from clew.core.view import CrawlView
from clew.core.visit import Assessor, Visit
from clew.filters import Filters
from clew.filters.scope import ScopeFilter
from clew.filters.sitemaps import Sitemaps
from clew.frontier import CrawlGraph, Frontier
from clew.frontier.frontier import Refuse
from clew.interests import CrawlJudge, Interest
from clew.interests.telling_words import TELLING_WORDS, TellingWords
from clew.parse import host
from clew.store import KeepsReasons, ReadsAgain, Record, Store, page_of
from clew.strategies import Strategy, TextSource, _optional, name_of
from clew.strategies._optional import NewVerdict
from clew.types import Doc, Fetched, Judgement, Page, UrlState

SAVED: Final = (
    *("order", "rescored_at", "reserve", "home", "tally"),
    *("sitemaps", "steering", "forecast", "strategy", "faults", "rescoring"),
)
"""The tags of what a checkpoint holds beside frontier, filters and strategy."""


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
    port: Port = field(default_factory=Alone)

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
        self.scoring = Scoring(
            self.frontier, self.strategy, self.sitemaps, self.steering, self.tally, self._slot_for, self.faults
        )
        self.is_unblocked = False  # whether a change is unsaved that came while nothing could be fetched
        if self.scoring.wishes.needs_graph:
            self.frontier.graph = CrawlGraph()
        folded_url = self._folded_url if self.filters.rules else None
        self.view = CrawlView(
            self.interest.guide(), what, self.frontier, self.store, self.tally, self.search_source, folded_url
        )
        self.teaching = Teaching(self.strategy, self.view, self.faults)
        self.correspondence = Correspondence(
            self.frontier, self.filters, self.scope_filter, self.sitemaps, self.teaching, self.refuse, lambda: self.port
        )
        self.host_limits = HostLimits(self.frontier, self.filters)
        self.form_candidates = FormCandidates(self.filters, self.frontier, self.view, self.refuse)
        self.strategy.start(self.view)
        self.verdicts = Verdicts(self.frontier, self._apply_verdicts, self.interest, self._keep_words)
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

    def receive(self, letters: Sequence[Letter]) -> None:
        """Take in a piece of mail from another shard; between two visits, as a visit is taken in.

        What it touches is scored once: a call of the strategy costs as much as some hundred candidates.
        """
        self.scoring.after_page(*self.correspondence.receive(letters))

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

    def read(self, doc: Doc) -> Doc:
        """What the judge reads of a document that was visited."""
        if not doc.media:
            return self.filters.content(doc, self.order)
        slot = self.frontier.find(doc.url)
        inlinks = () if slot is None else self.frontier.entries([slot])[0].links
        return doc_by_links(doc, inlinks, link_language(self.interest))

    def judge(self, doc: Doc) -> Judgement | None:
        """A document under the interest of now; None after a fault of parser or judge."""
        content = self.read(doc)
        judgement = self.assessor.judge(content, self.interest)
        return self.verdicts.of_document(content, judgement) if judgement else None

    # What the user says

    def set_interest(self, interest: Interest) -> None:
        """Take over the interest with its threshold, once that is known."""
        self.interest = interest
        self.view.interest = interest.guide()
        self.verdicts.follow(interest)

    def set_judgement(self, page: Page | Record, judgement: Judgement) -> None:
        """Let another judgement of a visited page count."""
        self.store.judge(page.order, page.url, judgement)
        self.tally.judge(page.order, judgement.relevant)

    def steer(self, url: str, wish: Wish) -> bool:
        """Go to a page that waits next, or drop it; whether that is news."""
        if not self.steering.label(url, wish):
            return False
        self.scoring.score_urls([url])
        return True

    def favour(self, hosts: Iterable[str]) -> int:
        """Let the candidates of these hosts, and of no others, come before all others; how many there are."""
        wanted = set(hosts)
        changed = wanted ^ self.steering.favoured
        self.steering.favoured = wanted
        slots = [slot for name in sorted(changed) for slot, _ in self.frontier.queued_on(name)]
        self.scoring.score_slots(slots)
        return sum(len(self.frontier.queued_on(name)) for name in wanted)

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

    def teach_strategy(self, labels: Mapping[str, bool], by_users: Sequence[UserLabel] = ()) -> None:
        """Another strategy goes on from here: it learns from all pages and labels."""
        self.teaching.everything(labels, by_users)
        self.scoring.score_all()

    # Links that come without a visit

    def add_urls(self, urls: Iterable[str]) -> None:
        """Score these URLs, known or not, as far as this shard visits them."""
        self.scoring.score_urls(at_home(self.port, urls))

    # Before a choice

    def rescore_best(self) -> None:
        """Score the best few again, if the strategy asks for it."""
        self.scoring.score_best()

    def unblock(self) -> bool:
        """Nothing can be fetched: look whether what is held back, the reserve or more visits of a host help."""
        helps = self._unblock()
        # A replay does not know which letters came before this moment, and which after.
        self.is_unblocked |= helps and not self.port.is_alone
        return helps

    # Checkpoints

    @property
    def has_unsaved_change(self) -> bool:
        """Whether something has changed that a replay would not repeat: the next commit needs a checkpoint."""
        return self.faults.is_unsaved or self.is_unblocked

    def saved(self) -> None:
        """A checkpoint holds everything."""
        self.frontier.saved()
        self.filters.saved()
        self.faults.is_unsaved = False
        self.is_unblocked = False

    def know_spellings(self, spellings: Mapping[str, str]) -> None:
        """Before `load`, in a folder of an earlier version: links lead to the URLs as that version spelled them."""
        self.filters.spellings = spellings
        if spellings:
            self.view.folded_url = self._folded_url

    def save(self) -> dict[str, bytes | None]:
        """Everything but texts, under fixed tags; None where the last checkpoint has it already."""
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
            "rescoring": self.scoring.rescoring.save(),
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
        self.scoring.rescoring.load(saved["rescoring"])
        self.reserve = saved["reserve"]
        self.scope_filter.home = set(saved["home"])
        self.sitemaps.read = saved["sitemaps"]
        self.steering.load(saved["steering"])
        self.forecast.load(saved["forecast"])
        self.filters.load(parts)
        self.verdicts.load(parts["judge"])
        self.host_limits.allow_all()
        if saved["strategy"] == name_of(self.strategy):
            self.strategy.load(parts["strategy"])
        else:
            self.teach_strategy(labels, by_users)

    def _unblock(self) -> bool:
        if self.frontier.waiting and self.scoring.score_all():
            return True
        if self.reserve:
            reserve = self.reserve
            self.reserve = []
            self.add_urls(reserve)
            return True
        return self.host_limits.extend()

    def _apply_page(self, record: Record, found: Page, doc: Doc) -> str:
        page = self._with_known_links(found)
        content = self.filters.content(doc, record.order)
        queries = self.form_candidates.after_page(page, content, doc.forms, record.state == UrlState.REFUSED)
        own = [query.link for query in queries if query.link.source == page.url]
        if own:
            # The strategy learns from the page with all its links.
            page = replace(page, links=(*page.links, *own))
        touched = self._apply_links(record, page)
        touched += self.form_candidates.add([query for query in queries if query.link.source != page.url])
        self._count(record, page)
        is_start = record.depth == 0
        changed_hosts = self.filters.record_visit(record.slot, record.state, record.relevant, content, is_start)
        if record.state == UrlState.FETCHED and not record.is_media:
            self.filters.learn_boilerplate(doc, record.order)
        self.host_limits.after_visit(page.url, changed_hosts)
        if page.relevant and isinstance(self.search_source, RecordedSearch):
            self.search_source.read(content)
        stale = self.teaching.page(page)
        problem = self.faults.last if stale is None else ""
        if not self.port.is_alone:
            self.correspondence.send_links(page)
            self.correspondence.send_lesson()
        self.scoring.after_page(touched, stale or ())
        robots = self.sitemaps.begin(page.url) if page.relevant else ""
        if robots and not self.scope_filter.denial(robots):
            self.scoring.score_slots([self.frontier.slot_for(robots)])
        if record.state != UrlState.REFUSED:
            visited = self.tally.visited
            looked = (record.slot, page.relevant, visited)
            self.faults.attempt("strategy", "chances", page.url, self.forecast.record_visit, *looked)
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
        links, _ = self.port.split(page.links)
        fresh, again = self.frontier.add(links, page.depth + 1, relevance, refuse, record.slot)
        self.frontier.finish(record.slot, record.state, relevance)
        return fresh if self.scoring.wishes.inlinks_only else fresh + again

    def _apply_sitemap(self, record: Record, page: Page) -> None:
        """Into the frontier with what a sitemap or robots.txt lists; it is no page, so nobody learns from it."""
        page = replace(page, links=self.sitemaps.with_guess(page))
        page = self._with_known_links(page)
        touched = self._apply_links(record, page)
        self.correspondence.send_links(page)
        self.tally.sitemap(record.transferred)
        # Budgets are for pages: the host gets this visit back.
        self.host_limits.allow(host(page.url))
        self.scoring.after_page(touched, ())

    def _apply_redirect(self, record: Record) -> None:
        is_start = record.depth == 0 and not record.is_robots_file
        if is_start:
            # A start page's new address is as good as the old one.
            self.scope_filter.add_home(record.location)
            self.port.send(None, Home(record.location))
        was_known = self.frontier.find(record.location) is not None
        hops = self.frontier.hops(record.slot)
        refuse: Refuse = partial(self.scope_filter.of_start_page, record.url) if is_start else self.refuse
        touched = self.correspondence.redirect(record, refuse)
        self.frontier.finish(record.slot, UrlState.REDIRECTED)
        self.steering.visited(record.url, record.location)
        self.frontier.set(touched, [max(record.score, self.frontier.score(slot)) for slot in touched])
        self.tally.redirect(record.transferred)
        changed_hosts = self.filters.redirect(record.url, record.location, hops, was_known, is_start)
        self.host_limits.after_visit(record.url, changed_hosts)
        queries = self.form_candidates.after_redirect(record.url, record.location, is_new=not was_known)
        self.scoring.after_page(queries, ())

    def _count(self, record: Record, page: Page) -> None:
        if record.state == UrlState.REFUSED:
            self.tally.refuse()
        else:
            self.tally.visit(page, record.transferred, duplicate=record.state == UrlState.DUPLICATE)

    def _apply_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Pages that were visited before are judged anew."""
        self.store.set("cut", repr(self.verdicts.cut))
        for slot, order, judgement in verdicts:
            self.frontier.change_relevance(slot, judgement.relevance)
            self.store.judge(order, self.frontier.url(slot), judgement)
            self.tally.judge(order, judgement.relevant)
        self.view.forget()
        entries = self.frontier.entries([slot for slot, _, _ in verdicts])
        pairs = zip(entries, verdicts, strict=True)
        news = [NewVerdict(entry.url, entry.links, verdict.judgement.relevance) for entry, verdict in pairs]
        stale = self.teaching.ask("learn_verdicts", "new verdicts", _optional.learn_verdicts, news)
        self.scoring.after_page([], stale or ())

    def _keep_words(self, judge: CrawlJudge) -> None:
        """Keep what the judge has learned where it explains pages to readers."""
        if isinstance(self.store, KeepsReasons) and (words := TellingWords.of_judge(judge)):
            self.store.set(TELLING_WORDS, words.dumps())

    def _terms_of(self, url: str) -> Mapping[str, int]:
        page = self.view.page(url)
        return page.terms if page else {}

    def _slot_for(self, url: str) -> int:
        return self.frontier.slot_for(self._folded_url(url), refuse=self.refuse)

    def _folded_url(self, url: str) -> str:
        """The URL itself if it has a slot, else the one under which its page is known."""
        return url if self.frontier.find(url) is not None else self.filters.fold(url)
