"""Every registered strategy keeps every promise."""

from __future__ import annotations

import pytest

from clew.lab.checks import Check, checks, run
from clew.strategies import find, names


@pytest.mark.parametrize("promise", checks(), ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("name", names())
def test_contract(name: str, promise: Check) -> None:
    assert run(promise, find(name)) == []
