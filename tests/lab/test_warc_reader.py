from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.errors import ConfigError
from clew.lab.snapshot import Snapshot
from clew.lab.warc_reader import WarcReader

Write = Callable[[Path, dict[str, "str | int"]], Path]
PAGES: dict[str, str | int] = {f"http://a.org/{number}": f"<p>Page {number}" + " boats" * number for number in range(8)}


@pytest.fixture
def whole(tmp_path: Path, write_warc: Write) -> bytes:
    """An information record and eight responses, each a gzip member of its own."""
    return write_warc(tmp_path / "whole.warc.gz", PAGES).read_bytes()


def starts(data: bytes) -> list[int]:
    return [match.start() for match in re.finditer(rb"\x1f\x8b\x08", data)]


def read(path: Path, data: bytes) -> tuple[list[int], int, int]:
    """The numbers of the pages that were read, the records read, the records lost."""
    path.write_bytes(data)
    file = WarcReader(path)
    return [int(response.url[-1]) for response in file.responses()], file.records, file.lost


def test_an_intact_file(tmp_path: Path, whole: bytes) -> None:
    assert read(tmp_path / "x.warc.gz", whole) == (list(range(8)), 9, 0)
    assert read(tmp_path / "x.warc", gzip.decompress(whole)) == (list(range(8)), 9, 0)


@pytest.mark.parametrize("left", [3, 40, 200])
def test_a_truncated_file(tmp_path: Path, whole: bytes, left: int) -> None:
    fifth = starts(whole)[5]
    assert read(tmp_path / "x.warc.gz", whole[: fifth + left]) == ([0, 1, 2, 3], 5, 1)
    assert read(tmp_path / "x.warc.gz", whole[:fifth])[2] == 0  # nothing shows that there was more
    plain = gzip.decompress(whole)
    sixth = plain.index(b"a.org/5") + left
    assert read(tmp_path / "x.warc", plain[:sixth]) == ([0, 1, 2, 3, 4], 6, 1)


def test_damage_in_the_middle_costs_only_what_it_hits(tmp_path: Path, whole: bytes) -> None:
    third, fourth = starts(whole)[3:5]
    others = [0, 1, 3, 4, 5, 6, 7]
    for damaged in (
        whole[: third + 30] + b"\xff\x00" * 20 + whole[third + 70 :],
        whole[:third] + b"\x00" * 3 + whole[third + 3 :],
        whole[: fourth - 6] + b"\x00\x00" + whole[fourth - 4 :],
        whole[:third] + b"garbage" + whole[third + 50 :],
    ):
        assert read(tmp_path / "x.warc.gz", damaged) == (others, 8, 1)
    plain = gzip.decompress(whole)
    record = plain.index(b"WARC/1.1", plain.index(b"a.org/1"))
    damaged = plain[:record] + b"\xff" * 20 + plain[record + 20 :]
    assert read(tmp_path / "x.warc", damaged) == (others, 8, 1)


def test_damage_in_several_places(tmp_path: Path, whole: bytes) -> None:
    damaged = bytearray(whole)
    for record in (2, 6):
        place = starts(whole)[record] + 60
        damaged[place : place + 9] = b"\xff" * 9
    assert read(tmp_path / "x.warc.gz", bytes(damaged)) == ([0, 2, 3, 4, 6, 7], 7, 2)


@pytest.mark.parametrize(
    "data", [b"", b"\x1f\x8b", b"hello\n" * 99, bytes(range(256)) * 9, gzip.compress(b"x" * 99, mtime=0)]
)
def test_a_file_that_is_not_a_warc_file_is_reported(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "odd.warc.gz").write_bytes(data)
    with pytest.raises(ConfigError, match=r"odd.warc.gz holds no readable WARC record"):
        Snapshot.load(tmp_path / "odd.warc.gz")


def test_losses_are_reported_from_the_cache_too(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "cut.warc.gz").write_bytes(whole[:-100])
    (tmp_path / "odd.warc.gz").write_bytes(b"odd")
    for _ in range(2):
        world = Snapshot.load([tmp_path / "cut.warc.gz", tmp_path / "odd.warc.gz"])
        assert len(world) == 7
        cut, odd = world.warnings
        assert "cut.warc.gz is damaged or truncated: 8 records were read, at least 1 are lost" in cut
        assert "odd.warc.gz holds no readable WARC record" in odd


def test_a_file_without_pages_is_reported(tmp_path: Path, write_warc: Write) -> None:
    path = write_warc(tmp_path / "bare.warc.gz", {"http://a.org/": 404, "http://a.org/b": "=> /c"})
    with pytest.raises(ConfigError, match=r"no pages in .*bare.warc.gz: none of the 3 records is an HTML"):
        Snapshot.load(path)
