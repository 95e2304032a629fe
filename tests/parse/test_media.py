from __future__ import annotations

import pytest

from clew.config import Scope
from clew.parse import document, parse
from clew.types import Fetched, Link

URL = "http://a.org/page.html"


def links(html: str, with_media: bool = True) -> list[Link]:
    return list(parse(html.encode(), URL, "text/html", with_media=with_media).links)


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<img src=a.png>", "a.png"),
        ("<img src='data:image/gif;base64,R0' data-src=a.png>", "a.png"),
        ("<img srcset='small.png 480w, a.png 1200w'>", "a.png"),
        ("<picture><source srcset='a.webp 1x, b.webp 2x'><img></picture>", "b.webp"),
        ("<picture><source srcset='a.webp'><img src=a.png></picture>", "a.png"),
        ("<video><source src=a.mp4><source src=a.webm></video>", "a.mp4"),
        ("<audio src=a.ogg></audio>", "a.ogg"),
        ("<embed src=a.swf type=application/x-shockwave-flash>", "a.swf"),
        ("<object data=a.svg type=image/svg+xml></object>", "a.svg"),
    ],
)
def test_each_file_that_a_page_shows_is_one_link(html: str, name: str) -> None:
    assert [link.url for link in links(html)] == [f"http://a.org/{name}"]
    assert links(html, with_media=False) == []


@pytest.mark.parametrize(
    "html",
    [
        "<img alt=nothing>",
        "<img src='data:image/gif;base64,R0'>",
        "<img src=count.gif width=1 height=1>",
        "<body><noscript>Please switch on JavaScript <img src=count.gif></noscript>",
        "<template><img src=a.png></template>",
        "<video></video>",
        "<source src=a.mp4>",
        "<embed src=a.js type=text/javascript>",
    ],
)
def test_what_shows_nothing_is_no_link(html: str) -> None:
    assert links(html) == []


@pytest.mark.parametrize(
    ("html", "anchor"),
    [
        ("<img src=a.png alt=' Two  boats ' title=x>", "Two boats"),
        ("<img src=a.png alt='' title=Boats>", "Boats"),
        ("<figure><div><img src=a.png></div><figcaption>The <a href=/b>boats</a></figcaption></figure>", "The boats"),
        ("<figure></figure><p><img src=a.png>", ""),
    ],
)
def test_the_anchor_is_what_the_page_calls_it(html: str, anchor: str) -> None:
    assert links(html)[0].anchor == anchor


def test_an_image_has_context_and_changes_nothing_else() -> None:
    html = "<h1>Regatta</h1><p>Before <a href=/b>b</a> it <img src=a.png alt=Boats> and after"
    first, image = links(html)
    assert (image.kind, image.heading, image.around) == ("img", "Regatta", "Regatta Before b it\tand after")
    assert [first] == links(html, with_media=False)
    whole = parse(html.encode(), URL, "text/html")
    assert parse(html.encode(), URL, "text/html", with_media=True).text == whole.text


def test_a_media_file_has_neither_words_nor_links() -> None:
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><text>Boats</text><a href='/b'>b</a></svg>"
    answer = Fetched("http://a.org/a.svg", 200, (("Content-Type", "image/svg+xml"), ("X-Robots-Tag", "noindex")), svg)
    doc = document(answer, Scope(media=True))
    assert (doc.media, doc.text, doc.links, doc.noindex) == (True, "", (), True)
    assert not document(answer, Scope()).media
