from __future__ import annotations

from random import Random

import clingo
import numpy as np
import pytest

from clew.learning.bindings import Relation
from clew.learning.facts import Facts, Literal, parse, tags
from clew.learning.relational import cover, discover
from clew.learning.rules import START, Rule, bits, bound, distinct, enough
from clew.learning.subgroups import CountTable, Node, Search
from clew.types import Link

TOTAL, BASE = 10_000, 0.7024

BY_URL = parse("links_to(Y, X, A), url_has(A, shakespeare)")
BY_ANCHOR = parse("links_to(Y, X, A), text_has(A, ii)")
BY_PARAGRAPH = parse("links_to(Y, X, A), parent(A, B), tag(B, p), text_has(B, scene)")
BY_SIBLING = parse(
    "links_to(Y, X, A), parent(A, B), tag(B, li), parent(B, C), tag(C, ul), parent(D, C), tag(D, li), D != B, "
    "parent(E, D), tag(E, a), target(E)"
)
BY_SOURCE = parse("links_to(Y, X), relevant(Y)")
BY_CO_LINK = parse("links_to(Y, X), links_to(Y, Z), Z != X, relevant(Z)")
SHAPES = [BY_URL, BY_ANCHOR, BY_PARAGRAPH, BY_SIBLING, BY_SOURCE, BY_CO_LINK]


@pytest.mark.parametrize(
    ("positives", "negatives", "confidence", "laplace", "quality", "best"),
    [(1694, 47, 0.9730, 0.9725, 0.04711, 0.05041), (215, 16, 0.9307, 0.9270, 0.00527, 0.00640)],
)
def test_t2_numbers_of_a_rule(
    positives: int, negatives: int, confidence: float, laplace: float, quality: float, best: float
) -> None:
    rule = Rule(START, positives, negatives)
    assert rule.confidence == pytest.approx(confidence, abs=5e-5)
    assert rule.laplace == pytest.approx(laplace, abs=5e-5)
    assert rule.quality(TOTAL, BASE) == pytest.approx(quality, abs=5e-6)
    assert bound(positives, TOTAL, BASE) == pytest.approx(best, abs=5e-6)


def test_t2_cover_on_later_pages() -> None:
    assert Rule(START, 1408, 34).confidence == pytest.approx(0.9764, abs=5e-5)


def hamlet() -> Facts:
    """The example of the paper: a list of four tragedies, the last of them a link."""
    parent = {"e8": "e7", "e7": "e3", "e6": "e3", "e5": "e3", "e4": "e3", "e3": "e1", "e2": "e1"}
    tag = {"e8": "a", "e7": "li", "e6": "li", "e5": "li", "e4": "li", "e3": "ul", "e1": "body", "e2": "p"}
    text = {"e8": ["hamlet"], "e6": ["macbeth"], "e5": ["othello"], "e4": ["king", "lear"], "e2": ["four", "tragedies"]}
    return Facts([("u", "v", "e8")], parent, {"tag": {key: [one] for key, one in tag.items()}, "text_has": text})


def test_t2b_the_longest_rule_needs_a_sibling_that_is_a_target() -> None:
    assert len(BY_SIBLING) == 11
    facts = hamlet()
    assert cover(BY_SIBLING, facts, ["v"]) == 0
    facts.parent["e9"] = "e6"
    facts.has["tag"]["e9"] = ["a"]
    facts.links.append(("u", "w", "e9"))
    assert cover(BY_SIBLING, facts, ["v"]) == 0
    facts.judged["w"] = True
    assert cover(BY_SIBLING, facts, ["v"]) == 1


def test_facts_as_prolog() -> None:
    facts = hamlet()
    facts.judged = {"w": True, "v": True}
    lines = facts.prolog().splitlines()
    assert lines[0] == "links_to(u, v, e8)."
    assert "parent(e7, e3)." in lines
    assert "text_has(e4, lear)." in lines
    assert lines[-3:] == ["target(e8).", "relevant(w).", "relevant(v)."]
    assert facts.prolog(before="v").splitlines()[-1:] == ["relevant(w)."]
    assert (
        str(Literal("links_to", ("http://a.example/", "it's", "e1"))) == "links_to('http://a.example/', 'it\\'s', e1)"
    )


def test_the_dom_is_rebuilt_from_paths() -> None:
    facts = Facts()
    first = Link("u", "v", "Hamlet", "\tOthello", path="div#main>ul.plays>li>a", position=0, block=7)
    second = first._replace(url="w", anchor="Othello", around="Hamlet\t", position=1)
    other = second._replace(url="x", position=2, block=9)
    for link in (first, second, other):
        facts.add(link, {"text_has": [link.anchor.lower()]}, {"text_has": link.around.lower().split()})
    assert tags(first.path) == ("div", "ul", "li", "a")
    facts.judged = {"w": True}
    assert cover(BY_SIBLING, facts, ["v", "x"]) == 0b01  # x is in another list
    assert cover(parse("links_to(Y, X, A), parent(A, B), text_has(B, othello)"), facts, ["v", "w"]) == 0b01


def test_links_and_targets_that_came_to_light_later_do_not_count() -> None:
    facts = Facts([("y", "x", "a"), ("y", "z", "b")], judged={"y": True, "x": True, "z": True})
    assert cover(BY_CO_LINK, facts, ["x", "z"]) == 0b10
    assert cover(BY_SOURCE, facts, ["x", "z"]) == 0b11
    late = Facts([("y", "x", "a")], judged={"x": True, "y": True})
    assert cover(parse("links_to(Y, X)"), late, ["x"]) == 0


def chance_facts(seed: int) -> Facts:
    """Small webs of lists and paragraphs, visited in the order of their names."""
    chance, facts = Random(seed), Facts(has={"tag": {}, "text_has": {}, "url_has": {}})
    pages = [f"p{number}" for number in range(12)]
    facts.judged = {page: chance.random() < 0.5 for page in pages[:10]}
    for page in pages[:10]:
        root, blocks = f"r{page}", [f"b{page}n{number}" for number in range(2)]
        facts.has["tag"][root] = ["body"]
        for block in blocks:
            facts.parent[block], facts.has["tag"][block] = root, [chance.choice(["ul", "p"])]
            for number in range(chance.randint(1, 3)):
                item, anchor = f"{block}i{number}", f"{block}a{number}"
                facts.parent[item], facts.has["tag"][item] = block, [chance.choice(["li", "p"])]
                facts.parent[anchor], facts.has["tag"][anchor] = item, ["a"]
                facts.has["text_has"][item] = [chance.choice(["scene", "act"])]
                facts.has["text_has"][anchor] = chance.sample(["i", "ii", "iii"], 2)
                facts.has["url_has"][anchor] = [chance.choice(["shakespeare", "other"])]
                facts.links.append((page, chance.choice(pages), anchor))
    return facts


def deduced(bodies: list[tuple[Literal, ...]], facts: Facts, pages: list[str]) -> list[int]:
    """The covers that an engine for logic programs finds; what was known before a visit is a relation there."""
    order = list(facts.judged)
    times = {page: at for at, page in enumerate(order)}
    before = "".join(f"before({x},{y}). " for x in pages for y in order if times[y] < times.get(x, len(order)))
    rules = [f"covers({number},X) :- {', '.join(map(_for_engine, body))}." for number, body in enumerate(bodies)]
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join([facts.prolog(), before, *rules]))
    control.ground([("base", [])])
    found = [0] * len(bodies)
    for symbol in control.symbolic_atoms.by_signature("covers", 2):
        number, page = symbol.symbol.arguments
        if page.name in pages:
            found[number.number] |= 1 << pages.index(page.name)
    return found


def _for_engine(literal: Literal) -> str:
    match literal:
        case "links_to", (source, target, *anchor):
            known = f", before(X, {source})" if target == "X" else ""
            return f"links_to({source}, {target}, {anchor[0] if anchor else '_'}){known}"
        case "target", (anchor,):
            return f"links_to(_, T{anchor}, {anchor}), relevant(T{anchor}), before(X, T{anchor})"
        case "relevant", (page,):
            return f"relevant({page}), before(X, {page})"
    return str(literal)


@pytest.mark.parametrize("seed", range(20))
def test_covers_are_those_of_an_independent_engine(seed: int) -> None:
    facts = chance_facts(seed)
    pages = [f"p{number}" for number in range(12) if any(row[1] == f"p{number}" for row in facts.links)]
    assert [cover(body, facts, pages) for body in SHAPES] == deduced(SHAPES, facts, pages)


@pytest.mark.parametrize("seed", [0, 1, 3, 4])
def test_found_rules_cover_what_the_engine_says(seed: int) -> None:
    facts = chance_facts(seed)
    pages = [page for page in facts.judged if any(row[1] == page for row in facts.links)]
    rules = discover(facts, pages, support=2, confidence=0.6, effort=400)
    assert rules
    assert [rule.cover for rule in rules] == deduced([rule.body for rule in rules], facts, pages)
    good = sum(facts.judged[page] << at for at, page in enumerate(pages))
    assert all((rule.cover & good).bit_count() == rule.positives for rule in rules)


def counted(owner: np.ndarray, conditions: list[tuple[Literal, ...]], holds: np.ndarray) -> CountTable:
    """A table from flags, conditions by rows."""
    return CountTable(owner, conditions, Relation.of_groups([np.flatnonzero(flags) for flags in holds]))


def conjunctions(seed: int) -> tuple[CountTable, np.ndarray]:
    """Rows of conditions of chance, one or two for each of forty instances."""
    chance = np.random.default_rng(seed)
    owner = np.sort(np.concatenate([np.arange(40), chance.integers(0, 40, 20)]))
    holds = chance.random((7, len(owner))) < 0.6
    conditions = [(Literal("text_has", ("A", f"w{number}")),) for number in range(7)]
    return counted(owner, conditions, holds), chance.random(40) < 0.4


@pytest.mark.parametrize("seed", range(10))
def test_best_first_with_the_bound_finds_what_a_full_search_finds(seed: int) -> None:
    table, relevant = conjunctions(seed)
    best: dict[int, float] = {}
    for subset in range(1, 2**7):
        chosen = [at for at in range(7) if subset >> at & 1]
        covered = np.unique(table.owner[Node(table, tuple(chosen), np.arange(0)).rows()])
        good = int(relevant[covered].sum())
        rule = Rule((), good, len(covered) - good)
        if good >= 3 and rule.confidence >= 0.5 and rule.quality(40, relevant.mean()) > 0:
            best[bits(covered, 40)] = rule.quality(40, relevant.mean())
    found = Search(relevant, support=3, confidence=0.5, most=5).run(table)
    expected = sorted(best.values(), reverse=True)[:5]
    assert [rule.quality(40, relevant.mean()) for rule in found] == pytest.approx(expected)


def test_of_equal_covers_the_shorter_rule_is_kept() -> None:
    owner = np.arange(10)
    holds = np.array([[1] * 8 + [0] * 2, [1] * 6 + [0] * 4, [1] * 6 + [0, 0, 1, 0]], dtype=bool)
    conditions = [(Literal("text_has", ("A", word)),) for word in ("a", "b", "c")]
    found = Search(np.arange(10) < 6, support=3).run(counted(owner, conditions, holds))
    assert [str(rule) for rule in found][:1] == ["relevant(X) :- links_to(Y, X, A), text_has(A, b).  % +6 -0"]
    assert len({rule.cover for rule in found}) == len(found)


def test_the_sibling_shape_is_found() -> None:
    """Lists of four: once one of a list was relevant all are; nothing else tells them."""
    facts = Facts(judged={}, has={"tag": {}})
    for number in range(20):
        source, block, good = f"s{number}", f"u{number}", number % 2 == 0
        facts.judged[source] = False
        facts.has["tag"][block] = ["ul"]
        for place in range(4):
            item, anchor = f"i{number}n{place}", f"a{number}n{place}"
            facts.parent |= {anchor: item, item: block}
            facts.has["tag"] |= {anchor: ["a"], item: ["li"]}
            facts.links.append((source, f"t{number}n{place}", anchor))
            facts.judged[f"t{number}n{place}"] = good
    pages = [page for page in facts.judged if page[0] == "t"]
    [best, *_] = discover(facts, pages, support=10)
    assert (best.positives, best.negatives) == (30, 0)
    assert cover(BY_SIBLING, facts, pages) == best.cover


def test_rules_of_nearly_the_same_cover_are_one() -> None:
    wide, nearly = Rule(BY_URL, 20, 0, 2**20 - 1), Rule(BY_ANCHOR, 19, 0, 2**19 - 1)
    other = Rule(BY_PARAGRAPH, 5, 0, 31 << 20)
    assert distinct([wide, nearly, other]) == [wide, other]
    assert distinct([wide, other], most=1) == [wide]


def test_a_special_case_stays_only_if_it_is_surer() -> None:
    general, finer = Rule(START, 20, 5, 2**25 - 1), (*START, Literal("text_has", ("A", "ii")))
    assert distinct([general, Rule(finer, 8, 2, 2**10 - 1)]) == [general]
    assert len(distinct([general, Rule(finer, 10, 0, 2**10 - 1)])) == 2


@pytest.mark.parametrize(("positives", "support"), [(0, 5), (500, 5), (501, 6), (5000, 50)])
def test_support_that_is_enough(positives: int, support: int) -> None:
    assert enough(np.ones(positives, dtype=bool)) == support


def test_nothing_to_learn_from() -> None:
    assert discover(Facts([("u", "v", "a")], judged={"v": True}), ["v"], support=1) == []
    none = CountTable(np.zeros(0, dtype=np.int64), [], np.zeros((0, 0), dtype=bool))
    assert Search(np.zeros(0, dtype=bool), support=1).run(none) == []
