"""Feeds pages that repeat markup to the parser: each must stay within its bounds of memory and time.

python benchmarks/fuzz_markup.py [DOCUMENTS] [SEED] [BYTES]    # random pages; without BYTES, of mixed sizes
python benchmarks/fuzz_markup.py elements [BYTES]              # every element in turn

A random page repeats one to six pieces: start and end tags of all elements of the HTML standard, of SVG and MathML,
with and without attributes, texts, references, comments, sections. Most are small, some as large as a page may be: many
costs show only there. `elements` repeats every element alone, with an attribute, behind a text, both, and inside of the
element before it. Processes with limits parse the pages, some hundred each. Prints the worst documents and exits with 1
if one was out of bounds.
"""

from __future__ import annotations

import ctypes
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from clew.parse import parse

MAX_MEGABYTES = 300  # above what the process had before
MAX_SECONDS = 5  # of CPU time
MAX_ADDRESS_SPACE = 3_000_000_000
DOCUMENTS_PER_PROCESS = 500
SIZES = {20_000: 0.9, 100_000: 0.07, 1_000_000: 0.025, 5_000_000: 0.005}  # bytes, and how many pages have them
LARGEST = 5_000_000
URL = "http://a.org/dir/page.html"

NAMES = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote
body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl
dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
html i iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee menu
menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture
plaintext pre progress q rb rp rt rtc ruby s samp script search section select selectedcontent slot small
source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
time title tr track tt u ul var video wbr xmp x-own math mi mo mn ms mtext mglyph malignmark annotation-xml
foreignObject desc g path circle
"""
ELEMENTS = NAMES.split()
ATTRIBUTES = (
    "", "", "", " a", " a=b", " id=n{n}", " a='{n}'", ' class="x y"', " href=/{n}", " src=x", " type=hidden", "/",
    ' a="<"', ' a=">"', " a'b", ' x"', " color=red encoding=text/html", " a b c d e f g h", " onclick='location=1'",
    " a=&amp;",
)  # fmt: skip
OTHERS = (
    "x", "x", " ", "\n", "word ", "&amp;", "&#9;", "&#x41", "<!---->", "<!--x-->", "<!-- </b></div> -->",
    "<!doctype html>", "<?pi?>", "<![CDATA[x]]>", "</>", "</ x>", "<", ">", '"', "\0", "\r", "\u00fc", "\U0001f600",
    "<!", "</", "--", "]]>", "{n}",
)  # fmt: skip
FRAMES = (
    "", "", "", "", "<table>", "<table><tr>", "<table><td>", "<svg>", "<math>", "<svg><foreignObject>", "<select>",
    "<frameset>", "<template>", "<p>", "<a href=x>", "<button>", "<body>", "</body>", "</html>", "<head></head>",
    "<table><caption>", "<colgroup>", "<table><colgroup>", "<!doctype html>", "<ul><li>", "<title>", "<script>",
    "<textarea>", "<ruby>", "<pre>",
)  # fmt: skip


def piece(chance: random.Random) -> str:
    """A tag or something else."""
    if chance.random() < 0.3:
        return chance.choice(OTHERS)
    slash = "/" if chance.random() < 0.3 else ""
    return f"<{slash}{chance.choice(ELEMENTS)}{chance.choice(ATTRIBUTES)}>"


def repeated(chance: random.Random, size: int) -> bytes:
    """Some pieces, repeated until they fill so many bytes; `{n}` is another number each time."""
    unit = "".join(piece(chance) for _ in range(chance.choice((1, 2, 2, 3, 3, 4, 6))))
    times = max(1, size // len(unit.encode()))
    if "{n}" in unit:
        return "".join(unit.replace("{n}", str(number)) for number in range(times)).encode()
    return unit.encode() * times


def document(chance: random.Random, size: int) -> bytes:
    """A page of one or two such parts, inside of others."""
    parts = [size] if chance.random() < 0.6 else [size // 2, size // 2]
    body = b"".join(chance.choice(FRAMES).encode() + repeated(chance, part) for part in parts)
    return body + b"<a href=/end>end</a>"


def megabytes(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) / 1000
    raise LookupError(field)


def measured(page: bytes, script_links: bool) -> tuple[float, float]:
    """The memory that parsing takes at its peak, in MB, and the CPU time, in seconds."""
    # What earlier pages left behind is given back; writing 5 makes the peak start again from what is in use now.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = megabytes("VmRSS")
    began = time.process_time()
    parse(page, URL, "text/html", script_links)
    return megabytes("VmHWM") - before, time.process_time() - began


def random_pages(start: int, count: int, seed: int, size: int) -> Iterator[tuple[str, bytes]]:
    """The random documents from one number on, each with its name."""
    for number in range(start, start + count):
        chance = random.Random(f"{seed}/{number}")
        page_size = size or chance.choices([*SIZES], [*SIZES.values()])[0]
        yield f"{seed}/{number}", document(chance, page_size)


def units() -> list[str]:
    """Every element in turn: alone, with an attribute, behind a text, both, and inside of the element before it."""
    found: list[str] = []
    for before, name in zip(["p", *ELEMENTS], ELEMENTS, strict=False):
        found += [f"<{name}>", f"<{name} a=b>", f"x<{name}>", f"x<{name} a=b>", f"x<{before}><{name} a=b>"]
    return found


def element_pages(start: int, count: int, seed: int, size: int) -> Iterator[tuple[str, bytes]]:
    """The documents of some of these units, each with its name."""
    for number, unit in list(enumerate(units()))[start : start + count]:
        yield f"elements/{number}", unit.encode() * (size // len(unit))


SOURCES = {"random": random_pages, "elements": element_pages}


def batch(source: str, start: int, count: int, seed: int, size: int) -> None:
    """Parse documents and print the worst as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    parse(b"<p>one page, so that everything is loaded <a href=x>y</a>", URL, "text/html")
    rows = []
    for number, (name, page) in enumerate(SOURCES[source](start, count, seed, size)):
        memory, seconds = measured(page, script_links=number % 5 == 0)
        rows.append((memory, seconds, name, page[:60].decode("utf-8", "replace")))
    print(json.dumps([max(rows), max(rows, key=lambda row: row[1])]))


def fuzz(source: str, count: int, seed: int, size: int) -> int:
    """Parse so many documents in processes of their own, and return how many processes met a bad one."""
    worst: list[list[tuple[float, float, str, str]]] = [[], []]
    faults = 0
    for start in range(0, count, DOCUMENTS_PER_PROCESS):
        part = min(DOCUMENTS_PER_PROCESS, count - start)
        command = [sys.executable, __file__, "batch", source, *map(str, (start, part, seed, size))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            faults += 1
            print(f"documents {start} to {start + part} of seed {seed}: {done.stderr[-2000:]}", file=sys.stderr)
            continue
        for place, row in enumerate(json.loads(done.stdout)):
            worst[place] = sorted([*worst[place], tuple(row)], key=lambda row: -row[place])[:5]
            faults += row[0] > MAX_MEGABYTES or row[1] > MAX_SECONDS
    for row in [*worst[0], *worst[1]]:
        print(f"{row[0]:7.1f} MB {row[1]:7.3f} s  {row[2]}  {row[3]!r}")
    print(f"{count} documents of {f'{size:,}' if size else 'mixed numbers of'} bytes, {faults} faults")
    return faults


def main(words: list[str]) -> int:
    match words:
        case ["batch", source, *numbers]:
            batch(source, *map(int, numbers))
            return 0
        case ["elements", *size]:
            return fuzz("elements", len(units()), 0, int(size[0]) if size else LARGEST)
        case _:
            given = [int(word) for word in words]
            count, seed, size = [*given, *(200_000, 0, 0)[len(given) :]]
            return fuzz("random", count, seed, size)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
