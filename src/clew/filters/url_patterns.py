"""Patterns for URLs, as `allow` and `deny` take them: hosts, domains, prefixes, globs and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from clew.errors import ConfigError
from clew.parse.url import canonical

REGEX: Final = "re:"
"""Begins a regular expression."""
ANY_PORT: Final = ", on any port"
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)
_ANY_SCHEME: Final = "https?://"
_DOMAIN: Final = re.compile(r"\*\.[^*/?#]+")
# None of these is a top-level domain, so that '*.pdf' can only mean files.
_FILE_ENDINGS: Final = frozenset(
    {
        *("pdf", "html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "xml", "json"),
        *("txt", "rst", "csv", "doc", "docx", "ppt", "pptx", "xls", "xlsx"),
    }
)


class UrlPattern(NamedTuple):
    """One pattern as it was understood."""

    text: str  # as the user wrote it
    kind: str  # host, domain, prefix, glob or regex
    value: str  # host, host with path, domain, prefix or regular expression
    meaning: str  # for the user


def read_pattern(text: str) -> UrlPattern:
    """The pattern that a text describes.

    >>> read_pattern("docs.test").meaning, read_pattern("*.docs.test").meaning
    ('the host docs.test, on any port', 'the host docs.test and all hosts below it')
    >>> read_pattern("docs.test/guide/").meaning
    'URLs that begin with http(s)://docs.test/guide/'
    """
    if text.startswith(REGEX):
        return _regex(text)
    if not text.strip("*/ "):
        raise ConfigError(f"{text!r} names no host; write a host such as docs.example, or https://docs.example/guide/")
    if _DOMAIN.fullmatch(text):
        return _domain(text)
    if "*" in text:
        return _glob(text)
    if _WEB.match(text):
        return UrlPattern(text, "prefix", text, f"URLs that begin with {text}")
    return _host(text)


def written(text: str) -> str:
    """The text as it is kept with a crawl: a URL without a path means its host, and not every host that begins so.

    >>> written("https://Docs.test"), written("https://docs.test/gui"), written("docs.test")
    ('https://docs.test/', 'https://docs.test/gui', 'docs.test')
    """
    pattern = read_pattern(text)
    return canonical(pattern.value) or text if pattern.kind == "prefix" else text


class UrlPatterns:
    """Finds the pattern that a URL matches: one look-up for all hosts, one comparison for all prefixes.

    >>> patterns = UrlPatterns(["*.test", "https://b.example/guide/"])
    >>> patterns.match("http://docs.test:8000/x"), patterns.match("https://b.example/"), bool(UrlPatterns([]))
    ('*.test', '', False)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.patterns = [read_pattern(text) for text in texts]
        self._hosts: dict[str, list[tuple[str, str]]] = {}  # host -> (beginning of the path, text)
        for pattern in self._of("host"):
            name, slash, path = pattern.value.partition("/")
            self._hosts.setdefault(name, []).append((slash + path, pattern.text))
        self._domains = {pattern.value: pattern.text for pattern in self._of("domain")}
        self._prefixes = {pattern.value: pattern.text for pattern in self._of("prefix")}
        self._any_prefix = tuple(self._prefixes)
        self._expressions = [(re.compile(p.value), p.text) for p in self.patterns if p.kind in ("glob", "regex")]

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def match(self, url: str) -> str:
        """The text of the pattern that covers a canonical URL, or ""."""
        if self._any_prefix and url.startswith(self._any_prefix):
            return next(text for prefix, text in self._prefixes.items() if url.startswith(prefix))
        if (self._hosts or self._domains) and (found := self._match_host(url)):
            return found
        return next((text for expression, text in self._expressions if expression.search(url)), "")

    def _match_host(self, url: str) -> str:
        host, slash, path = url[url.find("//") + 2 :].partition("/")
        name = _without_port(host)
        for known in (host,) if name == host else (host, name):
            for beginning, text in self._hosts.get(known, ()):
                if (slash + path).startswith(beginning):
                    return text
        return self._match_domain(name) if self._domains else ""

    def _match_domain(self, name: str) -> str:
        while name:
            if name in self._domains:
                return self._domains[name]
            name = name.partition(".")[2]
        return ""

    def _of(self, kind: str) -> list[UrlPattern]:
        return [pattern for pattern in self.patterns if pattern.kind == kind]


def _regex(text: str) -> UrlPattern:
    expression = text.removeprefix(REGEX)
    try:
        re.compile(expression)
    except re.error as error:
        place = "" if error.pos is None else f" at character {error.pos + 1}"
        raise ConfigError(f"{text!r} is not a regular expression: {error.msg}{place} of {expression!r}") from None
    if not expression:
        raise ConfigError(f"{text!r} is an empty regular expression; write one behind it, such as re:/20[0-9]+/")
    return UrlPattern(text, "regex", expression, f"URLs in which the regular expression {expression} is found")


def _domain(text: str) -> UrlPattern:
    name = text.removeprefix("*.")
    if name.lower() in _FILE_ENDINGS:
        return UrlPattern(text, "glob", rf"^[^?]*\.{name}(\?|$)", f"URLs of files that end in .{name}")
    host = _canonical_host(text, name)
    return UrlPattern(text, "domain", _without_port(host), f"the host {host} and all hosts below it")


def _glob(text: str) -> UrlPattern:
    scheme, _, rest = text.rpartition("://")
    if scheme and not re.fullmatch(r"https?|\*", scheme, re.IGNORECASE):
        raise ConfigError(f"{text!r} names no URLs of the web; write https:// or *://")
    begin = _ANY_SCHEME if scheme in ("", "*") else re.escape(f"{scheme.lower()}://")
    host, slash, path = rest.partition("/")
    # A star in the host stays there: 'https://*.test/x' must not match https://elsewhere.org/a.test/x.
    is_anywhere = not slash or (not scheme and host == "*")
    star = ".*" if is_anywhere else "[^/]*"
    expression = f"^{begin}{_starred(host.lower(), star)}{slash}{_starred(path, '.*')}$"
    return UrlPattern(text, "glob", expression, f"URLs of the form {text}")


def _starred(text: str, star: str) -> str:
    return star.join(map(re.escape, text.split("*")))


def _host(text: str) -> UrlPattern:
    if "://" in text or text.startswith("/"):
        bare = text.partition("://")[2] or text
        example = f"https://example.org{bare}" if bare.startswith("/") else f"https://{bare}"
        raise ConfigError(f"{text!r} names no host or URL of the web; write {example}")
    host, _, path = text.partition("/")
    name = _canonical_host(text, host)
    scheme = {":80": "http", ":443": "https"}.get(host[len(_without_port(host)) :])
    if scheme:
        # Canonical URLs leave out the port that their scheme implies.
        prefix = canonical(f"{scheme}://{host}/{path}") or ""
        return UrlPattern(text, "prefix", prefix, f"URLs that begin with {prefix}")
    if not path:
        return UrlPattern(text, "host", name, f"the host {name}" + ("" if _without_port(name) != name else ANY_PORT))
    value = (canonical(f"http://{name}/{path}") or "").partition("://")[2]
    return UrlPattern(text, "host", value, f"URLs that begin with http(s)://{value}")


def _canonical_host(text: str, host: str) -> str:
    """The host as canonical URLs spell it; https is the scheme whose default port is left out."""
    url = canonical(f"https://{host}/") if host and not re.search(r"[\s@]", host) else None
    if not url:
        raise ConfigError(f"{text!r} is no host, URL, glob (*) or regular expression ({REGEX}…)")
    return url.partition("://")[2].rstrip("/")


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host
