"""What every strategy promises: one function for each promise, which yields what is wrong."""

from __future__ import annotations

import ast
import inspect
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final

from clew.base import codec
from clew.core.engine import Engine
from clew.core.labelling import Labelling
from clew.core.new_interest import change_interest
from clew.core.standstill import HELD
from clew.core.stop import EXHAUSTED
from clew.store import Sink
from clew.strategies import ALL, Crawl, Strategy, _optional
from clew.testing.random_web import random_web
from clew.testing.tiny_web import TinyWeb, TinyWebInterest, explore, order
from clew.types import Candidate, Doc, Page, UrlState

PART_OF_A_WEB: Final = 25  # visits after which a random web still has candidates
IMPURE = ("socket", "asyncio", "random", "time", "datetime", "os", "pathlib", "clew.fetch", "clew.store")
BARE_WEBS = {
    "a start page that fails beside a sound one": ("a 500; b -> c", "a b"),
    "an empty page": ("a", ""),
    "a page without links": ("a .9 {boats}", ""),
    "one start page": ("a .9 -> b c; b -> d", ""),
    "nothing but failures behind the start page": ("a .9 -> b c; b 404; c 500", ""),
    "a page that links to itself": ("a -> a b; b -> a b", ""),
    "a redirect in a circle": ("a -> b c; b => c; c => b", ""),
}


def can_be_made_without_parameters(strategy: type[Strategy]) -> Iterator[str]:
    """All parameters have defaults."""
    strategy()
    yield from ()


def cites_a_paper(strategy: type[Strategy]) -> Iterator[str]:
    """The docstring says where the idea comes from: a promise of the strategies that ship with clew."""
    if not re.search(r"\b(19|20)\d\d\b", strategy.__doc__ or ""):
        yield "the docstring names no paper with its year"


def imports_nothing_impure(strategy: type[Strategy]) -> Iterator[str]:
    """No clocks, sockets, files or chance of its own."""
    for name in _imports(inspect.getsource(sys.modules[strategy.__module__])):
        if any(name == impure or name.startswith(f"{impure}.") for impure in IMPURE):
            yield f"it imports {name}"


def visits_in_the_same_order_twice(strategy: type[Strategy]) -> Iterator[str]:
    """Nothing but the web and the seed decides."""
    if order(strategy(), random_web(hosts=4)) != order(strategy(), random_web(hosts=4)):
        yield "two crawls of the same web differ"


def does_not_depend_on_hash_seeds(strategy: type[Strategy]) -> Iterator[str]:
    """Sets of strings have another order in every process."""
    found = {seed: _order_elsewhere(strategy, seed) for seed in ("0", "1", "2")}
    answers = {seed: process.communicate() for seed, process in found.items()}
    if failed := [error for seed, (_, error) in answers.items() if found[seed].returncode]:
        yield f"it cannot run in a process of its own: {failed[0].strip().splitlines()[-1]}"
    elif len({out for out, _ in answers.values()}) > 1:
        yield "processes with different hash seeds visit in different orders"


def scores_without_side_effects(strategy: type[Strategy]) -> Iterator[str]:
    """`score` is a function of the state and the candidate, and of nothing else."""
    problems: dict[str, None] = {}

    def score(self: Strategy, candidates: Sequence[Candidate]) -> Sequence[float]:
        before = self.save()
        scores = [*strategy.score(self, candidates)]
        problems.update(dict.fromkeys(_doubts(strategy, self, candidates, scores)))
        if self.save() != before:
            problems["score changes the state"] = None
        return scores

    explore(_variant(strategy, score=score), random_web(hosts=4))
    yield from problems


def estimates_chances_without_side_effects(strategy: type[Strategy]) -> Iterator[str]:
    """Chances are probabilities, one for each candidate; asking for them, or for reasons, changes nothing."""
    made = strategy()
    explore(made, random_web(hosts=4), pages=PART_OF_A_WEB)
    candidates = list(made._crawl.candidates())
    before = made.save()
    for candidate in candidates:
        _optional.explain(made, candidate)
    chances = _optional.chances(made, candidates)
    if made.save() != before:
        yield "asking for reasons or chances changes the state"
    if chances is None:
        return
    if len(chances) != len(candidates):
        yield f"{len(candidates)} candidates get {len(chances)} chances"
    if any(not 0 <= chance <= 1 for chance in chances):
        yield "a chance is not between 0 and 1"
    if [*(_optional.chances(made, candidates) or ())] != [*chances]:
        yield "the same candidates get other chances the second time"


def learns_from_labels(strategy: type[Strategy]) -> Iterator[str]:
    """Labels are learnt when they are given, not when somebody asks next; and they are saved."""
    made = strategy()
    explore(made, random_web(hosts=4), pages=PART_OF_A_WEB)
    labels = _labels(made._crawl)
    stale = _optional.learn_labels(made, labels)
    if stale is not ALL and not all(isinstance(url, str) for url in stale):
        yield "learn_label must return the URLs whose score is stale, or ALL"
    candidates = list(made._crawl.candidates())
    before = made.save()
    scores = [*made.score(candidates)]
    _optional.chances(made, candidates)
    if made.save() != before:
        yield "asking for scores or chances after a label changes the state"
    again = _copy_of(strategy, made)
    if not _close([*again.score(candidates)], scores):
        yield "what was learnt from labels is lost when the state is saved and loaded"


def relearns_when_the_interest_changes(strategy: type[Strategy]) -> Iterator[str]:
    """After a change of interest, scores equal those of a fresh strategy that was taught the same pages and labels."""
    engines: list[Engine] = []
    docs: list[Doc] = []
    keep_docs = _EveryDoc(docs)
    web = random_web(hosts=4)
    made = strategy()
    crawl = explore(made, web, pages=PART_OF_A_WEB, prepare=engines.append, sinks=[keep_docs])
    state = engines[0].state
    labels = {page.url: relevant for page, relevant in _labels(state.view)}
    labelling = Labelling(state)
    for url, relevant in labels.items():
        labelling.apply(url, relevant)
    labelling.teach()
    fetched = [record for record in crawl.records if record.state == UrlState.FETCHED]
    change_interest(state, _Opposite(web), zip(fetched, docs, strict=True), labels)
    fresh = strategy()
    fresh.start(state.view)
    for page in state.view.pages():
        fresh.learn(page)
    pages = {url: state.view.page(url) for url in labels}
    _optional.learn_labels(fresh, [(page, labels[url]) for url, page in pages.items() if page])
    candidates = list(state.view.candidates())
    if not _close([*made.score(candidates)], [*fresh.score(candidates)]):
        yield "after a change of interest it does not score as a fresh strategy that was taught the same pages"


def hands_on_what_it_has_learnt(strategy: type[Strategy]) -> Iterator[str]:
    """What it declares as transferable is in its saved state, and another crawl can begin with it."""
    teacher = strategy()
    explore(teacher, random_web(hosts=4))
    saved = teacher.save()
    state = codec.loads(saved)
    for name in _optional.transferable(teacher):
        if name not in state:
            yield f"its transferable field {name!r} is not in its saved state"
    heir = strategy()
    _optional.inherit(heir, state)
    if codec.dumps(state) != codec.dumps(codec.loads(saved)):
        yield "inheriting changes the state that is handed on"
    crawl = explore(heir, random_web(hosts=4), pages=PART_OF_A_WEB)
    if crawl.stats.visited < 2:
        yield "with what it inherits it visits the start page and holds the rest back"


def goes_on_from_a_saved_state(strategy: type[Strategy]) -> Iterator[str]:
    """Saved and loaded in the middle of a crawl, it visits the same pages in the same order."""

    def learn(self: Strategy, page: Page) -> Any:
        stale = strategy.learn(self, page)
        if page.order % 5 == 3:
            _reincarnate(strategy, self)
        return stale

    if order(_variant(strategy, learn=learn), random_web(hosts=4)) != order(strategy(), random_web(hosts=4)):
        yield "a crawl with a loaded state takes another way"


def survives_a_bare_web(strategy: type[Strategy]) -> Iterator[str]:
    """Failed, empty and link-less pages break nothing."""
    for name, (web, start) in BARE_WEBS.items():
        try:
            explore(strategy(), web, start)
        except Exception as error:
            yield f"{name} breaks it: {type(error).__name__}: {error}"


def keeps_its_state_small(strategy: type[Strategy]) -> Iterator[str]:
    """The state grows with pages at most, not with links or with pairs of pages."""
    few = _state_size(strategy, random_web(100))
    more = _state_size(strategy, random_web(400))
    linked = _state_size(strategy, random_web(100, links=50))
    if more > 6 * few + 4000:
        yield f"4 times the pages take {more / few:.1f} times the state"
    if linked > 3 * few + 4000:
        yield f"10 times the links take {linked / few:.1f} times the state"


def never_stalls_in_silence(strategy: type[Strategy]) -> Iterator[str]:
    """A crawl ends because nothing is left, or because the strategy holds back what is left."""
    crawl = explore(strategy(), random_web(hosts=4), pages=1000)
    if crawl.reason not in (EXHAUSTED, HELD):
        yield f"the crawl of a small web ended with the reason {crawl.reason!r}"
    if crawl.stats.visited < 2:
        yield "it visits the start page and holds the rest back"


class _EveryDoc(Sink):
    """Keeps the documents of a crawl."""

    pages = "all"

    def __init__(self, docs: list[Doc]) -> None:
        self.docs = docs

    def write(self, page: Page, doc: Doc) -> None:
        self.docs.append(doc)


class _Opposite(TinyWebInterest):
    """Wants what the web's own interest does not want."""

    def relevance(self, url: str) -> float:
        return 1.0 - super().relevance(url)


def _labels(crawl: Crawl) -> list[tuple[Page, bool]]:
    """A user who disagrees with the judge about every fifth page."""
    pages = [page for page in crawl.pages() if page.ok][::5]
    opposite = [replace(page, relevant=not page.relevant, relevance=float(not page.relevant)) for page in pages]
    return [(page, page.relevant) for page in opposite]


def _copy_of(strategy: type[Strategy], made: Strategy) -> Strategy:
    """Another object with nothing but what was saved."""
    again = strategy()
    again.start(made._crawl)
    again.load(made.save())
    return again


def parameters_of(strategy: Strategy) -> dict[str, Any]:
    return {f.name: getattr(strategy, f.name) for f in fields(strategy) if f.init}


def _variant(strategy: type[Strategy], **methods: Any) -> Strategy:
    """The strategy with a method that is watched."""
    made = type(strategy.__name__, (strategy,), methods)()
    assert isinstance(made, Strategy)
    return made


def _doubts(
    strategy: type[Strategy], self: Strategy, candidates: Sequence[Candidate], scores: list[float]
) -> Iterator[str]:
    half = len(candidates) // 2
    if len(scores) != len(candidates):
        yield f"{len(candidates)} candidates get {len(scores)} scores"
    if any(math.isnan(score) or score == math.inf for score in scores):
        yield "a score is neither finite nor HOLD"
    if [*strategy.score(self, candidates)] != scores:
        yield "the same candidates get other scores the second time"
    if not _close([*strategy.score(self, candidates[::-1])][::-1], scores):
        yield "scores depend on the order of the candidates"
    if not _close([*strategy.score(self, candidates[:half]), *strategy.score(self, candidates[half:])], scores):
        yield "scores depend on what is scored together"


def _close(some: list[float], others: list[float]) -> bool:
    """Equal but for rounding: matrix products of other sizes add in another order."""
    return len(some) == len(others) and all(map(partial(math.isclose, rel_tol=1e-5, abs_tol=1e-7), some, others))


def _reincarnate(strategy: type[Strategy], self: Strategy) -> None:
    """A new object in the old one's place, with nothing but what was saved."""
    saved = self.save()
    crawl = self._crawl
    self.__dict__ = strategy().__dict__
    self.start(crawl)
    self.load(saved)


def _state_size(strategy: type[Strategy], web: TinyWeb) -> int:
    made = strategy()
    explore(made, web)
    return len(made.save())


def _imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _order_elsewhere(strategy: type[Strategy], seed: str) -> subprocess.Popen[str]:
    code = (
        f"from {strategy.__module__} import {strategy.__name__} as strategy\n"
        "from clew.testing.tiny_web import order\nfrom clew.testing.random_web import random_web\n"
        f"print(*order(strategy(**{parameters_of(strategy())}), random_web(hosts=4)))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=pipe, stderr=pipe, text=True)
