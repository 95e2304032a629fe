"""What repeats on most pages of a host is left out, as far as it was known at the time of a visit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import StoreError
from clew.filters import boilerplate
from clew.filters.boilerplate import Boilerplate
from clew.parse import parse
from clew.text.terms import terms
from clew.types import Doc

HOST = "http://a.test"
MENU = '<nav><ul><li><a href="/">Home</a><li><a href="/sail">Sailing boats</a></ul></nav>'
OWN = ["oak", "pine", "elm", "ash", "yew", "fir", "larch", "teak"]


def page(word: str, menu: str = MENU, footer: str = "<footer>Page 7, sailing since 1999</footer>") -> Doc:
    own = f"<h1>{word.title()}</h1><p>All about {word} and its <a href='/{word}/wood'>wood</a> for builders.</p>"
    body = f"<title>{word} | Sailing shop</title>{menu}{own}{footer}"
    return parse(body.encode(), f"{HOST}/{word}", "text/html")


def learnt(docs: list[Doc]) -> Boilerplate:
    known = Boilerplate()
    for order, doc in enumerate(docs):
        known.learn(doc, order)
    return known


def test_everything_counts_until_four_pages_are_known():
    docs = [page(word) for word in OWN]
    assert learnt(docs[:3]).content(docs[4], 3) is docs[4]
    assert "sail" not in learnt(docs[:4]).content(docs[4], 4).terms


def test_text_terms_title_and_links_without_the_menu():
    docs = [page(word) for word in OWN]
    content = learnt(docs[:5]).content(docs[5], 5)
    assert content.title == "fir"
    assert content.text == "fir\n\nFir\nAll about fir and its wood for builders."
    assert content.terms == terms(content.text) == {"fir": 3, "wood": 1, "builder": 1}
    home, sail, wood = content.links
    assert (sail.url, sail.anchor, sail.around, sail.heading, sail.menu) == (
        f"{HOST}/sail",
        "Sailing boats",
        "",
        "",
        True,
    )
    assert home.menu
    assert not wood.menu
    # Of the heading and the paragraph the context is kept; of the footer, nothing is left.
    assert (wood.around, wood.heading) == ("Fir All about fir and its\tfor builders.", "Fir")
    assert docs[5].links[2].around.endswith("sailing since 1999")


def test_numbers_and_dates_change_and_are_boilerplate_all_the_same():
    docs = [page(word, footer=f"<p>Sailing news of May {number}, 20{number}") for number, word in enumerate(OWN, 10)]
    assert "sail" not in learnt(docs[:4]).content(docs[5], 5).terms


def test_a_heading_or_a_paragraph_is_no_menu_item():
    docs = [page(word) for word in OWN]
    about = page("sailing boats")
    content = learnt(docs).content(about, 9)
    assert content.terms["sail"] == about.terms["sail"] - 3  # the item, the footer and the name of the shop
    assert content.text.startswith("sailing boats\n\nSailing Boats\nAll about sailing boats")


def test_half_of_the_pages_are_not_most():
    docs = [page(word, menu=MENU if number % 2 else "") for number, word in enumerate(OWN)]
    known = learnt(docs)
    assert "Sailing boats" in known.content(docs[7], 8).text
    assert "since" not in known.content(docs[7], 8).text


def test_other_hosts_are_left_alone():
    known = learnt([page(word) for word in OWN])
    elsewhere = parse(b"<p>x" + MENU.encode(), "http://b.test/", "text/html")
    assert known.content(elsewhere, 9) is elsewhere


def test_a_page_of_nothing_but_menus_stays_as_it_is():
    known = learnt([page(word) for word in OWN])
    bare = parse(MENU.encode(), f"{HOST}/bare", "text/html")
    assert known.content(bare, 9) is bare


def test_a_visit_shows_the_same_content_whenever_it_is_read_again():
    docs = [page(word) for word in OWN * 3]
    known = Boilerplate()
    then = []
    for order, doc in enumerate(docs):
        then.append(known.content(doc, order))
        known.learn(doc, order)
    assert [known.content(doc, order) for order, doc in enumerate(docs)] == then
    assert then[3] is docs[3]
    assert then[4] is not docs[4]


def test_what_was_saved_goes_on_as_if_it_had_not_been():
    docs = [page(word) for word in OWN]
    whole = learnt(docs[:6])
    restored = Boilerplate()
    restored.load(learnt(docs[:6]).save())
    for known in (whole, restored):
        known.learn(docs[6], 6)
    assert [*restored.hosts.items()] == [*whole.hosts.items()]
    assert (restored.blocks, restored.repeated) == (whole.blocks, whole.repeated)
    assert restored.content(docs[7], 7) == whole.content(docs[7], 7)
    with pytest.raises(StoreError, match="no 'hosts'"):
        restored.load({})


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(boilerplate, "MAX_BLOCKS", 300)
    monkeypatch.setattr(boilerplate, "MAX_BLOCKS_PER_HOST", 60)
    monkeypatch.setattr(boilerplate, "MAX_REPEATED", 25)
    known = Boilerplate()
    for order in range(600):
        host = f"http://h{order // 6}.test/{order}"
        lines = "\n".join(f"{'x' * line} {'y' * order}" for line in range(20))
        known.learn(Doc(host, text=f"Menu\nFooter\n{lines}"), order)
        assert known.blocks == sum(len(host.counts) for host in known.hosts.values()) <= 300
        assert known.repeated == sum(len(host.repeated) for host in known.hosts.values()) <= 25
        assert all(len(host.counts) <= 60 for host in known.hosts.values())
    # The first hosts were the first to teach something, and it is still known.
    assert known.content(Doc("http://h0.test/", text="Menu\nOwn"), 600).text == "Own"


def test_a_long_crawl_of_one_host_follows_its_menus():
    known = Boilerplate()
    for order in range(300):
        menu = "Old menu" if order < 100 else "New menu"
        known.learn(Doc(f"{HOST}/{order}", text=f"{menu}\nOwn {'x' * order}"), order)
    assert known.content(Doc(HOST, text="New menu\nOld menu\nText"), 300).text == "Text"


lines = st.lists(
    st.sampled_from(["", "Menu", "Boats of oak", "the", "Page 3", "日本語", "x-y", "Seite 4 von 5"]), max_size=9
)


@given(st.lists(st.tuples(st.sampled_from(["", "Menu", "Menu - Oak", "Oak"]), lines), min_size=5, max_size=9))
def test_terms_are_those_of_the_text(pages):
    docs = []
    for number, (title, body) in enumerate(pages):
        text = "\n".join([title, *body] if title else body).strip("\n")
        docs.append(Doc(f"{HOST}/{number}", title, text, terms(text, "de"), language="de"))
    known = learnt(docs)
    for doc in docs:
        content = known.content(doc, len(docs))
        assert content.terms == terms(content.text, "de")
