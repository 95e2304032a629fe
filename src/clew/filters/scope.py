"""Which URLs may become candidates, and the reason for each that may not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.config import Scope
from clew.parse.url import domain, host

# Files that hold no text for us; a HEAD request for each would cost more than the few exceptions bring.
_MEDIA = frozenset(
    {
        *("jpg", "jpeg", "png", "gif", "webp", "svg", "ico", "bmp", "tif", "tiff", "avif"),
        *("mp3", "ogg", "wav", "flac", "m4a", "mp4", "m4v", "webm", "mov", "avi", "mkv", "wmv", "swf"),
        *("zip", "gz", "tgz", "bz2", "xz", "7z", "rar", "tar", "iso", "dmg", "exe", "msi", "deb", "rpm", "apk", "jar"),
        *("css", "js", "mjs", "json", "bin", "woff", "woff2", "ttf", "otf", "eot"),
    }
)


@dataclass
class ScopeFilter:
    """Says why a URL is out of scope, or nothing.

    >>> ScopeFilter(Scope(within="hosts"), ["http://a.example/"])("http://b.example/x", 1)
    "not on a start page's host"
    """

    scope: Scope
    seeds: Iterable[str] = ()
    home: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for url in self.seeds:
            self.add_home(url)

    def add_home(self, url: str) -> None:
        """Count the place of this URL among the start pages'."""
        if self.scope.within != "web":
            self.home.add(self._place(url))

    def _place(self, url: str) -> str:
        return host(url) if self.scope.within == "hosts" else domain(url)

    def sitemap(self, url: str, depth: int) -> str:
        """The reason for a sitemap, which need not be among the allowed prefixes to name pages that are."""
        if len(url) > self.scope.max_url:
            return f"longer than {self.scope.max_url} characters"
        if self.home and self._place(url) not in self.home:
            return f"not on a start page's {self.scope.within[:-1]}"
        return ""

    def __call__(self, url: str, depth: int) -> str:
        """The reason, or "" for a URL that may be fetched."""
        scope = self.scope
        if len(url) > scope.max_url:
            return f"longer than {scope.max_url} characters"
        if scope.max_depth is not None and depth > scope.max_depth:
            return f"deeper than {scope.max_depth} links"
        if self.home and self._place(url) not in self.home:
            return f"not on a start page's {scope.within[:-1]}"
        if scope.allow and not url.startswith(scope.allow):
            return "not among the allowed prefixes"
        if scope.deny and url.startswith(scope.deny):
            return "among the denied prefixes"
        return "a media file" if _ending(url) in _MEDIA else ""


def _ending(url: str) -> str:
    name = url.partition("?")[0].rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
