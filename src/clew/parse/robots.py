"""robots.txt, parsed as in RFC 9309 and Google's parser: rules, Crawl-delay and sitemaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from clew.parse.url import unify_escapes

SIZE: Final = 500 * 1024  # bytes that are read (RFC 9309, 2.5)
MAX_LINE_BYTES: Final = 2083 * 8 - 1  # the rest of a line is ignored, as by Google's parser
MAX_SITEMAPS_PER_FILE: Final = 1000
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
BLANK: Final = " \t\n\v\f\r"

# Keys match by their beginning, and common misspellings count, as in Google's parser.
AGENT: Final = ("user-agent", "useragent", "user agent")
ALLOW: Final = ("allow",)
DISALLOW: Final = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
SITEMAP: Final = ("sitemap", "site-map")
DELAY: Final = ("crawl-delay", "crawldelay")

CONTENT: Final = re.compile(r"[^\r\n]+")
TOKEN: Final = re.compile(r"[A-Za-z_-]*")
# What RFC 3986 does not allow in a URL. Stars and dollars too, because those of patterns are signs, and single quotes,
# because canonical URLs escape them in the query and not in the path.
TO_ESCAPE: Final = re.compile(r"""[\x00- "<>\\^`{|}*$'\x7f-\xff]""")
ESCAPED_LETTER: Final = re.compile(r"%(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])")  # or digit
NUMBER: Final = re.compile(r"\d{1,9}(?:\.\d*)?|\.\d+")
BEFORE_PATH: Final = re.compile(r"[^/?;]*?://[^/?;]*|//[^/?;]*|")

Wild = tuple[int, bool, list[str], bool]
"""A pattern with wildcards: its length, whether it allows, the texts between its stars, whether it ends with $."""


@dataclass(slots=True)
class RobotsGroup:
    """The rules for one crawler, or for all crawlers without rules of their own.

    Patterns without wildcards are found by looking up the prefixes of a path; the others are tried, the longest first.
    Each trial reads the path once, whatever the pattern.

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
    as_written: list[Wild] = field(default_factory=list)  # Allow rules for one spelling of a path only

    def add(self, pattern: str, allow: bool) -> None:
        """Add a rule; an empty pattern has no effect."""
        patterns = self.starred if "*" in pattern or pattern.endswith("$") else self.plain
        if pattern:
            patterns[pattern] = allow or patterns.get(pattern, False)
        # Allowing /folder/index.html also allows /folder/, as in Google's parser.
        folder, slash, name = pattern.rpartition("/")
        if allow and slash and name.startswith("index.htm"):
            self.add(f"{folder}/$", allow)

    def settle(self) -> None:
        """Sort the rules once all are known: the longest first, and of equally long ones those that allow."""
        self.lengths = sorted({len(pattern) for pattern in self.plain}, reverse=True)
        self.wild = [_wild(pattern, allow) for pattern, allow in self.starred.items()]
        self.wild.sort(key=lambda rule: rule[:2], reverse=True)

    def allows(self, path: str, written: str = "") -> bool:
        """Whether a path may be fetched: the longest matching pattern decides, and Allow wins a tie.

        `written` is the path with escaped letters as they are, for the rules that have some.
        """
        length = self._longest_refusal(path)
        return not length or any(
            size >= length and _fits(written or path, pieces, whole) for size, _, pieces, whole in self.as_written
        )

    def _longest_refusal(self, path: str) -> int:
        """The length of the pattern that forbids a path; 0 if none does."""
        length = 0
        allowed = True
        for size in self.lengths:
            found = self.plain.get(path[:size])
            if found is not None:
                length = size
                allowed = found
                break
        for size, allow, pieces, whole in self.wild:
            # Shorter patterns cannot overrule the plain one, nor can an equally long one if that allows.
            if size < length or (size == length and allowed):
                break
            if _fits(path, pieces, whole):
                return 0 if allow else size
        return 0 if allowed else length


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """The rules of a robots.txt for one crawler, and its sitemaps.

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
        return self.group.allows(path_of(url), _path_as_written(url))


def robots_txt(body: bytes, agent: str) -> RobotsTxt:
    """Parse a robots.txt for the crawler with this product token."""
    agent = agent.lower()
    own = RobotsGroup()
    common = RobotsGroup()
    sitemaps: list[str] = []
    named = False  # whether any group names this crawler
    for_us = False  # whether the current group names it
    for_all = False  # whether the current group is for every crawler
    has_rules = False  # whether the current group has rules already
    for key, value in _lines(body):
        if key.startswith(AGENT):
            # Several user agents in a row share a group; the first one after a rule begins another.
            if has_rules:
                for_us = for_all = has_rules = False
            if value[:1] == "*" and value[1:2] in ("", *BLANK):
                for_all = True
            elif agent and token(value) == agent:
                named = for_us = True
        elif key.startswith(SITEMAP):
            sitemaps.append(value.encode("latin-1").decode("utf-8", "replace"))
        elif for_us or for_all:
            has_rules |= _add_rule(own if for_us else common, key, value)
    # All groups that name the crawler are merged; only without any do the rules for everybody apply.
    group = own if named else common
    group.settle()
    return RobotsTxt(group, tuple(dict.fromkeys(sitemaps[:MAX_SITEMAPS_PER_FILE])))


def token(name: str) -> str:
    """The product token of a user agent, by which robots.txt files address it, in lower case.

    >>> token("Clew/0.1 (+https://example.org)")
    'clew'
    """
    found = TOKEN.match(name)
    return found[0].lower() if found else ""


def path_of(url: str) -> str:
    """The path and query of a canonical URL, to which the rules apply.

    >>> path_of("http://a.org/%7Eb?c%c3#d"), path_of("http://a.org?b")
    ('/~b?c%C3', '/?b')
    """
    return _normal(_path_as_written(url))


def _path_as_written(url: str) -> str:
    path = BEFORE_PATH.sub("", url.partition("#")[0], count=1)
    return path if path.startswith("/") else f"/{path}"


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    """The lines of a robots.txt as keys in lower case and values."""
    body = body[:SIZE]
    # Part of a byte order mark is skipped too, as by Google's parser.
    marked = next(size for size in (3, 2, 1, 0) if body.startswith(BYTE_ORDER_MARK[:size]))
    # Latin-1 maps bytes to characters one to one: rules compare bytes, whatever the charset.
    for found in CONTENT.finditer(body[marked:].decode("latin-1")):
        line = found[0][:MAX_LINE_BYTES].partition("\0")[0].partition("#")[0].strip(BLANK)
        key, colon, value = line.partition(":")
        if not colon:
            # "disallow /x" lacks a colon, but cannot mean anything else.
            words = line.replace("\t", " ").split(" ")
            if len([word for word in words if word]) != 2:
                continue
            key = words[0]
            value = words[-1]
        if key:
            yield key.strip(BLANK).lower(), value.strip(BLANK)


def _add_rule(group: RobotsGroup, key: str, value: str) -> bool:
    """Add a line to a group; True if it was a rule, after which a user agent begins another group."""
    allow = key.startswith(ALLOW)
    if allow and ESCAPED_LETTER.search(value):
        # Does it speak of the letter, too? Yes in RFC 9309, no in Google's parser: the reading that allows less counts.
        group.as_written.append(_wild(_escaped(value), allow))
        return True
    if allow or key.startswith(DISALLOW):
        group.add(_normal_pattern(value), allow)
        return True
    # Of several delays the longest is the safe choice.
    if key.startswith(DELAY) and NUMBER.fullmatch(value):
        group.delay = max(group.delay, float(value))
    return False


def _normal_pattern(pattern: str) -> str:
    """A pattern in the form of paths, around its signs: stars, and a dollar at the end."""
    text = pattern.removesuffix("$")
    end = pattern[len(text) :]
    return "*".join([_normal(piece) for piece in text.split("*")]) + end


def _normal(path: str) -> str:
    """Bytes, as Latin-1, in the one form in which paths and rules are compared (RFC 9309, 2.2.2)."""
    path = _escaped(path)
    return unify_escapes(path) if "%" in path else path


def _escaped(path: str) -> str:
    return TO_ESCAPE.sub(lambda found: f"%{ord(found[0]):02X}", path)


def _wild(pattern: str, allow: bool) -> Wild:
    whole = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    # The last piece before a $ stays even if it is empty: it is matched at the end of the path.
    last = rest[-1:] if whole else []
    middle = filter(None, rest[: len(rest) - len(last)])
    return len(pattern), allow, [first, *middle, *last], whole


def _fits(path: str, pieces: list[str], whole: bool) -> bool:
    """Whether a path matches the pieces of a pattern in order."""
    # Each piece is taken at the first place after the one before. Nothing is ever tried again, so a hostile pattern
    # cannot take long.
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
