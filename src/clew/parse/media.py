"""The images, sounds and films of a page: where each of them is, and what the page calls it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from selectolax.lexbor import LexborNode

ELEMENTS: Final = ("audio", "img", "video")
LATER: Final = ("data-src", "data-original", "data-lazy-src")  # where pages keep an address that a script puts in place
NAMES: Final = ("alt", "title", "aria-label")
MAX_CAPTION_CHARACTERS: Final = 300
MAX_LEVELS: Final = 4  # between an element and its <figure>

# An address and, where it says one, its width or density. It may contain commas, but not end with one.
_OFFERED: Final = re.compile(r"([^\s,]\S*[^\s,]|[^\s,])(?:\s+([\d.]{1,9})[wx])?")
_MARKS: Final = re.compile("\0.|[\x01\x02]")

Attributes = Mapping[str, str | None]


def address(tag: str, node: LexborNode, attributes: Attributes) -> str:
    """The address of an image, a sound or a film; "" if there is none.

    What is offered in several formats and sizes is one file all the same: that of the element itself, else the largest.
    """
    for name in ("src", *LATER):
        if _is_file(own := attributes.get(name)):
            return own or ""
    for each in (attributes, *_sources(tag, node)):
        if _is_file(source := each.get("src")):
            return source or ""
        for name in ("srcset", "data-srcset"):
            if largest := largest_of(each.get(name) or ""):
                return largest
    return ""


def largest_of(offered: str) -> str:
    """The address of the largest of the images in a srcset.

    >>> largest_of("small.jpg 480w, large.jpg 1200w"), largest_of("one.jpg, two.jpg 2x"), largest_of("")
    ('large.jpg', 'two.jpg', '')
    """
    best = ""
    most = 0.0
    for url, size in _OFFERED.findall(offered):
        try:
            number = float(size or 1)
        except ValueError:
            continue
        if number > most and _is_file(url):
            best, most = url, number
    return best


def caption(node: LexborNode) -> str:
    """What a page calls an image, a sound or a film: its alternative text, its title, or the caption of its figure."""
    attributes = node.attributes
    for name in NAMES:
        if text := " ".join((attributes.get(name) or "")[:MAX_CAPTION_CHARACTERS].split()):
            return text
    figure = _figure(node)
    found = figure.css_first("figcaption") if figure else None
    if found is None:
        return ""
    # Blocks and links are marked by now.
    return " ".join(_MARKS.sub(" ", found.text(separator=" "))[:MAX_CAPTION_CHARACTERS].split())


def _is_file(url: str | None) -> bool:
    """Whether this is an address, rather than the file itself or a blank in its place."""
    return bool(url and url.strip() and url.lstrip()[:5].lower() != "data:" and not url.startswith("about:"))


def _sources(tag: str, node: LexborNode) -> Iterator[Attributes]:
    """The <source> elements of a sound or film, or of the <picture> around an image."""
    owner = node.parent if tag == "img" else node
    if owner is None or (tag == "img" and owner.tag != "picture"):
        return
    for child in owner.iter():
        if child.tag == "source":
            yield child.attributes


def _figure(node: LexborNode) -> LexborNode | None:
    above = node.parent
    for _ in range(MAX_LEVELS):
        if above is None or above.tag == "figure":
            return above
        above = above.parent
    return None
