"""Parts that a user brings, written as text."""

from __future__ import annotations

import pytest

from clew.config.parts import make_part
from clew.errors import ConfigError
from clew.store.sinks import BUILT_IN, JsonLines


def any_parameter(**options: int) -> dict[str, int]:
    return options


def test_a_wrong_parameter_is_answered_with_the_right_ones() -> None:
    expected = r"^jsonl has no parameter 'pth': jsonl\(path: str = 'pages.jsonl', pages: Literal"
    with pytest.raises(ConfigError, match=expected):
        make_part("jsonl(pth='a.jsonl')", "sinks", BUILT_IN)


def test_right_parameters_are_passed_on() -> None:
    assert make_part("jsonl(path='a.jsonl')", "sinks", BUILT_IN) == JsonLines("a.jsonl")
    assert make_part("mine(n=1)", "judges", {"mine": any_parameter}) == {"n": 1}
