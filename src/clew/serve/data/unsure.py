"""Pages whose label would teach most."""

from __future__ import annotations

from typing import Any

from clew.serve.data.cursors import bounded
from clew.serve.data.pages import listed
from clew.store import Records


def unsure(records: Records, limit: int = 10) -> dict[str, Any]:
    """Pages without a label, the most telling first: near the threshold, unlike each other, from several hosts."""
    return {"items": listed(records, records.unsure(bounded(limit)))}
