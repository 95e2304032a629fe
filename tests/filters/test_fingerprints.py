"""Fingerprints go by a page's own words, and by its links where these are all it has."""

from __future__ import annotations

import random
from dataclasses import replace

from clew.filters.fingerprints import fingerprint
from clew.parse import parse
from clew.text.simhash import NEAR, hamming
from clew.types import Doc, Link

WORDS = [f"word{number}" for number in range(2000)]


def prose(seed: str, words: int) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def distance(*pages: tuple[str, list[str]]) -> int:
    """In how many bits two pages differ; of each its text and the anchors of its links."""
    fingerprints = []
    for text, anchors in pages:
        links = "".join(f'<li><a href="/{anchor}">{anchor}</a></li>' for anchor in anchors)
        fingerprints.append(fingerprint(parse(f"<p>{text}</p><ul>{links}</ul>".encode(), "http://a.example/")))
    return hamming(*fingerprints)


def anchors(seed: str, count: int) -> list[str]:
    return [prose(f"{seed} {number}", 3) for number in range(count)]


def test_one_text_with_other_links_is_one_page():
    text = prose("text", 200)
    assert distance((text, anchors("one", 10)), (text, anchors("other", 10))) == 0


def test_two_texts_with_one_menu_are_two_pages():
    menu = anchors("menu", 60)
    assert distance((prose("one", 40), menu), (prose("other", 40), menu)) > NEAR


def test_two_lists_with_one_frame_are_two_pages():
    frame = prose("frame", 50)
    assert distance((frame, anchors("one", 60)), (frame, anchors("other", 60))) > NEAR


def test_two_short_pages_are_one_only_with_the_same_links():
    assert distance(("nothing here", ["a", "b"]), ("nothing here", ["c", "d"])) > NEAR
    assert distance(("nothing here", ["a", "b"]), ("nothing here", ["a", "b"])) == 0


def test_short_pages_with_the_same_menu_are_told_apart():
    menu = tuple(Link("", f"http://a.test/{number}", f"item {number}", menu=True) for number in range(60))
    oak, pine = (Doc("", text=f"All about {tree} wood", links=menu) for tree in ("oak", "pine"))
    assert hamming(fingerprint(oak), fingerprint(pine)) > NEAR
    plain = tuple(link._replace(menu=False) for link in menu)
    assert hamming(fingerprint(replace(oak, links=plain)), fingerprint(replace(pine, links=plain))) <= NEAR
