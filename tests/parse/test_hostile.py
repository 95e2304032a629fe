"""Pages made to choke a parser, each parsed in a process with limited memory and CPU time."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEMORY = 1_500_000_000  # bytes of address space, a third of which the loaded libraries take
SECONDS = 30  # of CPU time: only a safeguard, since each page takes less than three
PROGRAM = """
import resource, sys
from clew.parse import parse
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
for script_links in (False, True):
    doc = parse({page}, "http://a.org/", "text/html", script_links)
    assert len(doc.links) <= 11_000 and len(doc.text) <= 600_000, (len(doc.links), len(doc.text))
print(doc.url)
"""
PAGES = {
    "nested tags": "b'<div>' * 100_000 + b'<a href=x>y</a>'",
    "nested tags, all there is room for": "b'<i><p>' * 4_000_000",
    "nested tables": "b'<table><tr><td>' * 100_000",
    "nested formatting": "b''.join(b'<b id=%d><font size=%d>' % (i, i) for i in range(100_000))",
    "nested links": "b'<a href=x><div>' * 100_000",
    "nested lists in selects": "b'<select><option><optgroup>' * 100_000",
    "nested svg and math": "b'<svg><foreignObject><math><mi>' * 50_000",
    "nested templates": "b'<template>' * 100_000",
    "a million links": "b''.join(b'<a href=/%d>%d</a>' % (i, i) for i in range(1_000_000))",
    "a million equal links": "b'<a href=/x>y</a>' * 1_000_000",
    "links with long addresses": "b''.join(b'<a href=/%s%d>y</a>' % (b'x' * 1900, i) for i in range(10_000))",
    "broken entities": "b'&#x;&#99999999999;&amp&lt&notit;&#xD800;&' * 300_000",
    "entities in attributes": "(b'<a href=\"' + b'&amp' * 500 + b'\">y</a>') * 5_000",
    "a huge attribute": "b'<a href=\"' + b'x' * 20_000_000 + b'\">y</a>'",
    "huge attributes": "(b'<p class=\"' + b'x ' * 20_000 + b'\">y') * 500",
    "huge ids above links": "b''.join(b'<ul id=%s%d><a href=%d>y</a>' % (b'x' * 9_000, i, i) for i in range(500))",
    "many attributes": "(b'<p ' + b' '.join(b'x%d=1' % i for i in range(900)) + b'>y') * 700",
    "a tag that never ends": "b'<a href=x ' + b'y=z ' * 3_000_000",
    "comments": "b'<!--' * 2_000_000",
    "nothing but brackets": "b'<' * 10_000_000",
    "end tags": "b'</p>' * 2_000_000",
    "NULs": "b'<p>text ' * 200 + b'\\0' * 10_000_000",
    "NULs in tags": "b'<p>' + b'x' * 2000 + b'<a\\0 href=\"\\0x\">\\0</a>' * 300_000",
    "our own marks": "b'<p>' + b'x' * 2000 + b'\\0a\\0/\\0h' * 1_000_000",
    "one word": "b'x' * 30_000_000",
    "words": "b' '.join(b'w%d' % i for i in range(3_000_000))",
    "titles": "b'<title>x' * 500_000",
    "headings": "b'<h1>' * 300_000",
    "refreshes": "b'<meta http-equiv=refresh content=\"0;url=' + b' ' * 1_000_000 + b'x\">'",
    "metas": "b'<meta charset=x ' * 300_000",
    "bases": "b'<base href=//x/>' * 300_000",
    "scripts": "b'<script>' + b'location = ' * 400_000",
    "attributes with code": "b'<b onclick=\"location=1\" data-href=x>' * 100_000",
    "utf-16 that is none": "b'\\xff\\xfe' + b'\\0\\xd8' * 5_000_000",
    "bytes of no charset": "bytes(range(128, 256)) * 200_000",
    "cdata": "b'<svg><![CDATA[' * 200_000",
    "frames": "b'<frameset><frame src=x>' * 100_000",
    "plaintext": "b'<plaintext>' * 500_000",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_hostile_pages_are_bounded(name: str):
    program = PROGRAM.format(page=PAGES[name], memory=MEMORY, seconds=SECONDS)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "http://a.org/\n"), done.stderr[-2000:]
