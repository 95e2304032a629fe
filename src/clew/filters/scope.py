"""Which URLs may become candidates, and why others may not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from clew.config import Scope
from clew.filters.scope_report import Excluded
from clew.filters.url_patterns import UrlPatterns
from clew.parse.url import domain, host

NOT_ALLOWED: Final = "not allowed (allow)"
DENIED: Final = "denied by"

# Files without text to read. A HEAD request for each would cost more than the few exceptions bring.
_MEDIA = frozenset(
    {
        *("jpg", "jpeg", "png", "gif", "webp", "svg", "ico", "bmp", "tif", "tiff", "avif"),
        *("mp3", "ogg", "wav", "flac", "m4a", "mp4", "m4v", "webm", "mov", "avi", "mkv", "wmv", "swf"),
    }
)
_DATA = frozenset(
    {
        *("zip", "gz", "tgz", "bz2", "xz", "7z", "rar", "tar", "iso", "dmg", "exe", "msi", "deb", "rpm", "apk", "jar"),
        *("css", "js", "mjs", "json", "bin", "woff", "woff2", "ttf", "otf", "eot"),
    }
)


@dataclass
class ScopeFilter:
    """Says why a URL is out of scope, or "".

    >>> ScopeFilter(Scope(within="hosts"), ["http://a.example/"])("http://b.example/x", 1)
    "not on a start page's host"
    """

    scope: Scope
    seeds: Iterable[str] = ()
    home: set[str] = field(default_factory=set)  # hosts or domains of the start pages, as `within` says

    def __post_init__(self) -> None:
        self.allow = UrlPatterns(self.scope.allow)
        self.deny = UrlPatterns(self.scope.deny)
        self.excluded: dict[str, Excluded] = {}  # by setting, in this run
        self.has_admitted = False  # whether any link was in scope
        for url in self.seeds:
            self.add_home(url)

    def add_home(self, url: str) -> None:
        """Add the host or domain of this URL to those of the start pages."""
        if self.scope.within != "web":
            self.home.add(self._place(url))

    def _place(self, url: str) -> str:
        return host(url) if self.scope.within == "hosts" else domain(url)

    def sitemap(self, url: str, depth: int) -> str:
        """Why a sitemap is out of scope, or ""; it may lie outside the allowed prefixes and list pages inside them."""
        if len(url) > self.scope.max_url:
            return f"longer than {self.scope.max_url} characters"
        if self.home and self._place(url) not in self.home:
            return f"not on a start page's {self.scope.within[:-1]}"
        return self.denial(url)

    def denial(self, url: str) -> str:
        """Why a URL must not be visited whatever it is, or ""."""
        pattern = self.deny.match(url) if self.deny else ""
        return f"{DENIED} {pattern} (deny)" if pattern else ""

    def change(self, scope: Scope) -> None:
        """Follow other patterns from now on."""
        self.scope = scope
        self.allow = UrlPatterns(scope.allow)
        self.deny = UrlPatterns(scope.deny)

    def of_start_page(self, start: str, url: str, depth: int) -> str:
        """Why the address to which a start page redirects is out of scope, or "" if it just has another scheme."""
        is_same_page = start.partition("://")[2] == url.partition("://")[2]
        return "" if is_same_page else self(url, depth)

    def __call__(self, url: str, depth: int) -> str:
        """Why a URL is out of scope, or ""."""
        rule, reason = self._rule(url, depth)
        if rule:
            self.excluded.setdefault(rule, Excluded()).add(url)
            return reason
        ending = _ending(url)
        if ending in _DATA or (ending in _MEDIA and not self.scope.media):
            return "a media file"
        # Start pages and what they redirect to are no links.
        self.has_admitted |= depth > 0
        return ""

    def _rule(self, url: str, depth: int) -> tuple[str, str]:
        """The setting by which a URL is out of scope, and why; empty texts if there is none."""
        scope = self.scope
        if len(url) > scope.max_url:
            return "max_url", f"longer than {scope.max_url} characters"
        if scope.max_depth is not None and depth > scope.max_depth:
            return "max_depth", f"deeper than {scope.max_depth} links"
        if self.home and self._place(url) not in self.home:
            return "within", f"not on a start page's {scope.within[:-1]}"
        if self.allow and not self.allow.match(url):
            return "allow", NOT_ALLOWED
        if denial := self.denial(url):
            return "deny", denial
        return "", ""


def is_by_pattern(reason: str) -> bool:
    """Whether this is the reason of a URL that `allow` or `deny` keeps out."""
    return reason == NOT_ALLOWED or reason.startswith(f"{DENIED} ")


def _ending(url: str) -> str:
    name = url.partition("?")[0].rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
