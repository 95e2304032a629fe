from __future__ import annotations

import asyncio
import zlib
from pathlib import Path
from urllib.parse import urljoin

import brotli
import pytest
from selectolax.lexbor import LexborHTMLParser

from clew.labyrinth import Answer, Hostile, Labyrinth, serve
from clew.labyrinth.bombs import BOMB, BOMBS
from clew.labyrinth.hostile import INSIDE
from clew.labyrinth.witness import seen

HOSTILE = Hostile(pages=500, seed=3)


def links(url: str, answer: Answer) -> list[str]:
    return [urljoin(url, a.attributes["href"] or "") for a in LexborHTMLParser(answer.body).css("a[href]")]


def followed(start: str, steps: int) -> list[str]:
    """The URLs of a walk that takes the redirect, or the last link that is new."""
    at = [start]
    while len(at) <= steps:
        answer = HOSTILE.page(at[-1])
        to = dict(answer.headers).get("Location")
        at.append(urljoin(at[-1], to) if to else [link for link in links(at[-1], answer) if link not in at][-1])
    return at


def test_every_kind_answers_and_is_the_same_each_time():
    again = Hostile(pages=500, seed=3)
    for host in HOSTILE.villains:
        for path in ("", "1", "p/3", "robots.txt"):
            url = f"http://{host}/{path}"
            first, second = HOSTILE.page(url), again.page(url)
            assert first[:3] == second[:3]
            assert host.startswith(HOSTILE.nature(url).kind)


def test_another_seed_is_another_web():
    url = "http://paged1.labyrinth/list?page=9"
    assert Hostile(pages=500, seed=4).page(url).body != HOSTILE.page(url).body


def test_honest_pages_stay_as_they_are_but_for_the_lures():
    plain = Labyrinth(pages=500, seed=3)
    lured = 0
    for number in range(0, 500, 7):
        url = plain.url(number)
        assert HOSTILE.nature(url) == ("", "", "")
        honest, hostile = links(url, plain.page(url)), links(url, HOSTILE.page(url))
        extra = [link for link in hostile if HOSTILE.nature(link).kind]
        assert len(hostile) == len(honest) + len(extra)
        lured += bool(extra)
    assert lured >= 2


@pytest.mark.parametrize("kind", [k.name for k in HOSTILE.kinds.values() if k.group == "trap" and k.name != "circle"])
def test_a_trap_has_no_end(kind: str):
    walk = followed(f"http://{kind}1.labyrinth/", 60)
    assert len(set(walk)) == len(walk)
    assert {HOSTILE.nature(url).kind for url in walk} == {kind}


@pytest.mark.parametrize("way", ["self", "three", "names"])
def test_circles_are_circles(way: str):
    assert len(set(followed(f"http://circle1.labyrinth/{way}/1", 20))) == {"self": 1, "three": 3, "names": 2}[way]


@pytest.mark.parametrize("kind", ["session", "tracked", "alias", "canonical", "mirror"])
def test_copies_know_their_original(kind: str):
    home = f"http://{kind}1.labyrinth/"
    copies = [link for link in links(home, HOSTILE.page(home)) if HOSTILE.nature(link).original]
    assert copies
    for copy in copies:
        original = LexborHTMLParser(HOSTILE.page(HOSTILE.nature(copy).original).body)
        assert LexborHTMLParser(HOSTILE.page(copy).body).css_first("title").text() == original.css_first("title").text()


def test_missing_pages_are_soft_404s():
    answer = HOSTILE.page("http://soft1.labyrinth/gone/77")
    assert (answer.status, b"not found" in answer.body) == (200, True)
    assert HOSTILE.nature("http://soft1.labyrinth/gone/77").original == "http://soft1.labyrinth/gone"


@pytest.mark.parametrize("number", range(len(BOMBS)))
def test_bombs_are_small_and_grow(number: int):
    coding, make = BOMBS[number]
    bomb = make()
    assert len(bomb) < BOMB / 500
    if coding == "br":
        assert len(brotli.decompress(bomb)) == BOMB
        return
    for _ in coding.split(","):
        bomb = zlib.decompress(bomb, 31 if "gzip" in coding else 15 if bomb[0] & 15 == 8 else -15)
    assert len(bomb) == BOMB


def test_rules_and_patience_change_with_the_requests():
    robots = [HOSTILE.reply("http://fickle1.labyrinth/robots.txt", nth).body for nth in range(4)]
    assert len(set(robots)) == 4
    statuses = [HOSTILE.reply("http://busy1.labyrinth/", nth, now=1e9) for nth in range(8)]
    assert [answer.status for answer in statuses] == [200, 200, 200, 429] * 2
    assert [dict(a.headers)["Retry-After"] for a in statuses[3::4]] == ["1", "Sun, 09 Sep 2001 01:46:42 GMT"]
    assert "Retry-After" not in dict(HOSTILE.reply("http://curt1.labyrinth/", 3).headers)
    assert HOSTILE.reply("http://storm1.labyrinth/", 6).status == 500


async def received(port: int, host: str, path: str, seconds: float = 0.5) -> bytes:
    """Everything that comes within so many seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = b""
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        async with asyncio.timeout(seconds):
            while more := await reader.read(65_536):
                data += more
                if len(data) > 3_000_000:
                    break
        data += b"" if len(data) > 3_000_000 else b"<end>"
    except ConnectionResetError:
        data += b"<reset>"
    except TimeoutError:
        data += b"<silence>"
    finally:
        writer.close()
    return data


def test_rude_hosts_are_rude_over_real_sockets(tmp_path: Path):
    kinds = ("hang", "drip", "stall", "reset", "liar", "flood", "hints", "crumbs", "babble")

    async def talk() -> dict[str, list[bytes]]:
        async with await serve(HOSTILE, witness=tmp_path / "seen.tsv") as server:
            found = {}
            for kind in kinds:
                found[kind] = [await received(server.port, f"{kind}1.labyrinth", f"/{n}") for n in (1, 2, 3, 4)]
            return found

    answers = asyncio.run(talk())
    assert answers["hang"] == [b"<silence>"] * 4
    for answer in answers["drip"] + answers["stall"]:
        assert answer.endswith(b"<silence>")
        assert b"\r\n\r\n<" in answer
    assert all(answer.endswith(b"<reset>") for answer in answers["reset"])
    for answer in answers["liar"]:
        head, _, body = answer.removesuffix(b"<end>").partition(b"\r\n\r\n")
        assert int(head.partition(b"Content-Length: ")[2].split()[0]) != len(body)
    for kind in ("flood", "hints", "crumbs"):
        assert all(len(answer) > 3_000_000 for answer in answers[kind])
    assert all(b"HTTP/1.1 2" not in answer for answer in answers["hints"])
    assert not any(answer.startswith(b"HTTP/1.1") for answer in answers["babble"])
    log = seen(tmp_path / "seen.tsv")
    assert {host: len(requests) for host, requests in log.items()} == {f"{kind}1.labyrinth": 4 for kind in kinds}
    assert all(request.left for request in log["hang1.labyrinth"])
    assert not any(request.busy for requests in log.values() for request in requests)


def test_names_that_lead_inside():
    home = "http://burglar1.labyrinth/"
    named = [link for link in links(home, HOSTILE.page(home)) if f".{INSIDE}/" in link]
    assert named
    assert {HOSTILE.nature(link).kind for link in named} == {"inside"}
