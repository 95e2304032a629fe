"""A page of a large labyrinth takes no more steps than one of a small labyrinth."""

from __future__ import annotations

import subprocess
import sys
from types import FrameType

from clew.labyrinth import Labyrinth


def steps_of(web: Labyrinth) -> int:
    """The functions that are called, those in C as well, to make a hundred pages."""
    web.page(web.url(0))  # the plan of all hosts is made once
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        for number in range(100):
            web.page(web.url(number * 7919 % web.pages))
    finally:
        sys.setprofile(None)
    return count


def test_a_page_among_a_million_takes_about_as_many_steps_as_one_among_some_thousand() -> None:
    # In a process of its own: after thousands of tests, Python 3.11.2 once hung where calls are counted.
    counted = subprocess.run([sys.executable, __file__, "12000", "1000000"], capture_output=True, check=True)
    small, large = map(int, counted.stdout.split())
    # Pages differ in length; what looks through all pages would take a million steps a page.
    assert large < 4 * small


if __name__ == "__main__":
    steps_of(Labyrinth(pages=500, seed=1))  # words that all labyrinths share are read once
    print(*(steps_of(Labyrinth(pages=int(pages), seed=1)) for pages in sys.argv[1:]))
