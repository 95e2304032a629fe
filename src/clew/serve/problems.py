"""Errors as problem+json (RFC 9457): what happened, and what to do next."""

from __future__ import annotations

import sqlite3
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import JSONResponse

from clew.base.clean_text import printable
from clew.errors import ClewError, FolderInUse, StoreError

MEDIA_TYPE: Final = "application/problem+json"
MAX_DETAIL: Final = 2_000


class Problem(Exception):
    """A request that cannot be answered as it was asked."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class ProblemResponse(JSONResponse):
    """The answer to such a request."""

    media_type = MEDIA_TYPE


def response(status: int, detail: str, headers: dict[str, str] | None = None) -> ProblemResponse:
    """A problem as an answer."""
    return ProblemResponse(content(status, detail), status, headers)


def content(status: int, detail: str) -> dict[str, Any]:
    """The values of a problem.

    >>> content(404, "there is no such crawl")["title"]
    'Not Found'
    """
    # Details may quote URLs and titles, which come from strangers.
    shown = "\n".join(map(printable, detail[:MAX_DETAIL].split("\n")))
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": shown}


def problem_of(error: Exception, is_write: bool) -> Problem:
    """The problem behind an error of clew: a mistake in the request, or a folder that cannot be used now."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, FolderInUse | StoreError | sqlite3.Error | OSError):
        return Problem(HTTPStatus.CONFLICT, f"the crawl folder cannot be used: {error}")
    if isinstance(error, ClewError):
        return Problem(HTTPStatus.UNPROCESSABLE_ENTITY if is_write else HTTPStatus.BAD_REQUEST, str(error))
    raise error
