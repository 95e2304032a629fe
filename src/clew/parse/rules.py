"""Named rules by which different URLs are known to mean one page, whatever the site."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from clew.errors import ConfigError

RULES: Final = ("tracking", "sessions", "dots", "canonical", "index", "variants", "parameters")
"""The first three are applied here; the others ask the pages (`clew.filters`)."""

_TRACKING: Final = (
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|epik|_openstat|"
    r"mc_[ce]id|_ga|_gl|_hsenc|_hsmi|__hs\w+|hsctatracking|mkt_tok|vero_id|oly_(?:anon|enc)_id|wickedid|"
    r"(?:pk|piwik|mtm|matomo)_(?:campaign|kwd|keyword|source|medium|content|cid|group|placement)|wt\.mc_\w+"
)
_ID: Final = r"(?=[\w,-]*\d)[\w,-]{16,}"  # what a session is called; a short number would be a section
_SESSIONS: Final = (
    r"(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid)(?:=[^&;]*)?|"
    rf"(?:sid|session_?id|s)={_ID}"
)
_END: Final = r"(?=[&;]|$)"
_KEYS: Final = {
    "tracking": re.compile(rf"(?<=[?&;])(?:{_TRACKING})(?:=[^&;]*)?{_END}", re.I),
    "sessions": re.compile(rf"(?<=[?&;])(?:{_SESSIONS}){_END}", re.I),
}
_IN_PATH: Final = re.compile(r";(?:jsessionid|phpsessid)=[^/?;]*|/\([A-Z]\([\w-]{16,}\)\)(?=/)", re.I)
_DOT: Final = re.compile(r"^(https?://[^/?:]*[^/?:.])\.(?=[/:])")


def tidy(url: str, rules: Collection[str] = RULES) -> str:
    """A canonical URL without what these rules know to say nothing about the page.

    >>> tidy("http://a.org./x;jsessionid=1F?utm_source=b&c=1&PHPSESSID=2")
    'http://a.org/x?c=1'
    """
    if "." in url and "dots" in rules:
        url = _DOT.sub(r"\1", url, count=1)
    if "sessions" in rules and (";" in url or "(" in url):
        path, mark, query = url.partition("?")
        url = _IN_PATH.sub("", path) + mark + query
    for name, keys in _KEYS.items():
        if "?" in url and name in rules and keys.search(url, url.index("?")):
            url = _without(url, keys)
    return url


def check(rules: Collection[str]) -> None:
    """Raise for a name that is no rule; "none" alone switches all off."""
    if wrong := [name for name in rules if name not in RULES and name != "none"]:
        raise ConfigError(f"there is no URL rule {wrong[0]!r}; there are: {', '.join(RULES)}, none")


def _without(url: str, keys: re.Pattern[str]) -> str:
    path, _, query = url.partition("?")
    kept = [pair for pair in query.split("&") if not keys.fullmatch(f"?{pair}", 1)]
    return f"{path}?{'&'.join(kept)}" if kept else path
