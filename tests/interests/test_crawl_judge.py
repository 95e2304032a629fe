"""The judge that learns: what goes with the user's words counts, and nothing makes it forget them."""

from __future__ import annotations

import random

import pytest

from clew.base import codec
from clew.config import Topic
from clew.interests import CrawlJudge, Formula, LearningInterest, build, crawl_judge
from clew.interests.crawl_judge import Rejudged
from clew.interests.page_table import MAX_PAGES, PageTable
from clew.text.terms import terms
from clew.types import Doc, Link, Page

SAILING = ["jib", "spinnaker", "helm", "regatta", "keel", "mast", "rigging", "harbour", "crew", "gybe", "buoy", "rope"]
GOLF = ["putt", "fairway", "bunker", "caddie", "birdie", "clubhouse", "driver", "iron", "handicap", "hole", "swing"]
COMMON = ["page", "site", "news", "contact", "year", "people", "time", "place", "world", "small", "large", "open"]


def text(words: list[str], seed: int, keyword: str = "") -> str:
    draw = random.Random(seed)
    return " ".join([*draw.choices(words, k=40), *draw.choices(COMMON, k=40), *[keyword] * 3 * bool(keyword)])


def page(number: int, words: str, interest: Formula, site: str = "a.example", links: tuple[Link, ...] = ()) -> Page:
    url = f"http://{site}/{number}"
    doc = Doc(url, text=words, terms=terms(words, "en"), language="en")
    judgement = interest.judge(doc)
    return Page(url, number, terms=doc.terms, language="en", links=links, **judgement._asdict())


def taught(formula: str, count: int = 80, topics: dict[str, Topic] | None = None) -> tuple[CrawlJudge, list[Page]]:
    """A crawl of which half is about sailing; only every third of these pages says so."""
    interest = build(formula, topics or {}, read=lambda place: examples())
    judge = CrawlJudge.of(LearningInterest(interest))
    assert judge
    pages: list[Page] = []
    for number in range(count):
        is_sailing = number % 2 == 0
        keyword = "sailing" if number % 6 == 0 else ""
        words = text(SAILING if is_sailing else GOLF, number, keyword)
        pages.append(page(number, words, interest))
        judge.add(number, pages[-1], [], is_start=number == 0, may_count=True)
    return judge, pages


def examples() -> list[Doc]:
    docs = [text(SAILING, 1000 + number) for number in range(4)]
    return [Doc(f"example{n}", text=words, terms=terms(words, "en"), language="en") for n, words in enumerate(docs)]


def verdicts(judge: CrawlJudge) -> dict[int, float]:
    return {each.slot: each.relevance for each in judge.refit()}


def test_pages_that_never_use_the_word_count_if_they_are_like_those_that_do() -> None:
    judge, _ = taught("sailing")
    found = verdicts(judge)
    right = [(relevance >= 0.5) == (slot % 2 == 0) for slot, relevance in found.items()]
    assert sum(right) > 0.9 * len(right)
    silent = [relevance for slot, relevance in found.items() if slot % 6 in (2, 4)]
    assert sum(relevance >= 0.5 for relevance in silent) > 0.8 * len(silent)


def test_five_examples_are_enough() -> None:
    judge, _ = taught("boats", topics={"boats": Topic(examples=("here",))})
    found = verdicts(judge)
    right = [(relevance >= 0.5) == (slot % 2 == 0) for slot, relevance in found.items()]
    assert sum(right) > 0.9 * len(right)


def test_a_new_page_is_judged_as_one_of_the_crawl_would_be() -> None:
    judge, _ = taught("sailing")
    judge.refit()
    interest = build("sailing", {})
    sailing = judge.judge(page(500, text(SAILING, 500), interest))
    golf = judge.judge(page(501, text(GOLF, 501), interest))
    assert (sailing.relevant, golf.relevant) == (True, False)
    assert sailing.topics["learned"] == sailing.relevance > 0.5 > golf.relevance


def test_before_the_first_fit_the_formula_decides() -> None:
    interest = build("sailing", {})
    judge = CrawlJudge.of(LearningInterest(interest))
    assert judge
    assert not judge.is_due
    plain = page(1, text(GOLF, 1, "sailing"), interest)
    assert judge.judge(plain).relevance == plain.relevance


@pytest.mark.parametrize(
    ("formula", "url", "counts"),
    [
        ('sailing AND url("a.example")', "a.example", True),
        ('sailing AND url("a.example")', "b.example", False),
        ("sailing AND NOT spinnaker", "a.example", False),
    ],
)
def test_predicates_and_negated_parts_hold_whatever_is_learned(formula: str, url: str, counts: bool) -> None:
    judge, _ = taught(formula)
    judge.refit()
    words = "jib helm regatta keel mast rigging spinnaker spinnaker spinnaker " + text(SAILING[2:], 7, "sailing")
    assert judge.judge(page(500, words, build(formula, {}), site=url)).relevant == counts


def test_labels_change_the_verdict_on_pages_like_them() -> None:
    judge, _ = taught("sailing")
    before = verdicts(judge)
    # The user wants golf, too: ten yes labels.
    for slot in range(1, 21, 2):
        judge.label(slot, relevant=True)
    assert judge.is_due
    after = verdicts(judge)
    others = [slot for slot in after if slot % 2 == 1 and slot > 20]
    assert sum(after[slot] >= 0.5 for slot in others) > 0.8 * len(others)
    assert sum(before[slot] >= 0.5 for slot in others) < 0.2 * len(others)
    assert not set(range(1, 21, 2)) & set(after)  # what the user says is not judged


def test_linked_pages_and_hosts_speak_for_a_page_where_relevance_follows_them() -> None:
    interest = build("sailing", {})
    judge = CrawlJudge.of(LearningInterest(interest))
    assert judge
    for number in range(80):
        is_sailing = number % 2 == 0
        words = text(SAILING if is_sailing else GOLF, number, "sailing" if is_sailing else "")
        linked = [number - 2, number - 4] if number > 4 else []
        site = "sail.example" if is_sailing else "golf.example"
        judge.add(number, page(number, words, interest, site), linked, is_start=number == 0, may_count=True)
    judge.refit()
    vague = text([*SAILING[:3], *GOLF[:3]], 900)
    among_boats = judge.judge(page(900, vague, interest, "sail.example"), [70, 72, 74, 76])
    on_the_green = judge.judge(page(901, vague, interest, "golf.example"), [71, 73, 75, 77])
    assert among_boats.relevance > on_the_green.relevance + 0.1


def test_nothing_is_learned_while_no_page_mentions_all_that_is_wanted() -> None:
    judge, pages = taught("sailing AND golf")
    assert judge.refit() == []
    assert judge.judge(pages[6]).relevance == pages[6].relevance == 0.0


def test_one_label_does_not_turn_a_small_crawl_around() -> None:
    judge, _ = taught("sailing", count=60)
    before = verdicts(judge)
    low = min((slot for slot in before if slot % 2 == 1), key=before.__getitem__)
    judge.label(low, relevant=True)
    after = verdicts(judge)
    changed = [slot for slot in after if (after[slot] >= 0.5) != (before[slot] >= 0.5)]
    assert len(changed) <= 6


def test_what_is_saved_judges_alike() -> None:
    judge, _ = taught("sailing")
    judge.refit()
    saved = judge.save()
    plain = codec.loads(codec.dumps(saved["plain"]))
    other, _ = taught("sailing", count=0)
    other.load({"table": saved["table"], "plain": plain})
    new = page(500, text(SAILING, 500), build("sailing", {}))
    assert other.judge(new, [2, 4]) == judge.judge(new, [2, 4])
    assert other.refit() == judge.refit()


def test_pages_are_judged_again_in_bounded_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, _ = taught("sailing", count=100)
    found = at_once.refit()
    monkeypatch.setattr(crawl_judge, "ROWS_PER_STEP", 7)
    judge, _ = taught("sailing", count=100)
    sizes: list[int] = []
    evidence = judge._evidence
    monkeypatch.setattr(judge, "_evidence", lambda rows: sizes.append(len(rows)) or evidence(rows))
    judge.fit()
    in_steps: list[Rejudged] = []
    while judge.is_behind:
        in_steps += judge.step()
    assert max(sizes) == 7
    assert sum(sizes) == 2 * 100
    assert in_steps == found


def test_the_words_that_it_has_learned_are_named() -> None:
    judge, _ = taught("sailing")
    judge.refit()
    words = text(SAILING, 2)
    [found] = judge.telling_words(Doc("u", text=words, terms=terms(words, "en"), language="en"))
    assert found.words.keys() <= set(SAILING)
    assert found.words


def test_an_interest_of_predicates_alone_has_nothing_to_learn() -> None:
    assert CrawlJudge.of(LearningInterest(build('url("a.example")', {}))) is None
    assert CrawlJudge.of(build("sailing", {})) is None


def test_the_table_forgets_its_oldest_pages_but_not_the_labelled() -> None:
    judge, _ = taught("sailing", count=0)
    interest = build("sailing", {})
    for number in range(MAX_PAGES + 1):
        judge.add(number, page(number, f"boat {number}", interest), [number - 1], number == 0, True)
        if number == 7:
            judge.label(7, relevant=True)
    table: PageTable = judge.table
    assert len(table) < 0.6 * MAX_PAGES
    assert {0, 7, MAX_PAGES} <= set(table.slots)
    assert 8 not in table.row_of
    assert table.seen == MAX_PAGES + 1
