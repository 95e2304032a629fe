"""Interests in five languages on real pages: the chapters of a manual of Debian in its translations."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ["debian-faq-de", "debian-faq-fr", "debian-faq-ru", "debian-faq-ja", "debian-faq-zh-cn"]


def languages() -> ModuleType:
    """The script that asks for the chapters."""
    spec = importlib.util.spec_from_file_location("languages", ROOT / "experiments" / "languages.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_the_right_chapter_comes_first(package: str) -> None:
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        pytest.skip("this needs apt-get, which fetches the manual")
    script = languages()
    try:
        folder = script.fetched(package, ROOT / "build" / "languages")
    except (OSError, subprocess.CalledProcessError, ValueError):
        pytest.skip(f"apt-get cannot fetch {package}")
    docs = script.read(folder)
    language = package.split("-")[2]
    assert sum(doc.language == language for doc in docs.values()) >= 0.75 * len(docs)
    ranks = [script.rank_of(chapter, keyword, docs) for chapter, keyword in script.CHAPTERS[package].items()]
    assert ranks.count(1) >= 2
    assert max(ranks) <= 3
