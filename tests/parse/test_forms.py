"""Which forms may be filled in, and what is sent then."""

from __future__ import annotations

import pytest

from clew.config import Scope
from clew.parse import document
from clew.parse.forms import query_url
from clew.parse.html import parse
from clew.types import Fetched, Form, FormField

PAGE = "http://docs.example/guide/index.html?v=2"
BOX = "<input name=q>"


def forms_of(html: str) -> tuple[Form, ...]:
    return parse(html.encode(), PAGE, "text/html", with_forms=True).forms


def test_a_search_box_with_its_fixed_fields() -> None:
    [form] = forms_of(
        "<form action='../find?old=1#top' role=search><input type=search name=q placeholder='Search the docs'>"
        "<input type=hidden name=lang value=en><input type=checkbox name=exact checked><input type=checkbox name=all>"
        "<input type=radio name=in value=title><input type=radio name=in value=text checked>"
        "<input type=submit name=go value=Find></form>"
    )
    assert (form.action, form.label, form.is_search) == ("http://docs.example/find", "Find", True)
    assert [field.name for field in form.fields] == ["q", "lang", "exact", "in"]
    assert query_url(form, {"q": "läufe"}) == "http://docs.example/find?q=l%C3%A4ufe&lang=en&exact=on&in=text"


def test_lists_have_options_and_the_selected_one_is_sent() -> None:
    [form] = forms_of(
        "<form action=/find><select name=kind><option value=''>All<option value=b selected>Boats<option>Sails</select>"
        "</form>"
    )
    assert form.fields == (FormField("kind", "b", (("", "All"), ("b", "Boats"), ("Sails", "Sails"))),)
    assert query_url(form, {"kind": "Sails"}) == "http://docs.example/find?kind=Sails"
    assert query_url(form, {}) == "http://docs.example/find?kind=b"


@pytest.mark.parametrize(
    "html",
    [
        f"<form method=post>{BOX}</form>",
        f"<form method=' POST '>{BOX}</form>",
        f"<form method=dialog>{BOX}</form>",
        f"<form>{BOX}<input type=password name=p></form>",
        f"<form>{BOX}<input type=file name=f></form>",
        f"<form>{BOX}<input type=hidden name=csrf_token value=1></form>",
        f"<form>{BOX}<input type=hidden name=__VIEWSTATE value=1></form>",
        "<form><input name=email></form>",
        "<form><input name=your-email></form>",
        "<form><input type=email name=x></form>",
        "<form><input name=user_name></form>",
        "<form><textarea name=q></textarea></form>",
        "<form><input name=from><input name=to></form>",
        f"<form>{BOX}<input type=date name=d required></form>",
        f"<form action=/cart/add>{BOX}</form>",
        f"<form action=/delete>{BOX}</form>",
        f"<form>{BOX}<button>Subscribe</button></form>",
        f"<form>{BOX}<input type=submit value='Log in or sign up: login'></form>",
        f"<form rel=nofollow>{BOX}</form>",
        f"<form action=https://search.example.org/find>{BOX}</form>",
        f"<form action=mailto:me@docs.example>{BOX}</form>",
        "<form><input type=submit name=go value=go></form>",
        f"<form>{''.join(f'<input type=hidden name=h{n}>' for n in range(20))}{BOX}</form>",
        f"<form>{BOX * 50}</form>",
    ],
)
def test_left_alone(html: str) -> None:
    assert forms_of(html) == ()


def test_of_several_texts_the_one_for_searches_is_filled_in() -> None:
    [form] = forms_of("<form><input name=filter_value><input type=search name=_search></form>")
    assert [(field.name, field.is_text) for field in form.fields] == [("filter_value", False), ("_search", True)]


def test_search_boxes_come_first_and_five_are_enough() -> None:
    plain = "".join(f"<form action=/f{n}><input name=x></form>" for n in range(9))
    forms = forms_of(plain + "<form action=/search><input name=x></form>")
    assert [form.action for form in forms] == [
        f"http://docs.example/{name}" for name in ("search", "f0", "f1", "f2", "f3")
    ]


def test_a_form_without_an_action_leads_to_its_own_page_and_to_the_base_otherwise() -> None:
    [form] = forms_of(f"<base href=http://docs.example/other/><form>{BOX}</form>")
    assert form.action == "http://docs.example/guide/index.html"
    [form] = forms_of(f"<base href=http://docs.example/other/><form action=find>{BOX}</form>")
    assert form.action == "http://docs.example/other/find"


def test_sent_in_the_charset_of_the_page() -> None:
    page = f"<meta charset=iso-8859-1><form action=/f>{BOX}</form>"
    [form] = parse(page.encode("latin-1"), PAGE, "text/html", with_forms=True).forms
    assert query_url(form, {"q": "läufe"}) == "http://docs.example/f?q=l%E4ufe"
    assert query_url(form._replace(charset="no such"), {"q": "ä"}) == "http://docs.example/f?q=%C3%A4"


def test_only_where_they_are_wanted_and_may_be_followed() -> None:
    def forms(scope: Scope, *headers: tuple[str, str]) -> int:
        body = f"<form action=/f>{BOX}</form>".encode()
        return len(document(Fetched(PAGE, 200, (("Content-Type", "text/html"), *headers), body), scope).forms)

    assert forms(Scope()) == 0
    assert forms(Scope(forms=True)) == 1
    assert forms(Scope(forms=True), ("X-Robots-Tag", "nofollow")) == 0
    assert forms(Scope(forms=True, nofollow="ignore"), ("X-Robots-Tag", "nofollow")) == 1
