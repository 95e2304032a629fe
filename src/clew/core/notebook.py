"""Results that show themselves in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from clew.types import Stats


def html_table(title: str, facts: Mapping[str, object], stats: Stats) -> str:
    """A small table of facts and numbers.

    >>> "<td>3</td>" in html_table("Crawl", {"folder": "crawls/x"}, Stats(visited=3))
    True
    """
    rows: dict[str, object] = {
        **facts,
        "pages": f"{stats.pages:,}",
        "visited": f"{stats.visited:,}",
        "relevant": f"{stats.relevant:,}",
        "harvest": f"{stats.harvest:.0%}",
        "failed": f"{stats.failed:,}",
        "waiting": f"{stats.waiting:,}",
        "hosts": f"{stats.hosts:,}",
    }
    return f"<h4>{escape(title)}</h4>" + html_rows(rows.items())


def html_rows(rows: Iterable[tuple[str, object]]) -> str:
    """Names and values as an HTML table."""
    lines = [f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in rows]
    return f"<table>{''.join(lines)}</table>"


def html_grid(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under the names of their columns as an HTML table.

    >>> html_grid(["strategy"], [["a<b"]])
    '<table><tr><th>strategy</th></tr><tr><td>a&lt;b</td></tr></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    lines = [f"<tr>{head}</tr>"]
    for row in rows:
        cells = "".join(f"<td>{escape(str(value))}</td>" for value in row)
        lines.append(f"<tr>{cells}</tr>")
    return f"<table>{''.join(lines)}</table>"
