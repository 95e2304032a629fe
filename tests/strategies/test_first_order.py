from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clew.errors import StrategyError
from clew.learning.facts import parse
from clew.learning.relational import cover
from clew.strategies import ALL
from clew.strategies._optional import take_over
from clew.strategies._shared.link_facts import conditions
from clew.strategies.first_order import FirstOrder
from clew.testing.tiny_web import explore, order, url_of
from clew.types import Candidate, Link, Page

LIST = "div>ul.plays>li>a"
ACT = (("links_to", "Y", "X", "A"), ("text_has", "A", "act"))
IN_LIST = (
    "links_to(Y, X, A), parent(A, B), tag(B, li), parent(B, C), tag(C, ul), parent(D, C), tag(D, li), D != B, "
    "parent(E, D), tag(E, a), target(E)"
)


def stored(body: str) -> tuple[tuple[str, ...], ...]:
    return tuple((literal.name, *literal.args) for literal in parse(body))


def link(url: str, **fields: Any) -> Link:
    return Link(**{"source": "p", "url": url, "path": LIST, "block": 3, **fields})


def candidate(*links: Link) -> Candidate:
    return Candidate(links[0].url, links=links, n_links=len(links))


def visit(desk: Any, strategy: FirstOrder, url: str, relevance: float, *links: Link) -> Any:
    page = desk.lay(url, relevance, inlinks=links)
    return strategy.learn(page)


@pytest.fixture
def taught(desk: Any) -> FirstOrder:
    """Eight visits behind one list: those named "act" were relevant."""
    strategy = FirstOrder(first=9, every=9, support=3)
    strategy.start(desk)
    links = [link(f"v{n}", anchor="act" if n % 2 else "index", block=n, position=n) for n in range(8)]
    page = Page("p", relevance=0.3, links=tuple(links))
    desk.seen["p"] = page
    strategy.learn(page)
    stale: Any = ()
    for n, one in enumerate(links):
        stale = visit(desk, strategy, f"v{n}", 0.9 if n % 2 else 0.0, one)
    assert stale is ALL
    return strategy


def test_a_rule_lifts_links_above_all_others(taught: FirstOrder) -> None:
    act, other = link("x", anchor="Act"), link("y", anchor="index")
    scores = taught.score([candidate(act), candidate(other), candidate(other, act)])
    # Four of four at a base rate of one half, with the doubt of two pages: (4 + 1) / (4 + 2). The parent has 0.3.
    ruled = 1 + 0.9 * 5 / 6 + 0.1 * 0.3
    assert scores == pytest.approx([ruled, 0.3, ruled])


def test_explain_names_the_numbers_of_the_rule(taught: FirstOrder) -> None:
    parts = taught.explain(candidate(link("x", anchor="Act")))
    assert (parts["positives"], parts["negatives"]) == (4.0, 0.0)
    assert parts["confidence"] == pytest.approx(5 / 6)
    assert (parts["rule"], parts["rules that hold"]) == (1.0, 1.0)
    assert taught.explain(candidate(link("y"))) == {"score": 0.3}
    assert taught.score([Candidate("s")]) == [2.0]


def test_rules_are_printed_with_what_they_cover_then_and_later(desk: Any, taught: FirstOrder) -> None:
    assert taught.text == ("1. relevant(X) :- links_to(Y, X, A), text_has(A, act).\n   learning: +4 -0, later: +0 -0")
    visit(desk, taught, "x", 0.9, link("x", anchor="act", block=20))
    visit(desk, taught, "y", 0.0, link("y", anchor="act", block=21))
    visit(desk, taught, "z", 0.0, link("z", anchor="index", block=22))
    assert taught.text.endswith("learning: +4 -0, later: +1 -1")
    # (4 + 1 + 1) / (5 + 1 + 2): what later visits show counts as much.
    assert taught.explain(candidate(link("w", anchor="act")))["confidence"] == pytest.approx(6 / 8)


def test_a_rule_that_fails_is_dropped(desk: Any) -> None:
    strategy = FirstOrder(first=1000)
    strategy.start(desk)
    strategy.rules = [(ACT, [8, 0, 0, 0])]
    strategy.base_rate = 0.2
    waiting = candidate(link("w", anchor="act"))
    for n in range(9):
        assert visit(desk, strategy, f"v{n}", 0.0, link(f"v{n}", anchor="act")) == ()
    assert strategy.score([waiting])[0] > 1
    assert visit(desk, strategy, "v9", 0.0, link("v9", anchor="act")) is ALL
    assert strategy.rules == []
    assert strategy.score([waiting]) == [0.0]


def test_siblings_of_a_target_become_stale(desk: Any) -> None:
    strategy = FirstOrder(first=1000)
    strategy.start(desk)
    strategy.rules = [(stored(IN_LIST), [20, 0, 0, 0])]
    links = (link("a", position=0), link("b", position=1), link("c", block=4, position=2), link("d", position=3))
    desk.seen["p"] = Page("p", links=links)
    before = strategy.score([candidate(links[1])])
    assert visit(desk, strategy, "a", 0.9, links[0]) == ["a", "b", "d"]
    assert strategy.score([candidate(links[1]), candidate(links[2])]) == pytest.approx([1 + 0.9 * 20 / 22, 0.0])
    assert before == [0.0]
    # With two targets in the list, every other link has one beside it: nothing more can change.
    visit(desk, strategy, "b", 0.9, links[1])
    assert visit(desk, strategy, "d", 0.9, links[3]) == []


def test_a_link_is_not_its_own_sibling(desk: Any) -> None:
    strategy = FirstOrder(first=1000)
    strategy.start(desk)
    strategy.rules = [(stored(IN_LIST), [20, 0, 0, 0])]
    desk.seen["p"] = Page("p")
    visit(desk, strategy, "a", 0.9, link("a", position=0))
    assert strategy.rules[0][1] == [20, 0, 0, 0]
    visit(desk, strategy, "b", 0.9, link("b", position=1))
    assert strategy.rules[0][1] == [20, 0, 1, 0]


def test_words_of_the_user_replace_those_of_the_judge(desk: Any) -> None:
    strategy = FirstOrder()
    strategy.start(desk)
    visit(desk, strategy, "a", 0.0, link("a"))
    strategy.learn_label(desk.seen["a"], True)
    assert strategy.labels == [True]
    assert list(strategy.targets) == ["p"]
    strategy.learn_label(Page("unknown"), False)


def test_best_first_until_there_are_rules() -> None:
    web = "s .6 -> a b; a .9 -> c; b .7 -> d; c .8 -> e"
    assert order("first_order", web) == order("best_first", web)


def test_rules_come_as_soon_as_ten_pages_are_relevant_and_again_when_visits_grow(desk: Any) -> None:
    strategy = FirstOrder(support=5)
    strategy.start(desk)
    desk.seen["p"] = Page("p")
    learned_at: list[int] = []
    for n in range(60):
        one = link(f"v{n}", anchor="act" if n % 2 else "index", position=n)
        stale = visit(desk, strategy, f"v{n}", 0.9 if n % 2 else 0.0, one)
        if stale is ALL:
            learned_at.append(n + 1)
    # The tenth relevant page is the twentieth visit; then a tenth and one more: 20 + 2 + 1, …, 50 + 5 + 1.
    assert learned_at == [20, 23, 26, 29, 32, 36, 40, 45, 50, 56]


def test_the_crawl_turns_to_what_a_rule_promises() -> None:
    names = "abcdefghijkl"
    web = "s .6 -> " + " ".join(f"{name} [{'play' if name in 'cfil' else 'news'}]" for name in names)
    web += "; " + "; ".join(f"{name} .9" for name in "cfil")
    assert "".join(order(FirstOrder(first=8, every=100, support=2), web)) == "sabcdefgilhjk"


def test_conditions_of_a_link() -> None:
    one = Link("p", "http://plays.example/hamlet.html", "Act II", "Scene\tBoats", "Tragedies", "div>p.x>a")
    assert list(conditions(one)) == [
        "A url_has play", "A url_has exampl", "A url_has hamlet", "A text_has act", "A text_has ii",
        "A text_before scene", "A heading_has tragedi", "B text_has scene", "B text_has boat",
        "A tag a", "B tag p", "C tag div",
    ]  # fmt: skip


FORMS = {
    "as the rule says": ("ul>li>a", "ul>li>a"),
    "B is no item": ("ul>li>a", "ul>dd>a"),
    "C is another list": ("ol>li>a", "ol>li>a"),
    "D is no item": ("ul>dd>a", "ul>li>a"),
    "E is no anchor": ("ul>li>area", "ul>li>a"),
}
"""The first link of a list, which is relevant, and the others, which are relevant in lists of the first form only."""


def planted(lists: int = 8) -> list[tuple[Link, bool]]:
    """Links of lists of all forms, in the order of their visits."""
    visits: list[tuple[Link, bool]] = []
    for form, (first, others) in FORMS.items():
        for _ in range(lists):
            source = f"http://w.example/{len(visits)}"
            for place in range(5):
                path = others if place else first
                one = Link(source, f"{source}0{place}", path=f"div>{path}", position=place, block=1)
                visits.append((one, place == 0 or form == "as the rule says"))
    return visits


def test_the_rule_of_eleven_literals_is_found_in_a_crawl(desk: Any) -> None:
    """The longest rule of the paper: an item of a list in which another item holds a link to a relevant page."""
    visits = planted()
    strategy = FirstOrder(first=len(visits), support=5)
    strategy.start(desk)
    for one, relevant in visits:
        visit(desk, strategy, one.url, 0.9 if relevant else 0.0, one)
    wanted = set(parse(IN_LIST))
    found = [body for body, (good, bad, *_) in strategy.rules if (good, bad) == (8 * 4, 0)]
    assert any({*parse(", ".join(rule_text(body)))} == wanted for body in found), strategy.text
    waiting = Link("http://w.example/new", "x", path="div>ul>li>a", position=7, block=1)
    target = waiting._replace(url="y", position=8)
    assert strategy.score([candidate(waiting)])[0] < 1
    desk.seen[waiting.source] = Page(waiting.source, links=(waiting, target))
    visit(desk, strategy, "y", 0.9, target)
    assert strategy.score([candidate(waiting)])[0] > 1.85


def test_the_two_hypotheses_of_focused_crawling_are_found(desk: Any) -> None:
    """The paper: its learner discovers by itself what others have built in as heuristics."""
    by_source = FirstOrder(first=1000, support=5)
    beside = FirstOrder(first=1000, support=5)
    for strategy in (by_source, beside):
        strategy.start(desk)
    for n in range(20):
        good = n % 2 == 0
        # One strategy sees relevant pages behind relevant ones, the other beside relevant ones.
        visit(desk, by_source, f"r{n}", 0.9 if good else 0.0)
        visit(desk, by_source, f"v{n}", 0.9 if good else 0.0, Link(f"r{n}", f"v{n}", path="p>a"))
        visit(desk, beside, f"i{n}", 0.0)
        for m in range(2):
            one = Link(f"i{n}", f"w{n}x{m}", path="p>a", position=m, block=m)
            visit(desk, beside, one.url, 0.9 if good else 0.0, one)
    for strategy in (by_source, beside):
        strategy._induce()
    assert [rule.rule for rule in by_source.learnt()] == ["relevant(X) :- links_to(Y, X, A), relevant(Y)."]
    assert [rule.rule for rule in beside.learnt()] == [
        "relevant(X) :- links_to(Y, X, A), links_to(Y, Z), Z != X, relevant(Z)."
    ]


@pytest.mark.parametrize(("confidence", "learned"), [(0.0, 1), (0.5, 1), (0.6, 0), (1.0, 0)])
def test_a_rule_must_be_surer_than_chance_by_the_confidence(desk: Any, confidence: float, learned: int) -> None:
    strategy = FirstOrder(first=1000, support=5, confidence=confidence)
    strategy.start(desk)
    # Half of all pages are relevant; of those named "act" 15 of 20: half way from 0.5 to 1.
    for n in range(40):
        relevant = n < 15 or n >= 35
        one = link(f"v{n}", anchor="act" if n < 20 else "index", source=f"p{n}")
        visit(desk, strategy, one.url, 0.9 if relevant else 0.0, one)
    strategy._induce()
    assert strategy.base_rate == 0.5
    assert [rule.rule for rule in strategy.learnt()] == ["relevant(X) :- links_to(Y, X, A), text_has(A, act)."][
        :learned
    ]


def rule_text(body: Sequence[Sequence[str]]) -> list[str]:
    return [f"{args[0]} != {args[1]}" if name == "!=" else f"{name}({', '.join(args)})" for name, *args in body]


def test_the_facts_of_a_crawl_support_its_rules() -> None:
    """What the engine finds is true of the relational facts, under the exact reading of the rule."""
    names = "abcdefghijkl"
    web = "s .6 -> " + " ".join(f"{name} [{'play' if name in 'bdfhil' else 'news'}]" for name in names)
    web += "; " + "; ".join(f"{name} .9" for name in "bdfhil")
    strategy = FirstOrder(first=13, every=13, support=2)
    explore(strategy, web)
    facts = strategy.facts()
    assert "text_has('http://sketch.example/s#1.1', play)." in facts.prolog().splitlines()
    [(body, (good, bad, *_)), *_] = strategy.rules
    pages = [url_of(name) for name in names]
    found = cover(parse(", ".join(rule_text(body))), facts, pages)
    assert [page for at, page in enumerate(pages) if found >> at & 1] == [url_of(name) for name in "bdfhil"]
    assert (good, bad) == (6, 0)


def test_old_visits_are_forgotten(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.strategies.first_order.MAX_VISITS_LEARNT_FROM", 2)
    strategy = FirstOrder()
    strategy.start(desk)
    for name in "abc":
        visit(desk, strategy, name, 0.9, link(name))
    assert strategy.pages == ["b", "c"]
    assert len(strategy.rows) == len(strategy.labels) == 2


def test_what_was_learnt_serves_another_crawl(taught: FirstOrder, desk: Any) -> None:
    heir = FirstOrder()
    take_over(heir, {name: getattr(taught, name) for name in taught.transferable})
    heir.start(desk)
    assert heir.explain(candidate(link("x", anchor="act")))["confidence"] == pytest.approx(5 / 6)


@pytest.mark.parametrize("wrong", [{"every": -1}, {"confidence": 2.0}, {"most": 0}, {"predicates": "langauge"}])
def test_parameters_must_make_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(StrategyError, match="first_order"):
        FirstOrder(**wrong)


WORDS = [f"w{letter}" for letter in "abcdefghijklmnopqrst"]
GOOD = WORDS[:5]


def word_web(hubs: int = 20) -> str:
    """Hubs with twenty links each; the word of a link says whether it leads to a relevant page."""
    web = "s .6 -> " + " ".join(f"h{hub}" for hub in range(hubs))
    for hub in range(hubs):
        links = [f"p{hub}x{number} [{word}]" for number, word in enumerate(WORDS)]
        web += f"; h{hub} .6 -> " + " ".join(links[hub:] + links[:hub])
        web += "".join(f"; p{hub}x{number} .9" for number, word in enumerate(WORDS) if word in GOOD)
    return web


class Shuffled(FirstOrder):
    """Learns as it should; then the words in its rules are exchanged for others."""

    def _induce(self) -> Any:
        stale = super()._induce()
        other = dict(zip(WORDS, WORDS[10:] + WORDS[:10], strict=True))
        rules = []
        for body, counts in self.rules:
            rules.append((tuple((name, *(other.get(arg, arg) for arg in args)) for name, *args in body), counts))
        self.rules = rules
        return stale


def finds(strategy: Any, visits: int = 180) -> int:
    return sum(record.relevance >= 0.9 for record in explore(strategy, word_web(), pages=visits).records)


def test_what_rules_gain_vanishes_when_they_are_shuffled() -> None:
    plain = finds("best_first")
    learned = finds(FirstOrder())
    shuffled = finds(Shuffled())
    # 21 visits are no word pages. Best-first finds a quarter of the rest; there are 100.
    assert plain == pytest.approx((180 - 21) / 4, abs=5)
    assert learned > 1.6 * plain
    assert shuffled <= plain


CHAPTERS = """
def chapters(page):
    return [part for part in page.url.split("/") if part.startswith("chapter")]

not_a_function = 3
"""


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of the user with a predicate: the chapters that the address of a page names."""
    (tmp_path / "my_predicates.py").write_text(CHAPTERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "my_predicates"


def test_predicates_of_the_user_appear_in_rules_and_facts(desk: Any, own_module: str) -> None:
    """Only the header and the address of the source page tell good links from others."""
    strategy = FirstOrder(first=1000, support=5, predicates=f"header:server, {own_module}:chapters")
    strategy.start(desk)
    for n in range(20):
        good = n % 2 == 0
        source = f"http://w.example/chapter{int(good)}/{n}"
        headers = (("server", "Apache/1.3 (Unix)" if good else "nginx"),)
        links = tuple(Link(source, f"v{n}x{m}", path="p>a", position=m, block=m) for m in range(2))
        desk.seen[source] = Page(source, links=links, headers=headers)
        strategy.learn(desk.seen[source])
        if n == 0:
            continue
        for one in links:
            visit(desk, strategy, one.url, 0.9 if good else 0.0, one)
    strategy._induce()
    bodies = {rule.rule for rule in strategy.learnt()}
    assert any("header_server(Y, apache)" in rule or "chapters(Y, chapter1)" in rule for rule in bodies), bodies
    program = list(strategy.facts().program())
    assert "% mode header_server(+page, #constant)" in program
    assert "header_server('http://w.example/chapter1/2', apache)." in program
    assert "chapters('http://w.example/chapter0/3', chapter0)." in program
    new = Link("http://w.example/chapter1/2", "new", path="p>a", position=9, block=9)
    assert strategy.score([candidate(new)])[0] > 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("langauge", "did you mean 'language'"),
        ("language, language", "two predicates 'language'"),
        ("no_such_module:f", "no_such_module"),
        ("my_predicates:not_a_function", "no function"),
    ],
)
@pytest.mark.usefixtures("own_module")
def test_a_predicate_that_cannot_be_is_refused_at_once(text: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        FirstOrder(predicates=text)
