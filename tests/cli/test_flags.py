from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from clew.cli.flags import add_config, add_settings, chosen, config_of
from clew.config import SETTINGS, configure
from clew.errors import ConfigError


def parsed(*argv: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_config(parser)
    add_settings(parser)
    return parser.parse_args(argv)


def test_every_setting_is_a_flag_with_its_help() -> None:
    parser = argparse.ArgumentParser()
    add_settings(parser)
    text = " ".join(parser.format_help().split())
    for name, (_, setting) in SETTINGS.items():
        assert "--" + name.replace("_", "-") in text
        assert " ".join(setting.metadata["help"].split()[:3]) in text


def test_only_given_flags_are_settings() -> None:
    assert chosen(parsed()) == {}
    assert chosen(parsed("--pages", "50", "--no-robots")) == {"pages": 50, "robots": False}


def test_flags_have_the_types_of_the_settings() -> None:
    args = parsed("--delay", "0.5", "--max-depth", "3", "--within", "hosts", "--at-ceiling", "--threshold", ".4")
    config = configure(**chosen(args))
    assert (config.fetch.delay, config.scope.max_depth, config.scope.within) == (0.5, 3, "hosts")
    assert config.until.at_ceiling
    assert config.what.threshold == 0.4


def test_an_optional_setting_can_be_switched_off() -> None:
    assert configure(**chosen(parsed("--pages", "none"))).until.pages is None


def test_lists_can_be_repeated_and_read_from_a_file(tmp_path: Path) -> None:
    listed = tmp_path / "seeds.txt"
    listed.write_text("# mine\nhttp://b.example/\n\n  http://c.example/\n", encoding="utf-8")
    args = parsed("-s", "http://a.example/", f"@{listed}", "--seeds", "http://d.example/")
    assert chosen(args)["seeds"] == [f"http://{letter}.example/" for letter in "abcd"]


def test_a_missing_list_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the list [^:]*: No such file or directory$"):
        chosen(parsed("-s", f"@{tmp_path / 'nothing'}"))


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "clew.toml"
    file.write_text("pages = 10\n[fetch]\ndelay = 3\n", encoding="utf-8")
    config = config_of(parsed("--config", str(file), "--pages", "20"))
    assert (config.until.pages, config.fetch.delay) == (20, 3.0)
