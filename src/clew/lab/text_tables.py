"""Writes a comparison as CSV, NumPy and Parquet files for further analysis."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clew.base.extras import installed

if TYPE_CHECKING:
    from clew.lab.comparison import Comparison

Row = dict[str, Any]


def write(comparison: Comparison, folder: Path) -> list[Path]:
    """Write all files; row i of each array in curves.npz belongs to row i of trials.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = comparison.table()
    written = [
        _csv(folder / "trials.csv", rows),
        _csv(folder / "ranking.csv", _each(comparison, lambda part: part.ranking())),
        _csv(folder / "pairs.csv", _each(comparison, lambda part: part.pairs())),
        _csv(folder / "overlap.csv", _each(comparison, lambda part: part.overlap())),
        _curves(folder / "curves.npz", comparison),
    ]
    # pyarrow is optional; the CSV file holds the same rows.
    if installed("pyarrow"):
        written.append(_parquet(folder / "trials.parquet", rows))
    return written


def _each(comparison: Comparison, ask: Callable[[Comparison], Sequence[Any]]) -> list[Row]:
    rows: list[Row] = []
    for name, part in comparison.parts().items():
        rows += [{"condition": name} | asdict(row) for row in ask(part)]
    return rows


def _csv(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        # Only crawls with live manners have times.
        names = dict.fromkeys(name for row in rows for name in row)
        table = csv.DictWriter(file, list(names) or ["condition"])
        table.writeheader()
        table.writerows(rows)
    return path


def _curves(path: Path, comparison: Comparison) -> Path:
    arrays = {}
    # Crawls differ in length; -1 is neither a count nor a page, while at a larger distance nothing was found.
    for name, fill in (("found", -1), ("best", -1), ("visits", -1), ("distances", 0)):
        arrays[name] = _padded([getattr(result, name) for result in comparison.results], fill)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]  # its stubs know no keywords but allow_pickle
    return path


def _padded(curves: Sequence[NDArray[Any]], fill: int) -> NDArray[np.int32]:
    table = np.full((len(curves), max(map(len, curves), default=0)), fill, np.int32)
    for row, curve in zip(table, curves, strict=True):
        row[: len(curve)] = curve
    return table


def _parquet(path: Path, rows: Sequence[Row]) -> Path:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path
