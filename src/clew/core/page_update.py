"""What a later version of a visited page changes in the crawl: new links, another relevance.

None of this is replayed: the next commit must have a checkpoint. The graph of links stays as the crawl saw it.
"""

from __future__ import annotations

from dataclasses import replace

from clew.core.port import News
from clew.core.state import CrawlState
from clew.store import Record, page_of
from clew.strategies import _optional
from clew.types import Doc, Judgement, Link, Page


def add_new_links(state: CrawlState, record: Record, links: tuple[Link, ...], relevance: float) -> int:
    """Take in the links that a visited page has got since and that lead to unknown URLs; how many they are."""
    links = _split(state, record, links, relevance)
    fresh, _ = state.frontier.add(unknown_links(state, links), record.depth + 1, relevance, state.refuse)
    state.scoring.after_page(fresh, ())
    return len(fresh)


def apply_new_version(state: CrawlState, record: Record, doc: Doc, judgement: Judgement, labelled: bool = False) -> int:
    """Take in the new version of a visited page, as a recrawl found it; the number of its new links.

    The relevance of the page changes for the candidates that it links to, unless the user has labelled it, and the
    strategy learns of the change. The record of the visit stays as it is.
    """
    relevance = state.view.interest.value(judgement.topics)
    if labelled:
        relevance = state.frontier.relevance_of(record.url)
    page = _page_of_version(state, record, doc, judgement._replace(relevance=relevance))
    links = _split(state, record, page.links, relevance)
    fresh, _ = state.frontier.add(unknown_links(state, links), record.depth + 1, relevance, state.refuse)
    touched = state.frontier.change_relevance(record.slot, relevance, links)
    new_urls = [state.frontier.url(slot) for slot in fresh]
    stale = state.teaching.ask("learn_change", record.url, _optional.learn_change, page, new_urls)
    state.scoring.after_page([*fresh, *touched], stale or ())
    return len(fresh)


def _split(state: CrawlState, record: Record, links: tuple[Link, ...], relevance: float) -> tuple[Link, ...]:
    """The links to pages that this shard visits; the others hear of those that the page has got since its visit."""
    if state.port.is_alone:
        return links
    before = state.view.page(record.url)
    known = {link.url for link in before.links} if before else set()
    at_home, away = state.port.split(links)
    for shard, theirs in away.items():
        if fresh := tuple(link for link in theirs if link.url not in known):
            state.port.send(shard, News(record.url, record.depth, relevance, fresh))
    return at_home


def unknown_links(state: CrawlState, links: tuple[Link, ...]) -> tuple[Link, ...]:
    """Those of the links that lead to URLs the crawl has never seen; sitemaps of sitemaps are not followed here."""
    if state.sitemaps.list_sitemaps(links):
        return ()
    folded = state.filters.fold_links(links)
    return tuple([link for link in folded if state.frontier.find(link.url) is None])


def _page_of_version(state: CrawlState, record: Record, doc: Doc, judgement: Judgement) -> Page:
    title = record.title if doc.media else doc.title
    changed = replace(record, title=title, language=doc.language, **judgement._asdict())
    before = state.view.page(record.url)
    inlinks = before.inlinks if before else ()
    page = page_of(changed, state.filters.content(doc, record.order), inlinks)
    return replace(page, links=state.filters.fold_links(doc.links))
