"""Tries another interest on what a crawl has found: how many finds would no longer count?"""

from __future__ import annotations

from typing import Any, Final

from clew.base.clean_text import clean
from clew.config import configure
from clew.core.build import build_interest
from clew.core.media import doc_as_judged
from clew.errors import ClewError, ConfigError, InterestError
from clew.interests.parser import parse
from clew.interests.syntax import Predicate, Topic, atoms
from clew.serve.data import shown
from clew.serve.settings_schema import refuse_python
from clew.store import Record, Records
from clew.store.rows import COLUMNS, record_of
from clew.types import Doc

MAX_TRIED: Final = 200  # finds, and other pages
MAX_SHOWN: Final = 20


def check_formula(text: str) -> dict[str, Any]:
    """Whether a text is a formula, and how it was understood.

    >>> check_formula("sailing AND (")["ok"], check_formula("sailing and not golf")["topics"]
    (False, ['sailing', 'golf'])
    """
    try:
        refuse_python(text)
        node = parse(text)
    except ClewError as error:
        position = error.position if isinstance(error, InterestError) else None
        message = str(error).partition("\n")[0]
        return {"ok": False, "understood": "", "topics": [], "predicates": [], "message": message, "position": position}
    found = list(atoms(node))
    return {
        "ok": True,
        "understood": str(node),
        "topics": [atom.name for atom in found if isinstance(atom, Topic)],
        "predicates": [str(atom) for atom in found if isinstance(atom, Predicate)],
        "message": "",
        "position": None,
    }


def try_interest(records: Records, interest: str, threshold: float | None = None) -> dict[str, Any]:
    """Judge the newest pages by another formula, without what the crawl has learned; nothing changes."""
    refuse_python(interest)
    changed = {"interest": interest} | ({} if threshold is None else {"threshold": threshold})
    judge = build_interest(configure(records.config, **changed), _no_examples)
    finds = _newest(records, relevant=True)
    others = _newest(records, relevant=False)
    lost = [record for record in finds if not judge.judge(doc_as_judged(records, record)).relevant]
    gained = [record for record in others if judge.judge(doc_as_judged(records, record)).relevant]
    message = f"{len(lost):,} of {len(finds):,} finds would no longer count"
    return {
        "interest": clean(interest, shown.MAX_URL),
        "relevant": len(finds),
        "pages": len(finds) + len(others),
        "lost": len(lost),
        "gained": len(gained),
        "message": message,
        "examples": [shown.visit(record) for record in lost[:MAX_SHOWN]],
    }


def _newest(records: Records, relevant: bool) -> list[Record]:
    condition = "relevant" if relevant else "NOT relevant"
    query = f"SELECT {COLUMNS} FROM pages WHERE state = 'fetched' AND {condition} ORDER BY \"order\" DESC LIMIT ?"
    return [record_of(row) for row in records.store.db.execute(query, (MAX_TRIED,)).fetchall()]


def _no_examples(place: str) -> list[Doc]:
    raise ConfigError("topics with examples cannot be tried from here; tell the crawl the interest to see its effect")
