"""Pages made to choke a parser, each parsed in a process with limited memory and CPU time."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEMORY = 2_000_000_000  # bytes of address space, a third of which the loaded libraries take: only a safeguard
MEGABYTES = 300  # of memory that parsing a page may take
SECONDS = 60  # of CPU time, for two parses on a slow machine: without bounds these pages take minutes
PROGRAM = """
import resource
from pathlib import Path
from clew.parse import parse

def megabytes(field):
    return int(Path("/proc/self/status").read_text().partition(field + ":")[2].split()[0]) / 1000

page = {page}
parse(b"<p>one page, so that everything is loaded", "http://a.org/", "text/html")
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
Path("/proc/self/clear_refs").write_text("5")  # the peak starts again
before = megabytes("VmRSS")
for script_links in (False, True):
    doc = parse(page, "http://a.org/", "text/html", script_links)
    assert len(doc.links) <= 11_000 and len(doc.text) <= 600_000, (len(doc.links), len(doc.text))
assert megabytes("VmHWM") - before < {megabytes}, megabytes("VmHWM") - before
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
    "nested noscripts": "b'<noscript>' * 100_000",
    "many noframes": "b'<noframes><b>x</noframes>' * 100_000",
    "noframes in noframes": "b'<noframes>' * 300_000",
    "options": "b'<option value=/x%d>y' * 300_000",
    "script links": "b'<a href=\"javascript:location=\\'x\\'\">y</a>' * 100_000",
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
    "odd quotes": "b'<p \\'>' * 1_000_000",
    "odd quotes behind texts": "b'x<p x\">' * 800_000",
    "odd quotes in links": "b'<a x\">x' * 800_000",
    "brackets in values": "b'<b a=\"<\">x' * 500_000",
    "texts between stray tags": "b'x<tr a=b>' * 300_000",
    "texts between frames": "b'<frameset><frame src=a>' * 200_000",
    "a long text before stray tags": "b'y' * 2_000_000 + b'x<tr a=b>' * 300_000",
    "texts between rows": "b'<table>' + b'x<tr a=b>' * 500_000",
    "blanks between rows": "b'<table>' + b' <br a=b>' * 500_000",
    "references to blanks between rows": "b'<table>' + b'&#9;<br a=b>' * 400_000",
    "texts and cells in turn": "b'<table>' + b'x<td>y</td>' * 400_000",
    "texts behind the end": "b'x</body><!--y-->' * 300_000",
    "blanks between head and body": "b'<head></head>' + b' <meta a=b>' * 400_000",
    "texts between stray end tags in svg": "b'<svg>' + b'x</q a=b>' * 400_000",
    "nested tags with brackets in attributes": "b'<div a=\"<\">' * 200_000",
    "nested tags with ends in comments": "b'<div><!--</div>-->' * 200_000",
    "tangled tags": "b'<span><div></span></div>' * 200_000",
    "tags tangled with tables": "b'<div><table><td></div></table>' * 160_000",
    "cells in svg": "b'<svg>' + b'<td>' * 1_000_000",
    "formatting open behind cells": (
        "b'<div>' + b''.join(b'<b id=%d><table><td></b></table>' % i for i in range(1000)) + b'</div>' + b'<p>x' * 2000"
    ),
    "formatting closed in comments": "b''.join(b'<b id=%d><!--</b>--><p>' % i for i in range(30_000))",
    "formatting with many attributes": (
        "b''.join(b'<b %s n%d>' % (b' '.join(b'a%d' % k for k in range(300)), i) for i in range(20)) + b'<p>x' * 2000"
    ),
    "attributes behind a stray quote": "b'<p x\" ' + b' '.join(b'%x' % i for i in range(200_000)) + b' y\">'",
    "attributes behind quoted brackets": "b'<p a=\"<>\" ' + b' '.join(b'%x' % i for i in range(200_000)) + b'>'",
    "tags without an end": "b'<p' * 2_500_000",
    "lists open behind comments": "b'<ul><!--</ul>--><li>' * 150_000",
    "elements": "b'x<p>' * 7_000_000",
    "attributes without values": "b'<p a>' * 5_000_000",
    "ordinary markup": 'b\'<p class="x">The boats <a href="/b">lie</a> in the harbour.</p>\' * 500_000',
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_hostile_pages_are_bounded(name: str):
    program = PROGRAM.format(page=PAGES[name], memory=MEMORY, seconds=SECONDS, megabytes=MEGABYTES)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "http://a.org/\n"), done.stderr[-2000:]
