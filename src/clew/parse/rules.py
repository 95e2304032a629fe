"""URL normalisation rules that hold for every site: different URLs of the same page become one."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from clew.errors import ConfigError

RULES: Final = ("tracking", "sessions", "dots", "canonical", "index", "variants", "parameters")
"""The first three are applied here; the others depend on the pages (`clew.filters`)."""

_TRACKING: Final = (
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|epik|_openstat|"
    r"mc_[ce]id|_ga|_gl|_hsenc|_hsmi|__hs\w+|hsctatracking|mkt_tok|vero_id|oly_(?:anon|enc)_id|wickedid|"
    r"(?:pk|piwik|mtm|matomo)_(?:campaign|kwd|keyword|source|medium|content|cid|group|placement)|wt\.mc_\w+"
)
_ID: Final = r"(?=[\w,-]*\d)[\w,-]{16,}"  # a session id; a short number may be the section of a site
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
    """A canonical URL without the parts that, by these rules, do not identify the page.

    >>> tidy("http://a.org./x;jsessionid=1F?utm_source=b&c=1&PHPSESSID=2")
    'http://a.org/x?c=1'
    """
    if ("./" in url or ".:" in url) and "dots" in rules:
        url = _DOT.sub(r"\1", url, count=1)
    if "sessions" in rules and (";" in url or "(" in url):
        path, mark, query = url.partition("?")
        url = _IN_PATH.sub("", path) + mark + query
    for name, keys in _KEYS.items():
        # The query is taken apart only if there is something to remove.
        if "?" in url and name in rules and keys.search(url, url.index("?")):
            url = _without(url, keys)
    return url


def check(rules: Collection[str]) -> None:
    """Raise a ConfigError for an unknown rule; the name "none" switches all rules off."""
    if wrong := [name for name in rules if name not in RULES and name != "none"]:
        raise ConfigError(f"there is no URL rule {wrong[0]!r}; there are: {', '.join(RULES)}, none")


def _without(url: str, keys: re.Pattern[str]) -> str:
    path, _, query = url.partition("?")
    kept = [pair for pair in query.split("&") if not keys.fullmatch(f"?{pair}", 1)]
    return f"{path}?{'&'.join(kept)}" if kept else path
