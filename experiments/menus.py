"""Measures how much of the text of real sites is boilerplate, and what it costs to find out.

    python experiments/menus.py WORLD [WORD ...]
    python experiments/menus.py FOLDER [WORD ...]

The pages of a recorded world, or the HTML files of a folder, are read in a fixed random order, as one site for each
host or each folder below the given one. Prints the share of words and links that were left out, the time it took, and
for each word on how many pages it occurs at all, and how many are left without the menus.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from clew.base.chance import chance
from clew.filters.boilerplate import Boilerplate
from clew.lab import worlds
from clew.parse import parse
from clew.text.terms import stems
from clew.types import Doc


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", help="the name of a world, or a folder")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    folder = Path(args.place)
    docs = list(files(folder) if folder.is_dir() else recorded(args.place))
    docs.sort(key=lambda doc: chance(1, doc.url))
    known = Boilerplate()
    contents: list[Doc] = []
    began = time.process_time()
    for order, doc in enumerate(docs):
        contents.append(known.content(doc, order))
        known.learn(doc, order)
    spent = time.process_time() - began
    all_words = sum(sum(doc.terms.values()) for doc in docs)
    left = sum(sum(doc.terms.values()) for doc in contents)
    links = [link for doc in contents for link in doc.links]
    menu = sum(link.menu for link in links)
    print(f"{len(docs)} pages of {len(known.hosts)} sites, {1000 * spent / len(docs):.3f} ms a page")
    print(f"words left out: {1 - left / max(1, all_words):.1%}; menu links: {menu / max(1, len(links)):.1%}")
    for word in args.words:
        print(f"{word}: {mentions(docs, word)} pages, without menus {mentions(contents, word)}")


def recorded(name: str) -> Iterator[Doc]:
    """The pages of a world."""
    world = worlds.find(name)
    for page in range(len(world)):
        yield world.doc(page)


def files(folder: Path) -> Iterator[Doc]:
    """The HTML files of a folder; each folder in it is a site."""
    for path in sorted(folder.rglob("*.html")):
        site, *rest = path.relative_to(folder).parts
        if path.is_file() and rest:
            yield parse(path.read_bytes(), f"http://{site.lower()}.test/{'/'.join(rest)}", "text/html")


def mentions(docs: list[Doc], word: str) -> int:
    """The number of pages that have all stems of a word."""
    return sum(all(stem in doc.terms for stem in stems(word, doc.language)) for doc in docs)


if __name__ == "__main__":
    main()
