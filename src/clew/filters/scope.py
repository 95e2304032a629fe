"""Which URLs may become candidates, and why others may not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.config import Scope
from clew.parse.url import domain, host

# Files without text to read. A HEAD request for each would cost more than the few exceptions bring.
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
    """Says why a URL is out of scope, or "".

    >>> ScopeFilter(Scope(within="hosts"), ["http://a.example/"])("http://b.example/x", 1)
    "not on a start page's host"
    """

    scope: Scope
    seeds: Iterable[str] = ()
    home: set[str] = field(default_factory=set)  # hosts or domains of the start pages, as `within` says

    def __post_init__(self) -> None:
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
        return ""

    def __call__(self, url: str, depth: int) -> str:
        """Why a URL is out of scope, or ""."""
        scope = self.scope
        if len(url) > scope.max_url:
            return f"longer than {scope.max_url} characters"
        if scope.max_depth is not None and depth > scope.max_depth:
            return f"deeper than {scope.max_depth} links"
        if self.home and self._place(url) not in self.home:
            return f"not on a start page's {scope.within[:-1]}"
        if scope.allow and not url.startswith(scope.allow):
            return "not under an allowed prefix (allow)"
        if scope.deny and url.startswith(scope.deny):
            return "under a denied prefix (deny)"
        return "a media file" if _ending(url) in _MEDIA else ""


def _ending(url: str) -> str:
    name = url.partition("?")[0].rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
