"""Marks in the tree of a page: short texts that are found again in the text of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from selectolax.lexbor import LexborNode


def _for_bytes(insert: Any) -> Callable[[LexborNode, bytes], None]:
    """The variant of a compiled method for bytes."""
    # Cython chooses the variant by the type of the argument, which for each mark costs as much as setting it.
    return insert[bytes] if hasattr(insert, "__signatures__") else insert  # type: ignore[no-any-return]


mark_before: Final = _for_bytes(LexborNode.insert_before)
mark_after: Final = _for_bytes(LexborNode.insert_after)
