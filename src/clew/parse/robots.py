"""robots.txt as RFC 9309 and Google's parser read it: what may be fetched, the Crawl-delay, and the sitemaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

SIZE: Final = 500 * 1024  # bytes that are read (RFC 9309, 2.5)
LINE: Final = 2083 * 8 - 1  # bytes of a line that count
SITEMAPS: Final = 1000  # lines that name one
MARK: Final = b"\xef\xbb\xbf"
BLANK: Final = " \t\n\v\f\r"

AGENT: Final = ("user-agent", "useragent", "user agent")
ALLOW: Final = ("allow",)
DISALLOW: Final = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
SITEMAP: Final = ("sitemap", "site-map")
DELAY: Final = ("crawl-delay", "crawldelay")

CONTENT: Final = re.compile(r"[^\r\n]+")
TOKEN: Final = re.compile(r"[A-Za-z_-]*")
NOT_PLAIN: Final = re.compile(r"%[0-9a-fA-F]{2}|[\x80-\xff]")
TRIPLET: Final = re.compile(r"%[0-9a-fA-F]{2}")
NUMBER: Final = re.compile(r"\d{1,9}(?:\.\d*)?|\.\d+")
BEFORE_PATH: Final = re.compile(r"[^/?;]*?://[^/?;]*|//[^/?;]*|")

Wild = tuple[int, bool, list[str], bool]
"""A pattern with wildcards: its length, whether it allows, the texts between the stars, whether it ends with $."""


@dataclass(slots=True)
class RobotsGroup:
    """The rules for one crawler, or for all that have none of their own.

    Patterns without wildcards are looked up by the beginnings of a path, the others are tried from the longest on; each
    trial reads the path once, whatever the pattern.

    >>> group = RobotsGroup()
    >>> group.add("/fish", allow=False)
    >>> group.add("/fish/*.html$", allow=True)
    >>> group.settle()
    >>> group.allows("/fish/salmon.html"), group.allows("/fish/salmon.html?x"), group.allows("/catfish")
    (True, False, True)
    """

    delay: float = 0.0
    plain: dict[str, bool] = field(default_factory=dict)
    starred: dict[str, bool] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)
    wild: list[Wild] = field(default_factory=list)

    def add(self, pattern: str, allow: bool) -> None:
        """Take in one rule; an empty one says nothing."""
        patterns = self.starred if "*" in pattern or pattern.endswith("$") else self.plain
        if pattern:
            patterns[pattern] = allow or patterns.get(pattern, False)
        folder, slash, name = pattern.rpartition("/")
        if allow and slash and name.startswith("index.htm"):
            self.add(f"{folder}/$", allow)

    def settle(self) -> None:
        """All rules are known: sort them, the longest first, and of equally long ones those that allow."""
        self.lengths = sorted({len(pattern) for pattern in self.plain}, reverse=True)
        self.wild = [_wild(pattern, allow) for pattern, allow in self.starred.items()]
        self.wild.sort(key=lambda rule: rule[:2], reverse=True)

    def allows(self, path: str) -> bool:
        """The longest pattern that fits decides; Allow wins a tie, and where none fits all is allowed."""
        length, allowed = 0, True
        for size in self.lengths:
            if (found := self.plain.get(path[:size])) is not None:
                length, allowed = size, found
                break
        for size, allow, pieces, whole in self.wild:
            if size < length or (size == length and allowed):
                break
            if _fits(path, pieces, whole):
                return allow
        return allowed


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """What a robots.txt says to one crawler.

    >>> txt = robots_txt(b"User-agent: *\\nDisallow: /private\\nCrawl-delay: 5\\nSitemap: /map.xml", "clew")
    >>> txt.allows("http://a.org/private/x"), txt.allows("http://a.org/"), txt.delay, txt.sitemaps
    (False, True, 5.0, ('/map.xml',))
    """

    group: RobotsGroup
    sitemaps: tuple[str, ...] = ()

    @property
    def delay(self) -> float:
        """The Crawl-delay in seconds."""
        return self.group.delay

    def allows(self, url: str) -> bool:
        """Whether a URL may be fetched."""
        return self.group.allows(path_of(url))


def robots_txt(body: bytes, agent: str) -> RobotsTxt:
    """Read for the crawler of this product token: its own groups, merged, or else those for everybody."""
    agent = agent.lower()
    own, common, sitemaps = RobotsGroup(), RobotsGroup(), list[str]()
    named = mine = everybody = begun = False
    for key, value in _lines(body):
        if key.startswith(AGENT):
            if begun:
                mine = everybody = begun = False
            if value[:1] == "*" and value[1:2] in ("", *BLANK):
                everybody = True
            elif agent and token(value) == agent:
                named = mine = True
        elif key.startswith(SITEMAP):
            sitemaps.append(value.encode("latin-1").decode("utf-8", "replace"))
        elif mine or everybody:
            begun |= _rule(own if mine else common, key, value)
    group = own if named else common
    group.settle()
    return RobotsTxt(group, tuple(dict.fromkeys(sitemaps[:SITEMAPS])))


def token(name: str) -> str:
    """The part of a user agent by which robots.txt files speak of it, in small letters.

    >>> token("Clew/0.1 (+https://example.org)")
    'clew'
    """
    found = TOKEN.match(name)
    return found[0].lower() if found else ""


def path_of(url: str) -> str:
    """Path and query of a URL, which is what rules speak of.

    >>> path_of("http://a.org/b?c%c3#d"), path_of("http://a.org?b")
    ('/b?c%C3', '/?b')
    """
    path = BEFORE_PATH.sub("", url.partition("#")[0], count=1)
    if "%" in path:
        path = TRIPLET.sub(lambda found: found[0].upper(), path)
    return path if path.startswith("/") else f"/{path}"


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """Keys in small letters and their values; a colon may be forgotten where there are just two words."""
    body = body[:SIZE]
    marked = next(size for size in (3, 2, 1, 0) if body.startswith(MARK[:size]))
    for found in CONTENT.finditer(body[marked:].decode("latin-1")):
        line = found[0][:LINE].partition("\0")[0].partition("#")[0].strip(BLANK)
        key, colon, value = line.partition(":")
        if not colon:
            words = line.replace("\t", " ").split(" ")
            key, value = (words[0], words[-1]) if len([word for word in words if word]) == 2 else ("", "")
        if key:
            yield key.strip(BLANK).lower(), value.strip(BLANK)


def _rule(group: RobotsGroup, key: str, value: str) -> bool:
    """Take in a line of a group; whether the next user agent after it begins another group."""
    allow = key.startswith(ALLOW)
    if allow or key.startswith(DISALLOW):
        group.add(NOT_PLAIN.sub(_escaped, value), allow)
        return True
    if key.startswith(DELAY) and NUMBER.fullmatch(value):
        group.delay = max(group.delay, float(value))
    return False


def _escaped(found: re.Match[str]) -> str:
    text = found[0]
    return text.upper() if text[0] == "%" else f"%{ord(text):02X}"


def _wild(pattern: str, allow: bool) -> Wild:
    whole = pattern.endswith("$")
    first, *rest = (pattern[:-1] if whole else pattern).split("*")
    last = rest[-1:] if whole else []
    return len(pattern), allow, [first, *filter(None, rest[: len(rest) - len(last)]), *last], whole


def _fits(path: str, pieces: list[str], whole: bool) -> bool:
    """Each piece at the first place after the one before: no choice, so nothing is ever tried again."""
    if not path.startswith(pieces[0]):
        return False
    at = len(pieces[0])
    if whole and len(pieces) == 1:
        return at == len(path)
    for piece in pieces[1:-1] if whole else pieces[1:]:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return not whole or (len(path) - len(pieces[-1]) >= at and path.endswith(pieces[-1]))
