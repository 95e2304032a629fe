"""Writes the links between the pages of a crawl: as GraphML, or as a list of edges in CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from clew.cli.export_rows import Text, safe_cells

if TYPE_CHECKING:
    from clew.store import Record, Records

NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NODE_KEYS: Final = {"title": "string", "host": "string", "depth": "int", "relevance": "double", "relevant": "boolean"}
HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'


class Edge(NamedTuple):
    """A link between two exported pages."""

    source: str
    target: str
    anchor: str


def to_graphml(records: Records, chosen: Iterable[Record], file: IO[bytes], text: Text = None) -> int:
    """Write pages as nodes and links as edges; return the number of pages."""
    file.write(f'{HEAD}{"".join(_keys())}<graph edgedefault="directed">\n'.encode())
    count = 0
    for record, edges in _linked(records, chosen):
        lines = [_node(record), *map(_edge, edges)]
        file.write("".join(lines).encode("utf-8", "replace"))
        count += 1
    file.write(b"</graph>\n</graphml>\n")
    return count


def to_edges(records: Records, chosen: Iterable[Record], file: IO[bytes], text: Text = None) -> int:
    """Write one line of CSV for each link; return the number of pages."""
    file.write(b"source,target,anchor\r\n")
    count = 0
    for _, edges in _linked(records, chosen):
        lines = io.StringIO(newline="")
        csv.writer(lines).writerows(safe_cells(edge._asdict()).values() for edge in edges)
        file.write(lines.getvalue().encode("utf-8", "replace"))
        count += 1
    return count


def _linked(records: Records, chosen: Iterable[Record]) -> Iterator[tuple[Record, list[Edge]]]:
    """Every page with its links to other exported pages, each target once; redirects are followed."""
    pages = list(chosen)
    known = {page.url: page.url for page in pages}
    for record in records.pages():
        if record.location in known:
            known.setdefault(record.url, record.location)
    for page in pages:
        edges: dict[str, Edge] = {}
        for link in records.doc(page).links:
            target = known.get(link.url)
            if target and target != page.url:
                edges.setdefault(target, Edge(page.url, target, link.anchor))
        yield page, list(edges.values())


def _keys() -> Iterator[str]:
    for name, kind in NODE_KEYS.items():
        yield f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<key id="anchor" for="edge" attr.name="anchor" attr.type="string"/>\n'


def _node(record: Record) -> str:
    data = "".join(_data(name, getattr(record, name)) for name in NODE_KEYS)
    return f"<node id={_attribute(record.url)}>{data}</node>\n"


def _edge(edge: Edge) -> str:
    ends = f"source={_attribute(edge.source)} target={_attribute(edge.target)}"
    return f"<edge {ends}>{_data('anchor', edge.anchor)}</edge>\n"


def _data(key: str, value: Any) -> str:
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return f'<data key="{key}">{escape(NOT_XML.sub("", shown))}</data>'


def _attribute(text: str) -> str:
    return quoteattr(NOT_XML.sub("", text))
