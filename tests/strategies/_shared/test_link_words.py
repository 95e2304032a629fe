from __future__ import annotations

import os
import subprocess
import sys

from clew.strategies._shared.link_words import words
from clew.types import Link

EAGER = (
    "first_order(first=10, every=10, support=3, confidence=0.5)",
    "apprentice(first=10)",
    "apprentice(first=10, model='logistic')",
    "reinforcement(every=10)",
)


def test_words_of_a_link() -> None:
    link = Link("s", "http://www.boats.example/sails/index.html", "Old sails", "the best\tof all harbours", "Islands")
    assert words(link) == (("boat", "exampl", "sail"), ("old", "sail"), ("best",), ("harbour",), ("island",))
    assert words(Link("s", "u")) == ((), (), (), (), ())


def test_what_they_learn_from_words_does_not_depend_on_hash_seeds() -> None:
    code = (
        "from clew.testing.tiny_web import order\nfrom clew.testing.random_web import random_web\n"
        f"print([order(spec, random_web(30)) for spec in {EAGER!r}])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "12"
    }
    assert len(found) == 1
