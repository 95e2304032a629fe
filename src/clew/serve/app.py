"""The web application: routes over the endpoints, events, downloads, the page, and MCP where it is installed."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from clew.errors import ClewError
from clew.serve import problems
from clew.serve.downloads import download
from clew.serve.endpoints import Asked, Endpoint, check_body, read_query
from clew.serve.events import Streams
from clew.serve.guard import Guard
from clew.serve.metrics import MEDIA_TYPE, metrics
from clew.serve.openapi import document
from clew.serve.problems import Problem
from clew.serve.reading import READING
from clew.serve.service import Service
from clew.serve.writing import WRITING

ENDPOINTS: Final = (*READING, *WRITING)
STATIC: Final = Path(__file__).parent / "static"
STATIC_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".txt": "text/plain",
    ".json": "application/json",
    ".woff2": "font/woff2",
}
NO_PAGE: Final = "The web page is not installed; the REST interface is at /api/crawls, described by /openapi.json.\n"

log = logging.getLogger("clew.serve")

Handler = Callable[[Request], Awaitable[Response]]
Running = Callable[[], AbstractAsyncContextManager[None]]


def make_app(
    service: Service,
    token: str,
    host: str = "127.0.0.1",
    port: int = 0,
    names: Sequence[str] = (),
    more_routes: Sequence[BaseRoute] = (),
    running: Running | None = None,
) -> ASGIApp:
    """The application behind its guard; `running` is entered while it serves."""
    streams = Streams()

    async def events(request: Request) -> Response:
        return streams.response(service, request.path_params["id"], request)

    async def raw(request: Request) -> Response:
        return await run_in_threadpool(
            download, service, request.path_params["id"], request.query_params.get("url", "")
        )

    async def numbers(request: Request) -> Response:
        return Response(await run_in_threadpool(metrics, service), media_type=MEDIA_TYPE)

    routes: list[BaseRoute] = [
        Route("/api/crawls/{id}/events", _safe(events)),
        Route("/api/crawls/{id}/raw", _safe(raw)),
    ]
    routes += _routes(service)
    routes += [Route("/openapi.json", _openapi), Route("/metrics", _safe(numbers)), Route("/healthz", _health)]
    routes += [*more_routes, Route("/", _static), Route("/{path:path}", _static)]
    handlers = {HTTPException: _http_error, Exception: _bug}

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if running is None:
            yield
            return
        async with running():
            yield

    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)  # type: ignore[arg-type]
    return Guard(_Counted(app, service), token, host, port, tuple(names))


class _Counted:
    """Counts answers by their status."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app = app
        self.counts = service.counts

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def counted(message: Any) -> None:
            if message["type"] == "http.response.start":
                status = str(message["status"])
                self.counts[status] = self.counts.get(status, 0) + 1
            await send(message)

        await self.app(scope, receive, counted)


def _routes(service: Service) -> list[BaseRoute]:
    """One route for each path, with all its methods: another method is answered with 405."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [Route(path, _safe(_handler(service, methods)), methods=list(methods)) for path, methods in by_path.items()]


def _handler(service: Service, methods: dict[str, Endpoint]) -> Handler:
    async def handle(request: Request) -> Response:
        endpoint = methods["GET" if request.method == "HEAD" else request.method]
        values = read_query(endpoint, request.query_params)
        body = await _body(request, endpoint)
        asked = Asked(service, request.path_params.get("id", ""), values, body)
        # Reading a crawl blocks: in a thread, others are answered meanwhile.
        value = await run_in_threadpool(endpoint.answer, asked)
        return _answer(request, value, endpoint.status)

    return handle


async def _body(request: Request, endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.body is None:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send the body as application/json")
    try:
        body = json.loads(await request.body(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Problem(HTTPStatus.BAD_REQUEST, "the body is not JSON") from None
    check_body(endpoint.body, body)
    return dict(body)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _answer(request: Request, value: Any, status: int) -> Response:
    """JSON with an ETag; a client that has it already gets none of it again."""
    body = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    if status != HTTPStatus.OK or request.method == "POST":
        return Response(body, status, media_type="application/json")
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    known = [text.strip().removeprefix("W/") for text in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def _safe(handle: Handler) -> Handler:
    """Errors of clew as problems."""

    async def handled(request: Request) -> Response:
        try:
            return await handle(request)
        except (Problem, ClewError) as error:
            found = problems.problem_of(error, request.method == "POST")
            return problems.response(found.status, found.detail)

    return handled


async def _http_error(request: Request, error: HTTPException) -> Response:
    detail = "there is nothing at this address; /openapi.json lists what there is"
    if error.status_code != HTTPStatus.NOT_FOUND:
        detail = error.detail
    return problems.response(error.status_code, detail, dict(error.headers or {}))


async def _bug(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return problems.response(HTTPStatus.INTERNAL_SERVER_ERROR, "this is a bug in clew; the log of the service has it")


async def _openapi(request: Request) -> Response:
    return JSONResponse(document(ENDPOINTS))


async def _health(request: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _static(request: Request) -> Response:
    """A file of the page; only those below its folder, and only of known types."""
    wanted = request.path_params.get("path", "index.html")
    path = (STATIC / wanted).resolve()
    media_type = STATIC_TYPES.get(path.suffix)
    if not path.is_relative_to(STATIC) or media_type is None or not path.is_file():
        if wanted != "index.html":
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return PlainTextResponse(NO_PAGE)
    return FileResponse(path, media_type=media_type, headers={"cache-control": "no-cache"})
