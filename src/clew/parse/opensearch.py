"""Questions to search services and their answers: OpenSearch templates, and the URLs in JSON, Atom or RSS."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote_plus

from clew.errors import ConfigError
from clew.parse.sitemap import listed
from clew.parse.url import canonical

PLACEHOLDER: Final = re.compile(r"\{([\w:]+)(\??)\}")
WORDS: Final = "searchTerms"
COUNT: Final = "count"
URL: Final = "url"
ANY: Final = "*"
MAX_FOUND: Final = 1000


def is_template(text: str) -> bool:
    """Whether a text is the address of a search service, with a place for the words.

    >>> is_template("https://a.example/find?q={searchTerms}"), is_template("https://a.example/")
    (True, False)
    """
    return text.startswith(("http://", "https://")) and f"{{{WORDS}}}" in text


def expanded(template: str, values: Mapping[str, object]) -> str:
    """The address with its places filled in; those that end with "?" may stay empty (OpenSearch 1.1).

    >>> expanded("https://a.example/?q={searchTerms}&n={count?}", {"searchTerms": "old boats"})
    'https://a.example/?q=old+boats&n='
    """

    def fill(place: re.Match[str]) -> str:
        name, is_optional = place.groups()
        if name in values:
            return quote_plus(str(values[name]))
        if is_optional:
            return ""
        raise ConfigError(f"the search template {template!r} needs {name}, which nobody knows: write {{{name}?}}")

    return PLACEHOLDER.sub(fill, template)


def found_urls(body: bytes, base: str, content_type: str = "", results: str = "") -> list[str]:
    """The addresses that an answer names, in order.

    `results` says where in a JSON document they are, step by step, with * for every item: "rows.*.url". Without it,
    every text that is a whole web address counts.

    >>> answer = b'{"next": "http://a.example/?p=2", "rows": [{"url": "http://b.example/1"}, {"url": "/2"}]}'
    >>> found_urls(answer, "http://a.example/", results="rows.*.url")
    ['http://b.example/1', 'http://a.example/2']
    """
    try:
        document = json.loads(body)
        return _canonical(_at(document, results.split(".")) if results else _addresses(document), base)
    except RecursionError:
        # Brackets within brackets without end: no answer of a search service.
        return []
    except ValueError:
        return _from_feed(body, base, content_type)


def _canonical(texts: Iterator[Any], base: str) -> list[str]:
    urls: dict[str, None] = {}
    for text in texts:
        if isinstance(text, str) and (url := canonical(text.strip(), base)):
            urls[url] = None
        if len(urls) == MAX_FOUND:
            break
    return list(urls)


def _at(value: Any, steps: list[str]) -> Iterator[Any]:
    """The values at the end of a way through a document; a way that leads nowhere has none."""
    if not steps:
        yield value
        return
    step, *rest = steps
    if step == ANY:
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    elif isinstance(value, dict):
        items = [value[step]] if step in value else ()
    elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        items = [value[int(step)]]
    else:
        items = ()
    for item in items:
        yield from _at(item, rest)


def _addresses(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if value.startswith(("http://", "https://")) and not re.search(r"\s", value.strip()):
            yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _addresses(item)


def _from_feed(body: bytes, base: str, content_type: str) -> list[str]:
    """The entries of an answer in Atom or RSS."""
    doc = listed(body, base, content_type, True)
    return list(dict.fromkeys(link.url for link in doc.links)) if doc else []
