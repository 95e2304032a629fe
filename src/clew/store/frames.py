"""Visits as a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from clew.errors import ConfigError
from clew.store.record import Record

if TYPE_CHECKING:
    from pandas import DataFrame


def to_pandas(records: Iterable[Record]) -> DataFrame:
    """One row for each visit, with a column for each field of a record."""
    try:
        import pandas
    except ImportError as error:
        raise ConfigError("a DataFrame needs pandas: pip install 'clew-crawler[pandas]'") from error
    rows = [{**asdict(record), "state": str(record.state)} for record in records]
    return pandas.DataFrame(rows, columns=list(Record.__dataclass_fields__))
