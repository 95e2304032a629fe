"""Records, paths and infinite numbers as values that JSON knows."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def plain(value: Any) -> Any:
    """Convert records, paths and infinite scores to values that JSON knows.

    >>> plain({"file": Path("a"), "score": float("-inf")})
    {'file': 'a', 'score': None}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    # A NamedTuple is a tuple too; only its field names tell the two apart.
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    # JSON has no infinity, and a candidate on hold has a score of minus infinity.
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value) if isinstance(value, Path) else value
