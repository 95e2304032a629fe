"""`clew profile` and `clew label --user`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main
from clew.store import Records
from clew.store.profiles import RatedPage, UserProfile, profile_path, write_profile

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def rate(user: str, *urls: str, **terms: int) -> None:
    pages = [RatedPage(url, True, 0.0, terms, f"title of {url}") for url in urls]
    write_profile(UserProfile(user).with_pages(pages), profile_path(user))


def test_users_are_listed_with_those_of_like_taste(capsys: Capture) -> None:
    assert main(["profile", "list"]) == 0
    assert "--user NAME" in capsys.readouterr().err
    rate("anna", "http://a.example/", boat=1)
    rate("bob", "http://b.example/", boat=1, sail=1)
    rate("carl", "http://c.example/", car=1)
    assert main(["profile", "list"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown[1:]] == ["anna", "bob", "carl"]
    assert "bob (0.71)" in shown[1]
    assert "(" not in shown[3]
    assert main(["profile", "list", "--quiet"]) == 0
    assert capsys.readouterr().out.split() == ["anna", "bob", "carl"]


def test_a_profile_is_shown_and_recommends(capsys: Capture) -> None:
    rate("anna", "http://a.example/", boat=1)
    rate("bob", "http://b.example/", boat=1, sail=1)
    assert main(["profile", "show", "bob"]) == 0
    shown = capsys.readouterr().out
    assert "boat +0.21" in shown
    assert "http://b.example/" in shown
    assert main(["profile", "recommend", "anna", "--json"]) == 0
    [found] = json.loads(capsys.readouterr().out)
    assert (found["url"], found["by"]) == ("http://b.example/", ["bob"])
    assert main(["profile", "recommend", "anna", "--quiet"]) == 0
    assert capsys.readouterr().out.strip() == "http://b.example/"
    assert main(["profile", "show", "dora"]) == 1
    assert "there are: anna, bob" in capsys.readouterr().err


def test_labels_of_a_user_make_a_profile(web: Any, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "c"
    assert web.crawl(folder, "--pages", "15", "--quiet") == 0
    with Records(folder) as records:
        first, second, *_ = [record.url for record in records.pages(relevant=True)]
    assert main(["label", str(folder), first, "yes", "--user", "anna"]) == 0
    assert "anna" in capsys.readouterr().out
    assert main(["label", str(folder), second, "no", "--user", "bob", "--profile", str(tmp_path / "bob.json")]) == 0
    capsys.readouterr()
    assert main(["label", str(folder), "--user", "anna", "--json"]) == 0
    assert [label["url"] for label in json.loads(capsys.readouterr().out)] == [first]
    assert main(["profile", "recommend", "anna", str(folder), "--quiet"]) == 0
    found = capsys.readouterr().out.split()
    assert second in found
    assert first not in found
    assert main(["profile", "learn", "anna", str(folder)]) == 0
    assert "1 rated page" in capsys.readouterr().out
    assert main(["profile", "show", str(tmp_path / "bob.json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pages"][0]["relevant"] is False
