"""The program that a `ParseProcess` runs: it reads answers from its input and writes their documents to its output.

    python -P -m clew.parse.worker

A message is its length in eight bytes, then that many bytes of `marshal`, which is several times faster than `pickle`
for the hundred links of a page and makes nothing but plain values. The first message holds the settings, the others
one answer each; answers are given in the order of the questions. The process ends with its input.
"""

from __future__ import annotations

import marshal
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, BinaryIO, Final

from clew.config import Scope
from clew.parse.document import document
from clew.types import Doc, Fetched, Form, FormField, Link

LENGTH_BYTES: Final = 8
ASKED: Final = ("url", "status", "headers", "body", "raw", "rendered")  # all of an answer that a document depends on
SETTINGS: Final = ("sitemaps", "feeds", "script_links", "forms", "media", "nofollow")  # the same of the scope
FIELDS: Final = tuple(each.name for each in fields(Doc))
NICENESS: Final = 1  # the crawl itself goes first where there is only one core


def packed(message: Any) -> bytes:
    """A message as it is sent."""
    data = marshal.dumps(message)
    return len(data).to_bytes(LENGTH_BYTES) + data


def settings_of(scope: Scope, with_main_text: bool) -> list[Any]:
    """The first message."""
    return [with_main_text, *(getattr(scope, name) for name in SETTINGS)]


def scope_of(settings: Sequence[Any]) -> tuple[Scope, bool]:
    """What the first message says."""
    return Scope(**dict(zip(SETTINGS, settings[1:], strict=True))), settings[0]


def question(fetched: Fetched) -> list[Any]:
    """An answer of a server, as it is sent to be read."""
    return [getattr(fetched, name) for name in ASKED]


def plain(doc: Doc) -> list[Any]:
    """A document of values that `marshal` knows: named tuples are none of them."""
    values = {name: getattr(doc, name) for name in FIELDS}
    values["terms"] = dict(doc.terms)
    values["links"] = [tuple(link) for link in doc.links]
    values["forms"] = [(form.action, list(map(tuple, form.fields)), *form[2:]) for form in doc.forms]
    return list(values.values())


def doc_of(values: Sequence[Any]) -> Doc:
    """The document again."""
    found = dict(zip(FIELDS, values, strict=True))
    found["links"] = tuple([tuple.__new__(Link, link) for link in found["links"]])
    found["forms"] = tuple([_form(*form) for form in found["forms"]])
    return Doc(**found)


def main() -> None:
    """Answer until the input ends."""
    # Ctrl-C reaches all processes of a terminal: the crawl ends in order, and this one with its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    messages = _messages(sys.stdin.buffer)
    out = sys.stdout.buffer
    # Whatever prints must not write between the messages.
    sys.stdout = sys.stderr
    scope, with_main_text = scope_of(next(messages))
    for message in messages:
        fetched = Fetched(**dict(zip(ASKED, message, strict=True)))
        out.write(packed(plain(document(fetched, scope, with_main_text))))
        out.flush()


def _messages(stream: BinaryIO) -> Iterator[Any]:
    while len(head := stream.read(LENGTH_BYTES)) == LENGTH_BYTES:
        yield marshal.loads(stream.read(int.from_bytes(head)))


def _form(action: str, form_fields: Sequence[Sequence[Any]], *rest: Any) -> Form:
    return Form(action, tuple([FormField(*each) for each in form_fields]), *rest)


if __name__ == "__main__":
    main()
