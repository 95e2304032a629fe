"""The choice of queries and the budgets of forms, with worked numbers."""

from __future__ import annotations

import pytest

from clew.config import configure
from clew.filters import Filters
from clew.filters.forms import (
    FIRST_QUERIES,
    MAX_FORMS_PER_HOST,
    MAX_NEXT_PAGES_PER_QUERY,
    MAX_QUERIES_PER_FORM,
    FormQueries,
)
from clew.types import Doc, Form, FormField, Link, Page

HOME = "http://a.example/"
BOX = Form("http://a.example/find", (FormField("q", is_text=True),), "Search")


def nothing_known(url: str) -> bool:
    return False


def no_interest(word: str) -> float:
    return 0.0


def page(url: str, relevant: bool = True, source: str = "", ok: bool = True) -> Page:
    return Page(url, relevant=relevant, ok=ok, inlinks=(Link(source, url),) if source else ())


def doc(url: str, text: str) -> Doc:
    return Doc(url, text=text)


def started(text: str = "boats boats sails", form: Form = BOX) -> FormQueries:
    forms = FormQueries(wanted=True)
    forms.record_visit(page(HOME), doc(HOME, text), [form])
    return forms


def ask(forms: FormQueries, rate: float = 0.0) -> list[Link]:
    return [link for link, _ in forms.next_queries(nothing_known, lambda word: rate)]


def answer(forms: FormQueries, link: Link, found: int = 0) -> None:
    """The query is visited, and then so many relevant pages that it has found."""
    forms.record_visit(page(link.url), doc(link.url, "results results"), [])
    for number in range(found):
        url = f"http://a.example/{link.anchor}/{number}"
        forms.record_visit(
            page(url, source=link.url), doc(url, f"boats sails masts {link.anchor}s keel{'x' * number}"), []
        )


def test_a_query_is_a_link_of_its_own_kind_from_the_page_with_the_form() -> None:
    [link] = ask(started())
    assert (link.source, link.url, link.anchor, link.kind) == (HOME, "http://a.example/find?q=boats", "boats", "form")
    assert link.around == "Search\t"


def test_forms_of_irrelevant_pages_are_not_filled_in() -> None:
    forms = FormQueries(wanted=True)
    forms.record_visit(page(HOME, relevant=False), doc(HOME, "boats"), [BOX])
    assert not forms.known


def test_one_query_at_a_time() -> None:
    forms = started()
    [first] = ask(forms)
    assert ask(forms) == []
    answer(forms, first)
    [second] = ask(forms)
    assert second.anchor == "sails"


def test_words_of_other_pages_count_less_and_pages_already_asked_for_too() -> None:
    """Three relevant pages; "wind" is on all of them and on two others, "keel" on two, "mast" on one.

    Gains: wind 3 * 1/(1 + 3/4) = 1.714, keel 2 * .667/(.667 + .25) = 1.455, mast 1 * .333/(.333 + .25) = .571. After
    wind is asked, each page counts half: keel .727, mast .286.
    """
    forms = FormQueries(wanted=True)
    for number, text in enumerate(["wind keel", "wind keel", "wind mast"]):
        forms.learn_words(True, doc(f"{HOME}{number}", text))
    for text in ("wind", "wind"):
        forms.learn_words(False, doc(HOME, text))
    assert forms._gains(set()) == pytest.approx({"wind": 3 / 1.75, "keel": 2 * 8 / 11, "mast": 4 / 7})
    assert forms._gains({"wind"})["keel"] == pytest.approx(8 / 11)
    # A page that an asked word covers counts half, so the uncovered one comes next.
    assert forms._gains({"keel"})["mast"] == pytest.approx(4 / 7)


def test_the_interest_has_a_say() -> None:
    forms = started("boats sails")
    [(link, _)] = forms.next_queries(nothing_known, lambda word: float(word == "sails"))
    assert link.anchor == "sails"


def test_a_form_that_brings_nothing_ends_with_its_first_queries() -> None:
    forms = started("alpha beta gamma delta epsilon zeta eta theta")
    asked = 0
    while links := ask(forms):
        answer(forms, links[0])
        asked += 1
    assert asked == FIRST_QUERIES


def test_the_budget_grows_with_what_a_form_brings_and_has_an_end() -> None:
    forms = started("alpha beta gamma delta epsilon zeta eta theta iota kappa")
    [link] = ask(forms)
    answer(forms, link, found=6)
    assert forms.known[BOX.action]["finds"] == 6
    assert forms.budget(BOX.action) == FIRST_QUERIES + 3
    forms.known[BOX.action]["finds"] = 10**6
    assert forms.budget(BOX.action) == MAX_QUERIES_PER_FORM


def test_a_form_is_asked_until_its_budget_is_used_up_and_no_longer() -> None:
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
    for finds, queries in ((0, FIRST_QUERIES), (6, FIRST_QUERIES + 3)):
        forms = started(words)
        asked: list[str] = []
        # One try more than there are words: the budget must end the queries, not the words.
        for number in range(12):
            links = ask(forms)
            asked += [link.url for link in links]
            for link in links:
                answer(forms, link, found=finds if number == 0 else 0)
        assert len(asked) == len(set(asked)) == queries


def test_pages_of_results_are_no_finds_and_teach_no_words() -> None:
    forms = started()
    [link] = ask(forms)
    forms.record_visit(page(link.url), doc(link.url, "spam spam spam"), [])
    second = f"{link.url}&page=2"
    forms.record_visit(page(second, source=link.url), doc(second, "spam spam"), [])
    assert forms.known[BOX.action]["finds"] == 0
    assert "spam" not in forms._gains(set())
    # What the second page leads to was found by the form as well.
    url = "http://a.example/deep"
    forms.record_visit(page(url, source=second), doc(url, "boats"), [])
    assert forms.known[BOX.action]["finds"] == 1


def test_robots_txt_closes_a_form() -> None:
    forms = started()
    [link] = ask(forms)
    forms.record_visit(page(link.url, relevant=False, ok=False), doc(link.url, ""), [], is_refused=True)
    assert ask(forms) == []


def test_a_redirected_query_is_answered_where_it_leads() -> None:
    forms = started()
    [link] = ask(forms)
    target = "http://a.example/find?q=boats&sort=1"
    forms.redirect_query(link.url, target, is_new=True)
    assert ask(forms) == []
    assert forms.is_query(target)
    forms.record_visit(page(target), doc(target, "results"), [])
    assert [link.anchor for link in ask(forms)] == ["sails"]


def test_choices_of_a_list_by_the_words_of_their_labels() -> None:
    options = (("", "All"), ("1", "Golf"), ("2", "Boats and ships"), ("3", "Tennis"))
    forms = started(form=Form("http://a.example/list", (FormField("kind", "", options),)))
    asked = []
    while links := ask(forms):
        asked.append(links[0].url.rpartition("=")[2])
        answer(forms, links[0])
    assert asked == ["2", "1", "3"]


def test_known_urls_are_not_asked_again() -> None:
    forms = started("boats sails")
    [(link, _)] = forms.next_queries(lambda url: url.endswith("boats"), no_interest)
    assert link.anchor == "sails"


def test_few_forms_of_one_host() -> None:
    forms = FormQueries(wanted=True)
    boxes = [BOX._replace(action=f"http://a.example/{n}") for n in range(9)]
    forms.record_visit(page(HOME), doc(HOME, "boats"), [*boxes, BOX._replace(action="http://b.example/")])
    assert len(forms.known) == MAX_FORMS_PER_HOST + 1


def test_other_filters_leave_queries_alone_but_results_are_bounded() -> None:
    filters = Filters(configure(forms=True))
    filters.forms.record_visit(page(HOME), doc(HOME, "boats"), [BOX])
    [(link, _)] = filters.forms.next_queries(nothing_known, no_interest)
    # Both would hold without the form: a useless parameter, and a pattern that fell asleep.
    filters.url_rules.useless["a.example"] = ["q"]
    for number in range(60):
        filters.traps.visit(f"http://a.example/find?q={number}", new=False, relevant=False)
    assert filters.fold(link.url) == link.url
    assert filters.fold("http://a.example/find?q=x") == "http://a.example/find"
    assert filters.refuse(link.url, HOME) == ""
    assert filters.refuse("http://a.example/find?q=x", HOME).startswith("trap: ")
    filters.traps.drowsy.clear()
    pages = [f"{link.url}&page={number}" for number in range(2, 20)]
    admitted = [url for url in pages if not filters.refuse(url, link.url)]
    assert len(admitted) == MAX_NEXT_PAGES_PER_QUERY
    assert filters.refuse(f"{link.url}&sort=name", link.url) == ""
    assert filters.refuse(f"{link.url}&sort=date", link.url).startswith("form: ")
    assert not filters.refuse(admitted[0], link.url), "asked again when a rule was learnt"


def test_saved_and_loaded() -> None:
    filters = Filters(configure(forms=True))
    filters.forms.record_visit(page(HOME), doc(HOME, "boats sails"), [BOX])
    first = next(iter(filters.forms.next_queries(nothing_known, no_interest)))[0]
    other = Filters(configure(forms=True))
    other.load(filters.save())
    assert other.forms.is_query(first.url)
    for each in (filters.forms, other.forms):
        each.close_query(first.url)
    assert ask(other.forms) == ask(filters.forms) != []


def test_results_that_look_alike_are_no_duplicates() -> None:
    filters = Filters(configure(forms=True))
    text = " ".join(f"word{number}" for number in range(200))
    filters.forms.record_visit(page(HOME), doc(HOME, "boats"), [BOX])
    [(link, _)] = filters.forms.next_queries(nothing_known, no_interest)
    filters.record_visit(1, "fetched", False, Doc("http://a.example/other", title="a", text=text, terms={"word": 200}))
    assert filters.examine(Doc("http://a.example/copy", title="a", text=text, terms={"word": 200})).twin == 1
    assert filters.examine(Doc(link.url, title="a", text=text, terms={"word": 200})).twin is None
    # And a page that repeats results is none either: its text may be all that was found.
    other = " ".join(f"other{number}" for number in range(200))
    filters.record_visit(2, "fetched", False, Doc(link.url, title="b", text=other, terms={"other": 200}))
    assert filters.examine(Doc("http://a.example/record", title="b", text=other, terms={"other": 200})).twin is None
