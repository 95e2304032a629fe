"""Feeds mutated pages and headers to every parser: none may raise, and none may hang.

python benchmarks/fuzz.py [CASES] [SEED]
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from clew.parse import canonical, directives, header_links, mime, parse
from clew.parse.body import decoded
from clew.parse.charset import decode
from clew.parse.robots import robots_txt
from clew.parse.sitemap import listed
from clew.parse.sniff import magic, noise

MAX_SECONDS_PER_CASE = 10  # a thousand times what a case takes
MAX_CASE_BYTES = 20_000
URL = "http://a.org/dir/page.html"
PAGES = [
    b"<!doctype html><html lang=de><title>Boats</title><base href=/b/><p>We build <a href='x?y=1#z'>boats</a> of oak.",
    b"<table><tr><td><b id=1><a href=//h/p><img alt=i></a><svg><title>t</title></svg></td></tr></table><h1>Head</h1>",
    b"<meta charset=koi8-r><meta http-equiv=refresh content='0;url=/n'><link rel=canonical href=c><iframe src=f>",
    b"<script>location.href='/s'</script><p data-url=d onclick=\"window.open('/o')\">x<!-- c --><![CDATA[d]]>&amp;&#65",
    b"<?xml version='1.0' encoding='utf-8'?><urlset><url><loc>http://a.org/1</loc></url></urlset>",
    b"<rss><channel><item><link>http://a.org/i</link><title>t</title></item></channel></rss>",
    b"\xef\xbb\xbfplain text, \xc3\xbc and \xff\xfe bytes \x00 that are none",
]
RULES = b"User-agent: *\nDisallow: /a*b$\nAllow: /a\nCrawl-delay: 5\nSitemap: http://a.org/s.xml\nUser-agent: clew\n"
HEADERS = [
    'text/html; charset="utf-8"; x=y, text/plain',
    '</p2>; rel="next last"; title="a \\" b", <x>; rel=alternate; type=application/rss+xml',
    "otherbot: noindex, clew: nofollow, unavailable_after: 25 Jun 2010 15:00:00 PST",
    "HTTP://me:secret@[::1]:80/a/../b%zz?q=ü#f",
    "//xn--bcher-kva.example:99999/\\x",
]
FRAGMENTS = [
    b"<",
    b">",
    b"'",
    b'"',
    b"&",
    b"\0",
    b"/",
    b"=",
    b"--",
    b";",
    b"*",
    b"$",
    b"\r\n",
    b"\xff",
    b"%",
    b"\xd8\x00",
    b"[",
]


def mutated(chance: random.Random, seeds: list[bytes]) -> bytes:
    """One of the seeds after a few mutations: cut, repeated, with fragments or random bytes, joined with another."""
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, 8)):
        at, end = sorted(chance.choices(range(len(data) + 1), k=2))
        data = chance.choice(
            (
                data[:at] + data[end:],
                data[:end] + data[at:end] * chance.choice((1, 2, 50)) + data[end:],
                data[:at] + chance.choice(FRAGMENTS) * chance.choice((1, 1, 1, 300)) + data[at:],
                data[:at] + chance.randbytes(chance.randint(1, 4)) + data[at + 1 :],
                data[:at] + chance.choice(seeds)[: end - at] + data[at:],
            )
        )[:MAX_CASE_BYTES]
    return data


def read_page(data: bytes, chance: random.Random) -> None:
    kind = chance.choice(("", "text/html", "text/plain", "application/xml", "text/html; charset=utf-16"))
    doc = parse(data, URL, kind, script_links=chance.random() < 0.5)
    assert all(link.url == canonical(link.url) for link in doc.links)
    doc.text.encode("utf-8")


def read_header(data: bytes, chance: random.Random) -> None:
    text = data.decode("latin-1")
    assert mime.parse(str(mime.of(text))) == mime.of(text)
    header_links(text, URL)
    directives.directives(text)
    url = canonical(text, URL)
    assert url is None or canonical(url) == url


def read_rules(data: bytes, chance: random.Random) -> None:
    rules = robots_txt(data, "clew")
    text = chance.choice(data.decode("latin-1").split("\n"))
    assert rules.allows(URL) in (True, False)
    assert rules.allows(f"http://a.org/{text}") in (True, False)


TARGETS: list[tuple[Callable[[bytes, random.Random], object], list[bytes]]] = [
    (read_page, PAGES),
    (read_header, [header.encode() for header in HEADERS]),
    (lambda data, chance: listed(data, URL, "application/xml"), PAGES[4:6]),
    (lambda data, chance: decode(data, data[:40].decode("latin-1")), PAGES),
    (lambda data, chance: (magic(data), noise(data)), PAGES),
    (lambda data, chance: decoded(data, chance.choice(("gzip", "deflate", "br", "zstd"))), PAGES),
    (read_rules, [RULES]),
]


def fuzz(count: int, seed: int = 0) -> float:
    """Run `count` cases and return the longest time of one. An exception is raised again after printing its case."""
    chance = random.Random(seed)
    slowest = 0.0
    for number in range(count):
        target, seeds = TARGETS[number % 3 if number % 4 else number // 4 % len(TARGETS)]
        data = mutated(chance, seeds)
        began = time.perf_counter()
        signal.alarm(MAX_SECONDS_PER_CASE)
        try:
            target(data, chance)
        except BaseException:
            print(f"case {number} of seed {seed}: {data!r}", file=sys.stderr)
            raise
        finally:
            signal.alarm(0)
        slowest = max(slowest, time.perf_counter() - began)
        if number % 10_000 == 9_999:
            print(f"{number + 1} cases, the slowest took {slowest:.3f} s", flush=True)
    return slowest


def hang(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"a case took more than {MAX_SECONDS_PER_CASE} seconds")


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, hang)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    slowest = fuzz(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{count} cases without a crash or a hang; the slowest took {slowest:.3f} s")
