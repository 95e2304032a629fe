"""What an answer amounts to: the record of a visit, with its state and reason."""

from __future__ import annotations

import time

from clew.config import Fetch
from clew.frontier import Frontier, State
from clew.parse import host
from clew.store import Record
from clew.types import Doc, Fetched, Judgement


def outcome(
    order: int,
    slot: int,
    fetched: Fetched,
    doc: Doc,
    judgement: Judgement | None,
    frontier: Frontier,
    limits: Fetch,
) -> Record:
    """The record of a visit."""
    table = frontier.table
    too_far = bool(fetched.location) and table.hops[slot] >= limits.max_redirects
    judgement = judgement or Judgement(0.0, False, {})
    return Record(
        order=order,
        slot=slot,
        url=fetched.url,
        host=host(fetched.url),
        depth=table.depth[slot],
        state=(State.FAILED if too_far else state_of(fetched)).text,
        reason=f"more than {limits.max_redirects} redirects" if too_far else reason_of(fetched),
        status=fetched.status,
        relevance=judgement.relevance,
        relevant=judgement.relevant,
        topics=judgement.topics,
        title=doc.title,
        language=doc.language,
        words=sum(doc.terms.values()),
        score=table.score[slot],
        bytes=len(fetched.raw),
        seconds=fetched.seconds,
        at=time.time(),
        location=fetched.location,
    )


def state_of(fetched: Fetched) -> State:
    """Where the URL stands after this answer."""
    if fetched.error in ("robots", "host given up"):
        return State.REFUSED
    if fetched.location and not fetched.error:
        return State.REDIRECTED
    return State.FETCHED if fetched.ok else State.FAILED


def reason_of(fetched: Fetched) -> str:
    """The reason in words; "" for a document."""
    if fetched.error:
        stutters = fetched.detail.startswith(fetched.error)  # "robots: robots.txt of … says no"
        return fetched.detail if stutters else f"{fetched.error}: {fetched.detail}".rstrip(": ")
    if fetched.location:
        return f"to {fetched.location}"
    return "" if fetched.ok else f"HTTP {fetched.status}"
