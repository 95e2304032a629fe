"""Visits, and rows of other kinds, as a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from clew.errors import ConfigError
from clew.store.record import Record

if TYPE_CHECKING:
    from pandas import DataFrame


def to_pandas(records: Iterable[Record]) -> DataFrame:
    """One row for each visit, with a column for each field of a record."""
    rows = ({**asdict(record), "state": str(record.state)} for record in records)
    return frame(rows, list(Record.__dataclass_fields__))


def frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None) -> DataFrame:
    """Rows as a DataFrame; the columns must be given where there may be no rows."""
    # Asked first: reading all rows only to fail would be a waste.
    try:
        import pandas
    except ImportError as error:
        raise ConfigError("a DataFrame needs pandas: pip install 'clew-crawler[pandas]'") from error
    return pandas.DataFrame(list(rows), columns=columns)
