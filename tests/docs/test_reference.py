"""The generated reference is complete and up to date."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import clew
from clew import strategies
from clew.cli.commands import commands
from clew.config import SETTINGS

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["api.md", "commands.md", "settings.md", "strategies.md"])
def test_a_page_is_up_to_date(name: str, generator: ModuleType) -> None:
    assert name in generator.PAGES
    page = (REFERENCE / name).read_text(encoding="utf-8")
    assert page == generator.written(name), "run `python tools/reference.py`"


def test_every_setting_is_documented() -> None:
    text = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    for name in SETTINGS:
        assert f"`{name}`" in text
        assert f"`--{name.replace('_', '-')}`" in text


def test_every_command_is_documented() -> None:
    text = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    for name in commands():
        assert f"\n## clew {name}\n" in text


def test_every_public_name_is_documented() -> None:
    text = (REFERENCE / "api.md").read_text(encoding="utf-8")
    for name in clew.__all__:
        assert f"\n### {name}\n" in text


def test_every_public_function_and_class_has_a_docstring() -> None:
    assert [name for name in clew.__all__ if callable(getattr(clew, name)) and not getattr(clew, name).__doc__] == []


def test_every_strategy_is_documented() -> None:
    text = (REFERENCE / "strategies.md").read_text(encoding="utf-8")
    for name in strategies.names():
        if strategies.find(name).__module__.startswith("clew."):
            assert f"| [`{name}`](#{name}) |" in text
            assert f"\n## {name}\n" in text
