from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from clew.config import SECTIONS, SETTINGS, Config, Topic, configure, flatten, read, unknown, write
from clew.errors import ConfigError


def test_names_are_unique_across_sections():
    names = [f.name for cls in SECTIONS.values() for f in fields(cls)]
    assert len(names) == len(set(names)) == len(SETTINGS)


def test_every_setting_has_a_line_of_help():
    for _, setting in SETTINGS.values():
        text = setting.metadata["help"]
        assert text
        assert "\n" not in text
        assert not text.endswith(".")


def test_plain_names_find_their_section():
    config = configure(interest="sailing", delay=2, seeds=["http://a.org/"], pages=5)
    assert (config.what.interest, config.fetch.delay, config.what.seeds, config.until.pages) == (
        "sailing",
        2.0,
        ("http://a.org/",),
        5,
    )
    assert isinstance(config.fetch.delay, float)


def test_later_settings_go_on_top_of_earlier_ones():
    first = configure(delay=2, topics={"a": {"keywords": ["x"]}})
    second = configure(first, pages=7, topics={"b": {"keywords": ["y"]}})
    assert second.fetch.delay == 2
    assert second.until.pages == 7
    assert list(second.topics) == ["a", "b"]
    assert first.until.pages == 1000


def test_a_single_string_is_a_list_of_one():
    assert configure(seeds="http://a.org/").what.seeds == ("http://a.org/",)


def test_none_switches_a_limit_off():
    assert configure(pages=None).until.pages is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"page": 1}, "did you mean 'pages'"),
        ({"zzz": 1}, "there is no setting 'zzz'; there are: "),
        ({"pages": "many"}, "pages must be a whole number, not 'many'"),
        ({"pages": 1.5}, "pages must be a whole number"),
        ({"pages": True}, "pages must be a whole number"),
        ({"delay": -1}, "delay must be at least 0"),
        ({"delay": "1"}, "delay must be a number"),
        ({"robots": 1}, "robots must be true or false"),
        ({"interest": 3}, "interest must be a string"),
        ({"seeds": [1]}, "seeds must be a list of strings"),
        ({"within": "site"}, "within must be one of web, domains, hosts, not 'site'"),
        ({"topics": ["a"]}, "topics must be a table"),
        ({"topics": {"a": "b"}}, "topic 'a' must be a table"),
        ({"topics": {"a": {"keyword": ["b"]}}}, "topic 'a': there is no setting 'keyword'; did you mean 'keywords'"),
        ({"topics": {"a": {"keywords": [1]}}}, "topics.a.keywords must be a list of strings"),
    ],
)
def test_mistakes_are_named(settings: dict[str, object], message: str):
    with pytest.raises(ConfigError) as caught:
        configure(**settings)
    assert message in str(caught.value)


def test_sections_of_a_file_are_a_help_for_readers_only(tmp_path: Path):
    path = tmp_path / "crawl.toml"
    path.write_text('pages = 9\n[fetch]\ndelay = 2\n[topics.sea]\nkeywords = ["sail"]\n')
    config = read(path)
    assert (config.until.pages, config.fetch.delay, config.topics["sea"].keywords) == (9, 2.0, ("sail",))


def test_a_setting_given_twice_is_an_error():
    with pytest.raises(ConfigError, match="'delay' is set twice"):
        flatten({"delay": 1, "fetch": {"delay": 2}})


@pytest.mark.parametrize("content", [b"pages = ", b"\xff\xfe"])
def test_a_file_that_is_no_toml(tmp_path: Path, content: bytes):
    path = tmp_path / "crawl.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="is not a TOML file"):
        read(path)


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(ConfigError, match="there is no file"):
        read(tmp_path / "crawl.toml")


def test_examples_are_relative_to_the_file(tmp_path: Path):
    path = tmp_path / "crawl.toml"
    path.write_text('[topics.sea]\nexamples = ["sea/a.html", "http://a.org/"]\n')
    assert read(path).topics["sea"].examples == (str(tmp_path / "sea/a.html"), "http://a.org/")


def test_what_is_written_is_read_back(tmp_path: Path):
    config = configure(
        interest='a "quoted" \\ ü\nline',
        delay=0,
        minutes=None,
        threshold=0.25,
        robots=False,
        topics={"x y.z": Topic(keywords=("k",))},
    )
    write(config, tmp_path / "crawl.toml")
    assert read(tmp_path / "crawl.toml") == configure(config)


def test_the_defaults_survive_too(tmp_path: Path):
    write(Config(), tmp_path / "crawl.toml")
    back = read(tmp_path / "crawl.toml")
    assert back == Config()


def test_no_limit_survives_where_the_default_is_one(tmp_path: Path):
    write(configure(pages=None), tmp_path / "crawl.toml")
    assert read(tmp_path / "crawl.toml").until.pages is None


@pytest.mark.parametrize("interest", ["sailing \U0001f6a4"])
def test_any_character_survives(tmp_path: Path, interest: str):
    write(configure(interest=interest), tmp_path / "crawl.toml")
    assert read(tmp_path / "crawl.toml").what.interest == interest


def test_unknown_lists_all_when_nothing_is_near():
    assert unknown("colour", "xyz", ["red", "blue"]) == "there is no colour 'xyz'; there are: red, blue"
