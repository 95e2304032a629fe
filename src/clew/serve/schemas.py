"""The shapes of all answers, as JSON Schema."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]
_PLAIN: Final[dict[str, Schema]] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "marked": {
        "type": "array",
        "items": {
            "type": "array",
            "prefixItems": [{"type": "string"}, {"type": "boolean"}],
            "minItems": 2,
            "maxItems": 2,
        },
    },
    "any": {},
}


def shape(**fields: str) -> Schema:
    """An object with these fields, all of them present; `?` allows null, `*` is a list, a capital names a schema.

    >>> shape(url="text", href="text?")["properties"]["href"]
    {'anyOf': [{'type': 'string'}, {'type': 'null'}]}
    """
    properties = {name: _field(kind) for name, kind in fields.items()}
    return {"type": "object", "properties": properties, "required": list(fields)}


def _field(kind: str) -> Schema:
    if kind.endswith("?"):
        return {"anyOf": [_field(kind[:-1]), {"type": "null"}]}
    if kind.endswith("*"):
        return {"type": "array", "items": _field(kind[:-1])}
    return _PLAIN.get(kind, {"$ref": f"#/components/schemas/{kind}"})


_STATE: Final = {"state": "text", "why": "text"}
_VISIT: Final = {
    "order": "integer",
    "url": "text",
    "href": "text?",
    "host": "text",
    "title": "text",
    "state": "text",
    "reason": "text",
    "relevance": "number?",
    "relevant": "flag",
    "language": "text",
    "words": "count",
    "depth": "count",
    "at": "number",
}
_PAGE: Final = {**_VISIT, "preview": "marked", "label": "Label?"}
_SCORE: Final = {"score": "number?", "score_note": "text"}
_CRAWL: Final = {
    "id": "text",
    "name": "text",
    "interest": "text",
    "strategy": "text",
    **_STATE,
    "visited": "count",
    "relevant": "count",
    "harvest": "number",
    "waiting": "count",
    "seconds": "number",
    "at": "number?",
}
_NUMBERS: Final = {
    "pages": "count",
    "failed": "count",
    "duplicates": "count",
    "redirects": "count",
    "refused": "count",
    "sitemaps": "count",
    "harvest_now": "number",
    "hosts": "count",
    "best": "Score?",
    "bytes": "count",
    "faults": "count",
    "cached": "count",
    "waits_for": "text",
    "waits_seconds": "number",
    "pages_per_second": "number?",
    "pages_per_second_overall": "number?",
    "threshold": "number?",
    "threshold_origin": "text",
    "forecast": "Forecast?",
    "limits": "Limit*",
    "expected_precision": "number?",
    "expected_recall": "number?",
    "advice": "text*",
    "shards": "Shard*",
    "orders_waiting": "text*",
    "labels": "count",
    "labels_waiting": "count",
    "orders": "count",
    "judge": "text",
    "seeds": "text*",
    "seeds_total": "count",
    "focus": "text",
    "focus_reason": "text",
}

SCHEMAS: Final[dict[str, Schema]] = {
    "Problem": shape(type="text", title="text", status="integer", detail="text"),
    "Crawl": shape(**_CRAWL),
    "Crawls": shape(items="Crawl*", can_start="flag"),
    "Summary": shape(**_CRAWL, **_NUMBERS),
    "Shard": shape(
        shard="count",
        pages="count",
        visited="count",
        relevant="count",
        harvest="number",
        failed="count",
        waiting="count",
        hosts="count",
        bytes="count",
    ),
    "Score": shape(**_SCORE),
    "Forecast": shape(visits="count", pages="number", low="number?", high="number?"),
    "Limit": shape(name="text", limit="number", now="number"),
    "Mark": shape(visits="count", kind="text", text="text", at="number?"),
    "Curve": shape(points="Point*", marks="Mark*", forecast="Forecast?"),
    "Point": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    "Label": shape(relevant="flag", taken="integer?", user="text"),
    "Page": shape(**_PAGE),
    "Pages": shape(items="Page*", next="text?"),
    "PageList": shape(items="Page*"),
    "PageDetails": shape(
        **_PAGE,
        **_SCORE,
        status="integer",
        bytes="count",
        seconds="number",
        location="text",
        topics="Topic*",
        revisits="count",
        has_raw="flag",
    ),
    "WordCount": shape(word="text", count="count"),
    "TopicWords": shape(topic="text", membership="number", words="WordCount*", in_title="text*"),
    "Topic": shape(topic="text", membership="number"),
    "Host": shape(
        host="text",
        visited="count",
        relevant="count",
        failed="count",
        waiting="count",
        best="number?",
        bytes="count",
        seconds="number?",
        denied="flag",
        delay="number?",
        rests_until="number?",
        trouble="text",
    ),
    "Hosts": shape(items="Host*", next="text?", total="count"),
    "Part": shape(text="text", value="number?"),
    "Candidate": shape(
        url="text",
        href="text?",
        host="text",
        **_SCORE,
        depth="count",
        n_links="count",
        source="text",
        anchor="text",
        kind="text",
        reasons="Part*",
    ),
    "Candidates": shape(items="Candidate*", waiting="count"),
    "Hit": shape(**_VISIT, score="number", snippet="marked", label="Label?"),
    "Hits": shape(query="text", items="Hit*"),
    "Step": shape(
        url="text",
        href="text?",
        title="text",
        state="text",
        relevance="number?",
        relevant="flag",
        **_SCORE,
        anchor="text",
        kind="text",
    ),
    "Explanation": shape(
        url="text",
        href="text?",
        state="text",
        reason="text",
        page="PageDetails?",
        path="Step*",
        parts="Part*",
        topics="TopicWords*",
        focus="text",
        threshold="number?",
        label="Label?",
    ),
    "Text": shape(
        url="text",
        href="text?",
        title="text",
        language="text",
        text="text",
        offset="count",
        total="count",
        next_offset="integer?",
        untrusted="flag",
    ),
    "Entry": shape(at="number", event="text", detail="text"),
    "Journal": shape(items="Entry*", next="text?"),
    "Order": shape(
        id="integer",
        kind="text",
        words="text*",
        at="number",
        status="text",
        taken="integer?",
        refused="text",
        effect="text",
        state="text",
    ),
    "Orders": shape(items="Order*"),
    "GivenLabel": shape(
        id="integer", url="text", href="text?", relevant="flag", at="number", taken="integer?", user="text"
    ),
    "Labels": shape(items="GivenLabel*", total="count"),
    "NewLabel": shape(url="text", relevant="flag"),
    "GivenLabels": shape(items="NewLabel*"),
    "Setting": shape(name="text", help="text", default="any", type="text", choices="text*", schema="any"),
    "Section": shape(name="text", title="text", settings="Setting*"),
    "Settings": shape(sections="Section*"),
    "Check": shape(
        ok="flag", understood="text", topics="text*", predicates="text*", message="text", position="integer?"
    ),
    "Visit": shape(**_VISIT),
    "Trial": shape(
        interest="text",
        relevant="count",
        pages="count",
        lost="count",
        gained="count",
        message="text",
        examples="Visit*",
    ),
}
