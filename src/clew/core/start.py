"""The beginning of a crawl: the start pages are read first, and set the threshold where the user gave none."""

from __future__ import annotations

from typing import Final, NamedTuple

from clew.config import Config
from clew.config.settings import What
from clew.core.advice import AS_SET, CALIBRATED, OF_JUDGE, OF_START_PAGES, USUAL, threshold_line
from clew.core.build import START_PAGES
from clew.core.faults import judged
from clew.core.interest_language import LANGUAGE, common_language, in_language
from clew.core.port import at_home
from clew.core.state import CrawlState
from clew.core.visit import reason_of
from clew.errors import InterestError, StartError
from clew.interests import Interest
from clew.store import Store
from clew.types import Doc, Fetched

MAX_START_PAGES: Final = 100
"""So many start pages are read before anything else; further ones are plain candidates."""
START_PAGE_WAIT_SECONDS: Final = 30.0
"""A start page that asks for a longer wait comes later, or not at all."""
MAX_LISTED: Final = 20  # start pages that an error message lists


class StartPage(NamedTuple):
    """A start page that has answered, before it is judged."""

    slot: int
    fetched: Fetched
    doc: Doc


def count_start_pages(config: Config) -> int:
    """How many start pages are read first: as many as the page budget allows."""
    until = config.until
    return min(MAX_START_PAGES, until.pages or MAX_START_PAGES, until.visit_limit or MAX_START_PAGES)


def queue_start_pages(state: CrawlState) -> int:
    """Queue the first start pages that this shard visits; how many they are."""
    count = count_start_pages(state.config)
    urls = at_home(state.port, state.config.what.seeds[:count])
    slots = [state.frontier.slot_for(url) for url in urls]
    state.frontier.set(slots, [1.0] * len(slots))
    return len(slots)


def with_http(fetched: Fetched) -> Fetched | None:
    """A redirect to http where https was only a guess and nobody speaks it; None if there was an answer.

    A certificate that cannot be verified is an answer: whoever wants plain http there has to say so.

    >>> with_http(Fetched("https://docs.test/", error="refused", detail="connection refused")).location
    'http://docs.test/'
    """
    is_silent = fetched.error in ("refused", "timeout") or (
        fetched.error == "tls" and "certificate" not in fetched.detail
    )
    if not is_silent:
        return None
    location = "http" + fetched.url.removeprefix("https")
    return Fetched(
        fetched.url, detail=reason_of(fetched), location=location, seconds=fetched.seconds, notes=fetched.notes
    )


class Beginning(NamedTuple):
    """What the start pages say: it decides the threshold and the language of the crawl."""

    relevances: tuple[tuple[str, str, float], ...]  # URL, title and relevance of those that can be judged
    language: str  # of most of them, "" if none is known
    problem: str = ""  # why none of them is of any use


def beginning(state: CrawlState, pages: list[StartPage]) -> Beginning:
    """Look at the start pages."""
    language = common_language(page.doc for page in pages)
    if all(map(_problem, pages)):
        return Beginning((), language, _no_answer(pages))
    found = _relevances(state, [page.doc for page in pages if not _problem(page)])
    return Beginning(tuple((doc.url, doc.title, relevance) for doc, relevance in found), language)


def set_threshold(state: CrawlState, begun: Beginning, store: Store) -> list[str]:
    """Take the threshold from the start pages unless the user gave one; a line that says which it is.

    At least one of them must have answered.
    """
    if begun.problem:
        raise StartError(begun.problem)
    before = state.interest
    if state.config.what.threshold == START_PAGES:
        _from_start_pages(state, begun)
    keep_threshold(store, state.config, before, state.interest)
    lines = [threshold_line(state.interest.threshold, threshold_origin(state.config, before, state.interest))]
    if not any(relevance > 0.0 for _, _, relevance in begun.relevances):
        lines.append(_no_match(str(state.interest), len(begun.relevances)))
    store.set(LANGUAGE, begun.language)
    state.set_interest(in_language(state.interest, begun.language))
    return lines


def keep_threshold(store: Store, config: Config, built: Interest, interest: Interest) -> None:
    """Save the threshold of an interest and where it comes from; `built` is the interest as it was built."""
    store.set("threshold", repr(interest.threshold))
    store.set("threshold_origin", threshold_origin(config, built, interest))
    store.set("calibrated", "yes" if _is_calibrated(interest) else "")


def threshold_origin(config: Config, built: Interest, interest: Interest) -> str:
    """Where the threshold of an interest comes from; `built` is the interest as it was built."""
    if config.what.threshold == START_PAGES:
        # A judge that minds its own threshold returns itself whatever the start pages are.
        return OF_JUDGE if interest is built else OF_START_PAGES
    if config.what.threshold != What().threshold:
        return AS_SET
    return CALIBRATED if _is_calibrated(interest) else USUAL


def failed_start_pages(pages: list[StartPage]) -> str:
    """Say which start pages failed, and why; "" if all answered."""
    failed = [(page.fetched.url, problem) for page in pages if (problem := _problem(page))]
    if not failed:
        return ""
    listed = [f"{url} ({problem})" for url, problem in failed[:MAX_LISTED]]
    if len(failed) > MAX_LISTED:
        listed.append("…")
    return f"{len(failed)} of {len(pages)} start pages failed: {', '.join(listed)}"


def _relevances(state: CrawlState, docs: list[Doc]) -> list[tuple[Doc, float]]:
    """The start pages with their relevance, but for those on which the judge fails: their visits will tell."""
    found: list[tuple[Doc, float]] = []
    problem: InterestError | None = None
    for doc in docs:
        try:
            found.append((doc, judged(doc, state.interest, state.config.what.judge_seconds).relevance))
        except InterestError as error:
            problem = error
    if not found:
        raise InterestError(f"no start page can be judged: {problem}") from problem
    return found


def _from_start_pages(state: CrawlState, begun: Beginning) -> None:
    try:
        state.set_interest(state.interest.starting_from([relevance for _, _, relevance in begun.relevances]))
    except StartError as error:
        lines = [f"{relevance:.3f}  {url}  {title}" for url, title, relevance in begun.relevances]
        raise StartError("\n  ".join([str(error), *lines[:MAX_LISTED]])) from None


def _is_calibrated(interest: Interest) -> bool:
    """Whether the relevances of a judge are probabilities, by its own word."""
    return bool(getattr(interest, "calibrated", False))


def _no_match(interest: str, count: int) -> str:
    """Say that the crawl has to find its topic first."""
    pages = "the start page does not match" if count == 1 else f"none of the {count} start pages matches"
    return f"{pages} {interest}: the crawl looks around from here; a start page on the topic would help"


def _problem(page: StartPage) -> str:
    """Why a start page is of no use, or ""."""
    if page.doc.error:
        return f"parse error: {page.doc.error}"
    return "" if page.fetched.ok else reason_of(page.fetched)


def _no_answer(pages: list[StartPage]) -> str:
    lines = [f"{page.fetched.url}: {_problem(page)}" for page in pages[:MAX_LISTED]]
    if not lines:
        lines = ["they redirect out of scope or in a circle, or ask for a long wait"]
    return "\n  ".join(["no start page answers; check the addresses, or give others: seeds (--seeds URL)", *lines])
