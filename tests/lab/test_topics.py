from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.errors import ConfigError
from clew.lab.topics import read


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ([], "must contain"),
        ({"topics": []}, "topics must be an object"),
        ({"topics": {"boats": "http://a.org/"}}, "topics.boats must be a list"),
        ({"topics": {"boats": ["http://a.org/", None]}}, r"topics.boats\[1\] must be text, not None"),
        ({"taxonomy": []}, "taxonomy must be an object"),
        ({"taxonomy": {"children": {}}}, "taxonomy.children must be a list"),
        (
            {"taxonomy": {"children": [{"id": "a", "children": [{"name": "b"}]}]}},
            r"children\[0\].children\[0\] needs an id",
        ),
        ({"taxonomy": {"children": [{"id": "a", "children": [{"id": "a"}]}]}}, "'a' is already in the taxonomy"),
        ({"taxonomy": {"children": [{"id": "a", "name": 7}]}}, r"taxonomy.children\[0\].name must be text"),
        ({"unlabelled_pages": 3}, "unlabelled_pages must be a list"),
        ({"exclude_hard": []}, "exclude_hard must be an object"),
        ({"exclude_hard": {}}, "exclude_hard.url_prefixes must be a list"),
        ({"seeds": {}}, "seeds must be a list"),
        ({"seeds": [{"name": "home"}]}, r"seeds\[0\].urls must be a list"),
        ({"seeds": ["home"]}, r"seeds\[0\] must be an object"),
    ],
)
def test_the_place_of_a_mistake_is_reported(tmp_path: Path, data: Any, place: str) -> None:
    path = tmp_path / "x.topics.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"x.topics.json.*{place}"):
        read(path)


@pytest.mark.parametrize(("text", "place"), [(b'{"topics": {\n"a": [}', "line 2 column 7"), (b"\xff", "x.topics.json")])
def test_invalid_json_is_reported(tmp_path: Path, text: bytes, place: str) -> None:
    (tmp_path / "x.topics.json").write_bytes(text)
    with pytest.raises(ConfigError, match=place):
        read(tmp_path / "x.topics.json")


def test_everything_may_be_missing(tmp_path: Path) -> None:
    (tmp_path / "x.topics.json").write_text("{}")
    assert read(tmp_path / "x.topics.json") == {}
