"""`clew rules` on a small crawl that has learnt some."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import clingo
import pytest

import clew
from clew.cli.main import main
from clew.store import Records

Capture = pytest.CaptureFixture[str]
EARLY = "first_order(first=60, every=1000, support=4, confidence=0.6)"


@pytest.fixture(scope="module")
def ruled(web: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ruled") / "c"
    crawl = ["crawl", "sailing OR sports", *web.flags, "--folder", str(folder), "--strategy", EARLY, "--judge", "plain"]
    assert main([*crawl, "--pages", "90", "--parallel", "1", "--quiet"]) == 0
    return folder


def test_rules_are_printed_with_their_cover_then_and_later(ruled: Path, capsys: Capture) -> None:
    assert main(["rules", str(ruled)]) == 0
    rule, numbers, *_ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"1\. relevant\(X\) :- links_to\(Y, X, A\), .*\.", rule)
    assert re.fullmatch(r" +learned from: \+\d+ -\d+, later: \+\d+ -\d+", numbers)
    good, bad, later, astray = map(int, re.findall(r"\d+", numbers))
    assert good / (good + bad) >= 0.6
    assert good + bad + later + astray <= 90


def test_rules_as_json(ruled: Path, capsys: Capture) -> None:
    assert main(["rules", str(ruled), "--json"]) == 0
    rules = json.loads(capsys.readouterr().out)
    assert rules == [rule._asdict() for rule in clew.rules(ruled)]
    assert all(rule["positives"] >= 4 for rule in rules)


def test_another_engine_comes_to_the_same_pages_by_the_exported_facts(
    ruled: Path, tmp_path: Path, capsys: Capture
) -> None:
    """At the end more is known than at any visit, so a rule covers at least what it covered then."""
    assert main(["rules", str(ruled), "--facts", str(tmp_path / "facts.pl")]) == 0
    assert "lines of Prolog to" in capsys.readouterr().err
    facts = (tmp_path / "facts.pl").read_text(encoding="utf-8")
    with Records(ruled) as records:
        relevant = {record.url for record in records.pages(relevant=True)}
    rules = clew.rules(ruled)
    for rule, pages in zip(rules, covered([rule.rule for rule in rules], facts), strict=True):
        assert len(pages & relevant) >= rule.positives + rule.later_positives


def covered(rules: list[str], facts: str) -> list[set[str]]:
    """The pages for which each rule holds, by clingo, which quotes in its own way."""
    heads = [rule.replace("relevant(X)", f"covered{number}(X)", 1) for number, rule in enumerate(rules)]
    control = clingo.Control(["--warn=none"])
    program = "\n".join([facts.replace("\\==", "!="), *heads])
    control.add("base", [], re.sub(r"'([^']*)'", r'"\1"', program))
    control.ground([("base", [])])
    atoms = [control.symbolic_atoms.by_signature(f"covered{number}", 1) for number in range(len(rules))]
    return [{atom.symbol.arguments[0].string for atom in each} for each in atoms]


def test_facts_on_stdout(ruled: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["rules", str(ruled), "--facts", "-", "--quiet"]) == 0
    captured = capfdbinary.readouterr()
    assert captured.out.startswith(b"links_to(Y, X) :- links_to(Y, X, _).\n")
    assert captured.err == b""


def test_a_crawl_without_rules_says_what_to_do(crawl_folder: Path, capsys: Capture) -> None:
    for more in ((), ("--facts", "-")):
        assert main(["rules", str(crawl_folder), *more]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "crawled by adaptive, which learns no rules; crawl with --strategy first_order" in captured.err


def test_a_crawl_that_has_not_learnt_yet_says_how_to_go_on(web: Any, tmp_path: Path, capsys: Capture) -> None:
    assert web.crawl(tmp_path / "c", "--pages", "5", "--strategy", "first_order", "--quiet") == 0
    capsys.readouterr()
    assert main(["rules", str(tmp_path / "c")]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no rules yet" in captured.err
    assert "clew resume" in captured.err
