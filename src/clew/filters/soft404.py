"""Pages that say 200 and mean 404."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.text.simhash import NEAR, hamming

SHORT: Final = 300  # words; what says more than that is a page about errors
EACH: Final = 4  # error pages remembered of a host
HOSTS: Final = 20_000
_NOUN: Final = r"(?:page|file|document|site|url|seite|datei|dokument|p[aá]gina|pagina|archivo|stran[aá]|strona)"
_GONE: Final = (
    r"(?:(?:was|were|is|could|can(?:\s?not|['’]t)|konnte|wurde|non|n['’]est pas|no)\b.{0,20})?"
    r"(?:not\s(?:be\s)?found|does\snot\sexist|doesn['’]t\sexist|no\slonger\s(?:exists?|available)|nicht\s(?:mehr\s)?"
    r"(?:gefunden|vorhanden|verfügbar)|existiert\snicht|introuvable|no\sencontrad[ao]|non\strovat[ao]|"
    r"não\sencontrad[ao]|niet\sgevonden|nie\sznaleziono|nenalezena)"
)
_TITLE: Final = re.compile(
    rf"^\W*(?:error|fehler|erreur|http)?\W*(?:404|410)\b|\b(?:error|fehler|erreur)\W{{0,3}}(?:404|410)\b|"
    rf"\b(?:404|410)\W{{0,3}}(?:error|fehler|not\sfound)|\b{_NOUN}\b.{{0,30}}?{_GONE}|^\W*{_GONE}\W*$",
    re.I,
)
_TEXT: Final = re.compile(
    rf"\b(?:error|http)\s(?:404|410)\b|\b404\W{{0,3}}not\sfound|\b{_NOUN}\b.{{0,40}}?{_GONE}", re.I
)


@dataclass(slots=True)
class SoftErrors:
    """Tells error pages by their words, and then their like on the same host by their fingerprints.

    >>> SoftErrors().reason("a.example", "Page not found", "Sorry.", 0)
    'soft 404: its title says so'
    """

    errors: dict[int, list[int]] = field(default_factory=dict)  # of each host

    def reason(self, host: str, title: str, text: str, bits: int) -> str:
        """Why this is no page, or ""."""
        if bits and any(hamming(bits, other) <= NEAR for other in self.errors.get(key_of(host), ())):
            return "soft 404: like other error pages of its host"
        words = text[: 20 * SHORT].count(" ") + 1
        if words <= SHORT and _TITLE.search(title[:200]):
            return "soft 404: its title says so"
        return "soft 404: its text says so" if words <= SHORT // 3 and _TEXT.search(text[:300]) else ""

    def add(self, host: str, bits: int) -> None:
        """Remember an error page."""
        known = self.errors.get(key_of(host), [])
        if bits and bits not in known and len(known) < EACH:
            remember(self.errors, key_of(host), [*known, bits], HOSTS)
