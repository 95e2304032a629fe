"""Pages in the forms in which other libraries load them: plain dictionaries, and documents for language models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from clew.types import UrlState

if TYPE_CHECKING:
    from clew.store.records import Records

D = TypeVar("D")


@dataclass(frozen=True)
class Document:
    """A text with what is known about it, in the form that LangChain and its relatives expect."""

    page_content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    id: str | None = None


def to_dicts(records: Records, relevant: bool = True) -> Iterator[dict[str, Any]]:
    """Pages in their newest version as plain dictionaries, in the order of visits; all have the same keys."""
    for record in records.newest(relevant):
        if record.state != UrlState.FETCHED:
            continue
        yield {
            "url": record.url,
            "title": record.title,
            "text": records.main_text(record),
            "language": record.language,
            "relevance": record.relevance,
            "relevant": record.relevant,
            "fetched_at": datetime.fromtimestamp(record.at, UTC).isoformat(timespec="seconds"),
        }


def to_documents(records: Records, relevant: bool, make: Callable[..., D]) -> Iterator[D]:
    """The same as documents; `make` is called with page_content, metadata and id."""
    for page in to_dicts(records, relevant):
        text = page.pop("text")
        yield make(page_content=text, metadata={"source": page["url"], **page}, id=page["url"])
