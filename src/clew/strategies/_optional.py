"""What a strategy may offer beyond the base class, and what holds for one that does not.

Each protocol is one thing that the crawl asks for. A strategy offers it by defining the method; nothing has to be
declared. The functions below are how the crawl asks.

Four class attributes say how scores are kept up to date:

- `rescore_top = 16` scores the 16 best candidates again before each choice (default 0);
- `rescore_all_every = 100` scores every candidate again after each 100 visits (default 0: never);
- `inlinks_only = True` says that a score changes only with its in-links, so that a page which is merely linked once
  more needs no second look (default False);
- `needs_graph = True` makes `crawl.graph` available, which costs twelve bytes a link (default False).

A fifth one, `waits`, says how a candidate compares with a better one whose host must wait (the setting `patience`):

- `waits = "by rank"`: the more candidates are better, the longer it is put off (the default);
- `waits = "by score"`: scores are chances, so that half of the score is worth half as much;
- `waits = "never"`: whatever can be fetched is fetched, because the order of visits is not meant to find the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args, runtime_checkable

from clew.errors import StrategyError
from clew.strategies._base import ALL, Stale, Strategy
from clew.types import Candidate, Link, Page

Labels = Sequence[tuple[Page, bool]]
"""Visited pages with what the user says of them."""


class NewVerdict(NamedTuple):
    """What a judge that learns says now of a page that was visited before."""

    url: str
    inlinks: Sequence[Link]
    relevance: float


Waits = Literal["by rank", "by score", "never"]
"""How a candidate compares with a better one that is out of reach; see the module's docstring."""
WAYS_TO_WAIT: Final[tuple[Waits, ...]] = get_args(Waits)


class Rescoring(NamedTuple):
    """How a strategy wants its scores kept up to date; see the module's docstring."""

    rescore_top: int = 0
    rescore_all_every: int = 0
    inlinks_only: bool = False
    needs_graph: bool = False


@runtime_checkable
class Explains(Protocol):
    """Says how a score comes about."""

    def explain(self, candidate: Candidate) -> dict[str, float]:
        """The parts of a candidate's score by name; must not change state."""
        ...


@runtime_checkable
class NamesLink(Protocol):
    """Says which of a candidate's in-links decides its score."""

    def deciding_link(self, candidate: Candidate) -> Link:
        """The link that decides; asked only where there are several. Must not change state."""
        ...


@runtime_checkable
class EstimatesChances(Protocol):
    """Knows probabilities, not just an order."""

    def chances(self, candidates: Sequence[Candidate]) -> Sequence[float] | None:
        """The probability of each to be relevant, 0 to 1; must not change state. The forecast is made of these."""
        ...


@runtime_checkable
class LearnsLabels(Protocol):
    """Learns from what the user says of pages."""

    def learn_label(self, page: Page, relevant: bool) -> Stale:
        """Take in the user's verdict on a visited page; return the URLs whose score is stale."""
        ...


@runtime_checkable
class LearnsManyLabels(Protocol):
    """Learns from many labels more cheaply than from one after the other."""

    def learn_labels(self, labels: Labels) -> Stale:
        """Take in several verdicts; return the URLs whose score is stale."""
        ...


@runtime_checkable
class LearnsVerdicts(Protocol):
    """Corrects what it has learned when the judge changes its mind about earlier pages."""

    def learn_verdicts(self, verdicts: Sequence[NewVerdict]) -> Stale:
        """Take in new verdicts on visited pages; return the URLs whose score is stale."""
        ...


@runtime_checkable
class LearnsUserLabels(Protocol):
    """Tells users apart; labels of nobody in particular have the user ""."""

    def learn_user_label(self, page: Page, relevant: bool, user: str) -> Stale:
        """Take in the verdict of one user on a visited page; return the URLs whose score is stale."""
        ...


@runtime_checkable
class KnowsUsers(Protocol):
    """Can start with the profiles of users."""

    def know_users(self, profiles: Mapping[str, Mapping[str, float]]) -> None:
        """Take in profiles, weighted terms by user; called once, before `start`."""
        ...


@runtime_checkable
class LearnsChanges(Protocol):
    """Learns from a recrawl that a visited page has changed."""

    def learn_change(self, page: Page, new_links: Sequence[str]) -> Stale:
        """Take in the new version of a page, and those of its links that are new to the crawl; return stale URLs.

        `crawl.relevance` knows the relevance of the new version already.
        """
        ...


@runtime_checkable
class FollowsInterest(Protocol):
    """Wants to handle a change of interest itself."""

    def interest_changed(self) -> bool:
        """All pages have been judged again. Return whether to be taught all pages and labels once more."""
        ...


@runtime_checkable
class Inherits(Protocol):
    """Learns something that serves another crawl, too."""

    transferable: tuple[str, ...]  # the state fields that do

    def inherit(self, state: Mapping[str, Any]) -> None:
        """Take over the state that an earlier crawl has saved; called before `start`."""
        ...


@runtime_checkable
class Studies(Protocol):
    """Can learn from the pages of an earlier crawl, whichever strategy made it."""

    def study(self, pages: Iterable[Page]) -> None:
        """Learn from the pages of an earlier crawl; called before `start`."""
        ...


@runtime_checkable
class MovesFocus(Protocol):
    """Follows a wider interest than the user's at times."""

    @property
    def focus(self) -> str:
        """The interest followed now; "" when it is the user's own."""
        ...

    @property
    def at_ceiling(self) -> bool:
        """Whether the strategy would widen its focus and cannot."""
        ...


@runtime_checkable
class SetsFocus(Protocol):
    """Follows a focus that the user names while the crawl runs."""

    def set_focus(self, formula: str) -> None:
        """Follow this formula instead of the own focus; "" goes back to the own one. InterestError if it cannot."""
        ...


@runtime_checkable
class NeedsInput(Protocol):
    """Works better with something that not every crawl has."""

    @property
    def missing_input(self) -> str:
        """What is missing, in a sentence; "" if nothing is."""
        ...


@runtime_checkable
class SharesLessons(Protocol):
    """Tells the same strategy in other shards of the crawl what it has learned, as values that `codec` can encode."""

    def note(self, page: Page) -> Any:
        """What must be known of a page where its links lead; None for nothing."""
        ...

    def meet(self, url: str, links: Sequence[Link], relevance: float, note: Any) -> Stale:
        """A page of another shard links here; return the URLs whose score is stale."""
        ...

    def lesson(self) -> Any:
        """What the others should learn of the latest visit, None for nothing; asked after every page."""
        ...

    def study_lesson(self, lesson: Any) -> Stale:
        """Take in a lesson; return the URLs whose score is stale. It is never taught again."""
        ...


def rescoring(strategy: Strategy) -> Rescoring:
    """How a strategy wants its scores kept up to date."""
    wishes = {name: getattr(strategy, name) for name in Rescoring._fields if hasattr(strategy, name)}
    return Rescoring(**wishes)


def waits(strategy: Strategy) -> Waits:
    """How candidates of a strategy compare with better ones that are out of reach."""
    way: Waits = getattr(strategy, "waits", "by rank")
    if way not in WAYS_TO_WAIT:
        raise StrategyError(f"waits must be one of {', '.join(map(repr, WAYS_TO_WAIT))}, not {way!r}")
    return way


def note(strategy: Strategy, page: Page) -> Any:
    """What a strategy must know of a page in the shards that it links to; None for nothing."""
    return strategy.note(page) if isinstance(strategy, SharesLessons) else None


def meet(strategy: Strategy, url: str, links: Sequence[Link], relevance: float, note: Any) -> Stale:
    """A page of another shard links here; the URLs whose score is stale."""
    return _listed(strategy.meet(url, links, relevance, note)) if isinstance(strategy, SharesLessons) else ()


def lesson(strategy: Strategy) -> Any:
    """What the other shards should learn of the latest visit; None for nothing."""
    return strategy.lesson() if isinstance(strategy, SharesLessons) else None


def study_lesson(strategy: Strategy, lesson: Any) -> Stale:
    """Teach a strategy what another shard has learned; the URLs whose score is stale."""
    return _listed(strategy.study_lesson(lesson)) if isinstance(strategy, SharesLessons) else ()


def explain(strategy: Strategy, candidate: Candidate) -> dict[str, float]:
    """The parts of a candidate's score; the score itself where the strategy tells no parts."""
    if isinstance(strategy, Explains):
        return strategy.explain(candidate)
    return {"score": strategy.score([candidate])[0]}


def deciding_link(strategy: Strategy, candidate: Candidate, relevance: Callable[[str], float]) -> Link | None:
    """The in-link behind a candidate's score; without a word of the strategy, the one from the most relevant page."""
    if len(candidate.links) < 2:
        return candidate.links[0] if candidate.links else None
    if isinstance(strategy, NamesLink):
        return strategy.deciding_link(candidate)
    # Of equals the first: `max` keeps it.
    return max(candidate.links, key=lambda link: relevance(link.source))


def chances(strategy: Strategy, candidates: Sequence[Candidate]) -> Sequence[float] | None:
    """The probability of each candidate to be relevant; None if the strategy knows only an order."""
    return strategy.chances(candidates) if isinstance(strategy, EstimatesChances) else None


def learn(strategy: Strategy, page: Page) -> Stale:
    """Teach a strategy a page; the URLs whose score is stale."""
    return _listed(strategy.learn(page))


def learn_labels(strategy: Strategy, labels: Labels, users: Sequence[str] = ()) -> Stale:
    """Teach a strategy what users say of pages; the URLs whose score is stale. `users` has a name for each label."""
    if isinstance(strategy, LearnsUserLabels):
        names = users or [""] * len(labels)
        named = zip(labels, names, strict=True)
        return _all_of([_listed(strategy.learn_user_label(*label, user)) for label, user in named])
    if isinstance(strategy, LearnsManyLabels):
        return _listed(strategy.learn_labels(labels))
    if not isinstance(strategy, LearnsLabels):
        return ()
    return _all_of([_listed(strategy.learn_label(page, relevant)) for page, relevant in labels])


def learn_change(strategy: Strategy, page: Page, new_links: Sequence[str]) -> Stale:
    """Teach a strategy the new version of a visited page; the URLs whose score is stale."""
    return _listed(strategy.learn_change(page, new_links)) if isinstance(strategy, LearnsChanges) else ()


def tells_users_apart(strategy: Strategy) -> bool:
    """Whether it matters to a strategy who gave a label."""
    return isinstance(strategy, LearnsUserLabels)


def know_users(strategy: Strategy, profiles: Mapping[str, Mapping[str, float]]) -> bool:
    """Hand a strategy the profiles of users; whether it knows what to do with them."""
    if not isinstance(strategy, KnowsUsers):
        return False
    strategy.know_users(profiles)
    return True


def _all_of(several: Sequence[Stale]) -> Stale:
    """What is stale after several changes."""
    stale: list[str] = []
    for changed in several:
        if changed is ALL:
            return ALL
        stale += changed
    return stale


def learn_verdicts(strategy: Strategy, verdicts: Sequence[NewVerdict]) -> Stale:
    """Tell a strategy that earlier pages are judged otherwise now; the URLs whose score is stale."""
    return _listed(strategy.learn_verdicts(verdicts)) if isinstance(strategy, LearnsVerdicts) else ()


def _listed(stale: Stale | None) -> Stale:
    """What a strategy says is stale, checked; a generator runs here, where its exceptions belong to the strategy."""
    if stale is None or stale is ALL:
        return stale or ()
    urls = [stale] if isinstance(stale, str) else list(stale)
    if not all(isinstance(url, str) for url in urls):
        raise StrategyError("learn must return URLs, or ALL")
    return urls


def interest_changed(strategy: Strategy) -> bool:
    """Tell a strategy that pages are judged otherwise now; whether it must be taught all pages and labels again.

    What it has learned followed from the interest, so by default it forgets everything. A strategy without state has
    nothing to relearn.
    """
    if isinstance(strategy, FollowsInterest):
        return strategy.interest_changed()
    if not has_state(strategy):
        return False
    forget(strategy)
    return True


def inherit(strategy: Strategy, state: Mapping[str, Any]) -> None:
    """Hand a strategy what an earlier crawl has learned."""
    if isinstance(strategy, Inherits):
        strategy.inherit(state)
    else:
        take_over(strategy, state)


def study(strategy: Strategy, pages: Iterable[Page]) -> bool:
    """Let a strategy learn from the pages of an earlier crawl; whether it can."""
    if not isinstance(strategy, Studies):
        return False
    strategy.study(pages)
    return True


def take_over(strategy: Strategy, state: Mapping[str, Any]) -> None:
    """Set the transferable fields to their earlier values."""
    for name in transferable(strategy):
        if name in state:
            setattr(strategy, name, state[name])


def transferable(strategy: Strategy) -> tuple[str, ...]:
    """The state fields that serve another crawl."""
    names: tuple[str, ...] = getattr(strategy, "transferable", ())
    return names


def focus(strategy: Strategy) -> str:
    """The interest that is followed now; "" when it is the user's own."""
    # Asked several times a page: looking at a protocol would take longer than the answer.
    return str(getattr(strategy, "focus", ""))


def focus_reason(strategy: Strategy) -> str:
    """Why the strategy has changed its focus; "" if it does not say."""
    return str(getattr(strategy, "focus_reason", ""))


def at_ceiling(strategy: Strategy) -> bool:
    """Whether the strategy would widen its focus and cannot."""
    return bool(getattr(strategy, "at_ceiling", False))


def missing_input(strategy: Strategy) -> str:
    """What the strategy would need and does not have; "" if nothing."""
    return strategy.missing_input if isinstance(strategy, NeedsInput) else ""


def has_state(strategy: Strategy) -> bool:
    """Whether a strategy learns anything that would be saved."""
    return any(not each.init and not each.name.startswith("_") for each in fields(strategy))


def forget(strategy: Strategy) -> None:
    """Make a strategy as it was before it learned anything; its parameters and its crawl stay."""
    crawl = strategy._crawl
    parameters = {each.name: getattr(strategy, each.name) for each in fields(strategy) if each.init}
    strategy.__dict__ = type(strategy)(**parameters).__dict__
    strategy.start(crawl)
