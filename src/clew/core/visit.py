"""What an answer amounts to: the record of a visit, with its state and reason."""

from __future__ import annotations

import time

from clew.config import Config, Scope
from clew.frontier import Frontier, State
from clew.parse import host
from clew.parse.document import unfollowed
from clew.store import Record
from clew.types import Doc, Fetched, Judgement


def outcome(
    order: int,
    slot: int,
    fetched: Fetched,
    doc: Doc,
    judgement: Judgement | None,
    frontier: Frontier,
    config: Config,
    fault: tuple[State, str] | None = None,
) -> Record:
    """The record of a visit; a fault is a state and a reason beside those of the answer itself."""
    table, most = frontier.table, config.fetch.max_redirects
    too_far = bool(fetched.location) and table.hops[slot] >= most
    judgement = judgement or Judgement(0.0, False, {})
    return Record(
        order=order,
        slot=slot,
        url=fetched.url,
        host=host(fetched.url),
        depth=table.depth[slot],
        state=(State.FAILED if too_far else fault[0] if fault else state_of(fetched)).text,
        reason=f"more than {most} redirects" if too_far else fault[1] if fault else _reason(fetched, doc, config.scope),
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


def _reason(fetched: Fetched, doc: Doc, scope: Scope) -> str:
    return reason_of(fetched) or _wishes(doc, scope)


def _wishes(doc: Doc, scope: Scope) -> str:
    """What the page itself wants, and gets."""
    wishes = ["nofollow: its links are not followed"] if unfollowed(doc, scope) else []
    if doc.noindex and scope.noindex == "drop":
        wishes.append("noindex: it does not count as found")
    return "; ".join(wishes)
