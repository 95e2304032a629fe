from __future__ import annotations

import pytest

from clew.parse import parse
from clew.parse.scripts import MAX_SCRIPT_LINKS_PER_PAGE

URL = "http://a.org/dir/page"


def found(page: str) -> list[tuple[str, str]]:
    doc = parse(page.encode(), URL, "text/html", script_links=True)
    assert [link.position for link in doc.links] == list(range(len(doc.links)))
    return [(link.url, link.anchor) for link in doc.links if link.kind == "script"]


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr data-href='x'>",
        '<div data-url=" x#part ">',
        "<li data-link=x>",
        "<b onclick=\"location.href='x'\">",
        "<b onclick=\"window.location='x'; return false\">",
        "<b onclick=\"document.location.href = 'x'\">",
        "<b onclick=\"window.open('x', '_blank')\">",
        "<b onmousedown=\"location.assign('x')\">",
        "<script>if (old) { window.location.replace('/dir/x') }</script>",
        '<script>location = "http://a.org/dir/x"</script>',
    ],
)
def test_plain_addresses(page: str):
    assert found(page) == [("http://a.org/dir/x", "")]
    assert parse(page.encode(), URL, "text/html").links == ()


@pytest.mark.parametrize(
    "page",
    [
        "<img srcset='x.jpg 2x' src=x.jpg>",
        "<source data-srcset=x>",
        "<b onclick=\"go('x')\">",
        "<b onclick=\"location='x' + id\">",
        "<b onclick='location = target'>",
        "<b data-href='javascript:x'>",
        "<b data-href=''>",
        "<b data-href>",
        "<b data-href='#top'>",
        "<script>var path = '/x'; mylocation='x'</script>",
        "<script src=x>location='x'</script>",
        "<a href=x data-href=x>x</a>",
    ],
)
def test_no_plain_address(page: str):
    assert found(page) == []


def test_words_order_and_doubles():
    page = (
        "<p><a href=a>a</a><b data-href=b>the <i>b</i><script>x</script></b><b data-href=b>again</b><b data-url=c></b>"
    )
    assert found(page) == [("http://a.org/dir/b", "the b"), ("http://a.org/dir/c", "")]


def test_the_base_counts():
    assert found("<base href='/b/'><p data-href=x>x") == [("http://a.org/b/x", "x")]


def test_bounded():
    assert (
        len(found("".join(f"<p data-href={i} data-url={i}a onclick=\"location='{i}b'\">" for i in range(5000))))
        == MAX_SCRIPT_LINKS_PER_PAGE
    )
    assert found("<script>" + "location = " * 200_000 + "'x'</script>") == []
    assert len(found("<div data-href=x>" * 5000)) == 1
