"""Main texts: what is kept, what is left out, and what hostile pages cost."""

from __future__ import annotations

import importlib.util
import time

import pytest

from clew.config import Scope
from clew.errors import ConfigError
from clew.labyrinth.bombs import MARKUP, markup_bomb
from clew.parse.extractors import extractor_named, main_text
from clew.parse.main_text import MAX_MAIN_CHARACTERS
from clew.types import Fetched

PROSE = "Boats of oak are built at the old yard, and they last for a hundred years. " * 3


def page(body: str | bytes, kind: str = "text/html; charset=utf-8", **more: bytes) -> Fetched:
    return Fetched(
        "http://a.example/", 200, (("Content-Type", kind),), body.encode() if isinstance(body, str) else body
    )


def test_menus_and_footers_are_left_out() -> None:
    menu = "<nav><ul><li><a href=/a>Home</a><li><a href=/b>Shop</a></ul></nav>"
    text = main_text(page(f"{menu}<main><h2>Boats</h2><p>{PROSE}</p></main><footer>Imprint</footer>"))
    assert text == f"## Boats\n\n{PROSE.strip()}"


def test_lists_and_code_keep_their_form() -> None:
    items = "<ol><li><p>Cut the planks of the keel with care.</p><li><p>Bend them over steam.</p></ol>"
    code = "<pre>if a &lt; b:\n    `x`</pre>"
    text = main_text(page(f"<main><p>{PROSE}</p>{items}{code}<p>### no heading</p></main>"))
    assert "\n\n1. Cut the planks of the keel with care.\n2. Bend them over steam.\n\n" in text
    assert "\n\n```\nif a < b:\n    `x`\n```\n\n" in text
    assert text.endswith("\\### no heading")


def test_a_page_of_links_has_its_whole_text() -> None:
    links = "".join(f"<li><a href=/{n}>Part {n}</a>" for n in range(30))
    assert "Part 29" in main_text(page(f"<title>Index</title><div class=menu><ul>{links}</ul></div>"))


def test_lists_that_are_nothing_but_links_are_left_out() -> None:
    links = "".join(f"<li><a href=/{n}>More about <b>boats</b></a></li> " for n in range(3))
    said = "<ul><li><a href=/a>Planks</a> of oak<li><a href=/b>Nails</a> of iron<li><a href=/c>Tar</a> from pines</ul>"
    few = "<ol><li><a href=/d>Keel</a><li><a href=/e>Mast</a></ol>"
    text = main_text(page(f"<h1>Boats</h1><p>{PROSE}</p><ul>{links}<li><ol>{links}</ol></ul>{said}{few}"))
    assert (
        text == f"# Boats\n\n{PROSE.strip()}\n\n- Planks of oak\n- Nails of iron\n- Tar from pines\n\n1. Keel\n2. Mast"
    )


def test_a_list_of_links_that_is_most_of_the_page_is_kept() -> None:
    links = "".join(f"<li><a href=/{n}>Boat yard number {n}</a>" for n in range(60))
    assert "Boat yard number 59" in main_text(page(f"<h1>Yards</h1><p>{PROSE}</p><ul>{links}</ul>"))


def test_other_kinds_of_documents() -> None:
    assert main_text(page("plain words of a text file", "text/plain")) == "plain words of a text file"
    assert main_text(page(b"\x89PNG\r\n\x1a\n" + bytes(100), "image/png")) == ""
    assert main_text(page("")) == ""


def test_control_characters_and_zero_width_spaces_go() -> None:
    text = main_text(page(f"<main><p>{PROSE}a&#2;b&#27;[31m c\u200bd \x9b</p></main>"))
    assert text.endswith("ab[31m cd")


@pytest.mark.parametrize("number", range(len(MARKUP)))
def test_markup_bombs_cost_little(number: int) -> None:
    began = time.process_time()
    main_text(page(markup_bomb(number)))
    assert time.process_time() - began < 10


@pytest.mark.parametrize(
    "piece",
    [b"<div>", b"<ul><li>x", b"x<br>", b"<h1>x</h1>", b"<pre>`", b"&lt;", b"<p class='nav menu'>x</p>", b"<b><i>"],
)
def test_repetitions_cost_little_and_the_text_is_bounded(piece: bytes) -> None:
    began = time.process_time()
    text = main_text(page(b"<main>" + piece * (3_000_000 // len(piece))))
    assert time.process_time() - began < 10
    assert len(text) <= MAX_MAIN_CHARACTERS


def test_extractors_that_are_missing_or_unknown() -> None:
    with pytest.raises(ConfigError, match="no extractor 'magic'"):
        extractor_named("magic")
    if importlib.util.find_spec("trafilatura") is None:
        with pytest.raises(ConfigError, match=r"clew-crawler\[text\]"):
            extractor_named("trafilatura")
    else:
        text = extractor_named("trafilatura")(page(f"<nav>Menu</nav><article><p>{PROSE}</p></article>"), Scope())
        assert text == PROSE.strip()


def test_regions_are_known_by_their_names_roles_and_styles() -> None:
    aside = "<div class='site-sidebar'>Old news</div><div role=navigation>Up</div><p style='display: none'>Trap</p>"
    text = main_text(page(f"{aside}<h1>Boats</h1><p>{PROSE}</p><div id=relatedLinks>More</div>"))
    assert text == f"# Boats\n\n{PROSE.strip()}"


def test_a_region_around_the_main_heading_is_kept_whatever_its_name() -> None:
    text = main_text(page(f"<div class='page has-sidebar'><h1>Boats</h1><p>{PROSE}</p></div><p>{PROSE}</p>"))
    assert text.startswith("# Boats")


def test_what_lies_outside_of_the_main_element_is_left_out() -> None:
    text = main_text(page(f"<p>Before</p><div role=main><h1>Boats</h1><p>{PROSE}</p></div><p>Behind</p>"))
    assert text == f"# Boats\n\n{PROSE.strip()}"


def test_tables_have_a_line_for_each_row_and_breaks_stay() -> None:
    table = "<table><tr><th>Wood<th>Years<tr><td>Oak<td>100</table>"
    text = main_text(page(f"<main><p>{PROSE}</p>{table}<p>one<br>two</p></main>"))
    assert text.endswith("Wood | Years\n\nOak | 100\n\none\ntwo")


def test_words_keep_the_signs_that_follow_their_markup() -> None:
    text = main_text(page(f"<main><p>{PROSE}</p><p>Ask <a href=/b>the <b>builders</b></a>, please.</p></main>"))
    assert text.endswith("Ask the builders, please.")
