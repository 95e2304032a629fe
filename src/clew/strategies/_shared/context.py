"""The text of a link in its context."""

from __future__ import annotations

from clew.types import Link


def in_context(link: Link) -> str:
    """The anchor together with the text around it.

    >>> in_context(Link("a", "b", anchor="boats", around="Small\\tfor hire"))
    'Small boats for hire'
    """
    if "\t" in link.around:
        return link.around.replace("\t", f" {link.anchor} ", 1)
    return f"{link.anchor} {link.around}"
