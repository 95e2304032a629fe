"""Crawl folders are found below the roots, and nowhere else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clew.serve.data import CrawlFolders, brief
from clew.serve.data.crawl_folders import LOG


@pytest.fixture
def tree(folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(folder, tmp_path / "crawls" / "baltic")
    shutil.copytree(folder, tmp_path / "crawls" / "2026" / "north sea")
    shutil.copytree(folder, tmp_path / "elsewhere")
    (tmp_path / "crawls" / "link").symlink_to(tmp_path / "elsewhere")
    return tmp_path / "crawls"


def test_folders_below_the_root_are_found_without_following_links(tree: Path) -> None:
    found = CrawlFolders([tree]).all()
    assert sorted(folder.name for folder in found.values()) == ["baltic", "north sea"]
    assert all(crawl.rpartition("-")[0] in ("baltic", "north-sea") for crawl in found)


def test_an_id_is_no_path(tree: Path) -> None:
    folders = CrawlFolders([tree])
    [baltic] = [crawl for crawl, folder in folders.all().items() if folder.name == "baltic"]
    assert folders.find(baltic) == tree / "baltic"
    for wrong in ("baltic", "../elsewhere", str(tree / "baltic"), "..", ""):
        assert folders.find(wrong) is None


def test_a_root_may_be_a_crawl_itself_but_takes_no_new_ones(tree: Path) -> None:
    assert list(CrawlFolders([tree / "baltic"]).all().values()) == [tree / "baltic"]
    assert CrawlFolders([tree / "baltic"]).home is None
    assert CrawlFolders([tree / "baltic", tree]).home == tree


def test_a_crawl_that_never_began_is_listed_with_its_last_words(tree: Path) -> None:
    (tree / "bad").mkdir()
    (tree / "bad" / LOG).write_text("clew: error: no start page could be fetched\n\n")
    [folder] = [folder for folder in CrawlFolders([tree]).all().values() if folder.name == "bad"]
    assert (brief(folder)["state"], brief(folder)["why"]) == ("stopped", "clew: error: no start page could be fetched")


def test_a_root_that_does_not_exist_yet_has_no_crawls(tmp_path: Path) -> None:
    assert CrawlFolders([tmp_path / "none"]).all() == {}
