"""Recognises error pages that are sent with status 200."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from clew.base.chance import key_of
from clew.filters._bounded import remember
from clew.filters.kept import Kept
from clew.text.simhash import NEAR, hamming

MAX_WORDS: Final = 300  # of an error page; a longer one is a page about errors
MAX_ERROR_PAGES_PER_HOST: Final = 4  # remembered
MAX_HOSTS: Final = 20_000  # remembered
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
    """Recognises error pages by their words, and similar ones on the same host by their fingerprints.

    >>> SoftErrors().reason("a.example", "Page not found", "Sorry.", 0)
    'soft 404: the title reads like an error page'
    """

    errors: Kept[int, list[int]] = field(default_factory=Kept)  # host -> fingerprints of its error pages

    def reason(self, host: str, title: str, text: str, bits: int) -> str:
        """Why this is an error page, or ""."""
        if bits and any(hamming(bits, other) <= NEAR for other in self.errors.get(key_of(host), ())):
            return "soft 404: similar to other error pages of its host"
        # No need to count all words of a long text: a word has fewer than 20 characters on average.
        beginning = text[: 20 * MAX_WORDS].replace("\n", " ")
        words = beginning.count(" ") + 1
        if words <= MAX_WORDS and _TITLE.search(title[:200]):
            return "soft 404: the title reads like an error page"
        # A text mentions errors more easily than a title does, so it must be shorter to count.
        if words <= MAX_WORDS // 3 and _TEXT.search(beginning[:300]):
            return "soft 404: the text reads like an error page"
        return ""

    def add(self, host: str, bits: int) -> None:
        """Remember an error page."""
        known = self.errors.get(key_of(host), [])
        if bits and bits not in known and len(known) < MAX_ERROR_PAGES_PER_HOST:
            remember(self.errors, key_of(host), [*known, bits], MAX_HOSTS)
