"""Who may ask, and what every answer says: Host, body size, token, Origin, and the headers of safety.

A pure ASGI layer before all routes, those of MCP included, so that no route can be forgotten.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clew.serve import problems

MAX_BODY: Final = 512 * 1024  # bytes
MAX_READ: Final = 8 * MAX_BODY  # of a body that is refused
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
WRITES: Final = ("POST", "PUT", "PATCH", "DELETE")
OPEN_PATHS: Final = ("/healthz",)  # nothing about any crawl
SAFE_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
UNAUTHORIZED: Final = (
    "the token is missing or wrong: open the address that `clew serve` has printed, or send it as "
    "`Authorization: Bearer TOKEN`"
)


@dataclass
class Guard:
    """Lets a request through, or answers it."""

    app: ASGIApp
    token: str
    host: str = "127.0.0.1"  # to which the server is bound
    port: int = 0
    names: tuple[str, ...] = ()  # further names under which it may be asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, in this order: Host, size, token, Origin."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        safely = _with_safe_headers(send)
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if refused is None and scope["method"] in WRITES:
            body = await _read(receive, headers)
            if body is None:
                detail = f"the body is larger than {MAX_BODY:,} bytes"
                refused = problems.response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail, {"connection": "close"})
            else:
                receive = _replayed(body, receive)
        refused = refused or self._unauthorized(scope, headers) or self._foreign(scope, headers)
        await (refused or self.app)(scope, receive, safely)

    @property
    def cookie(self) -> str:
        """The name of the cookie: cookies do not know ports, and two services may run on one machine."""
        return f"clew_token_{self.port}"

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        if self._knows(headers.get("host", "")):
            return None
        detail = "this service is not known by that name (Host header): use the address that `clew serve` has printed"
        return problems.response(HTTPStatus.MISDIRECTED_REQUEST, detail)

    def _knows(self, header: str) -> bool:
        """Whether the Host header names this service; a name that an attacker points here does not (DNS rebinding)."""
        name, port = _split(header)
        if name in self.names:
            return True
        if self.host in LOOPBACK:
            return name in LOOPBACK and port == str(self.port)
        # An address cannot be pointed elsewhere; only names can.
        return name in LOOPBACK or name == self.host or _is_address(name)

    def _unauthorized(self, scope: Scope, headers: Headers) -> Response | None:
        if scope["path"] in OPEN_PATHS:
            return None
        query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        if scope["path"] == "/" and scope["method"] == "GET" and self._is_token(query.get("token", "")):
            answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            return answer
        if self._has_bearer(headers) or self._is_token(_cookies(headers).get(self.cookie, "")):
            return None
        challenge = {"www-authenticate": 'Bearer realm="clew"'}
        if scope["path"] == "/":
            return PlainTextResponse(UNAUTHORIZED + "\n", HTTPStatus.UNAUTHORIZED, challenge)
        return problems.response(HTTPStatus.UNAUTHORIZED, UNAUTHORIZED, challenge)

    def _foreign(self, scope: Scope, headers: Headers) -> Response | None:
        """Refuse writes that another site has sent with the cookie of the user."""
        if scope["method"] not in WRITES:
            return None
        origin = headers.get("origin")
        if origin is None:
            # Browsers name the origin of every write; programs need not, but have no cookie.
            if self._has_bearer(headers):
                return None
        elif origin.partition("://")[2] == headers.get("host") and origin.startswith(("http://", "https://")):
            return None
        detail = (
            "writes are accepted from the page of this service and from programs with a token, not from other sites"
        )
        return problems.response(HTTPStatus.FORBIDDEN, detail)

    def _has_bearer(self, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self._is_token(token.strip())

    def _is_token(self, text: str) -> bool:
        # Bytes: compare_digest refuses text that is not ASCII.
        return hmac.compare_digest(text.encode("utf-8", "replace"), self.token.encode())


def is_loopback(host: str) -> bool:
    """Whether a server that is bound to this host can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _split(header: str) -> tuple[str, str]:
    """The name and the port of a Host header.

    >>> _split("[::1]:8000"), _split("Example.org"), _split("a:b:c")
    (('::1', '8000'), ('example.org', '80'), ('', ''))
    """
    if header.startswith("["):
        name, _, rest = header[1:].partition("]")
        return name.lower(), rest.removeprefix(":") or "80"
    name, _, port = header.partition(":")
    return ("", "") if ":" in port else (name.lower(), port or "80")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookies(headers: Headers) -> Mapping[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


async def _read(receive: Receive, headers: Headers) -> bytes | None:
    """The body of a request; None if it is too large.

    Of one whose length is announced, a little more than may be is read and thrown away: a client that is still sending
    would not see the answer.
    """
    announced = headers.get("content-length", "0")
    most = MAX_READ if "content-length" in headers else MAX_BODY
    if not announced.isdigit() or int(announced) > MAX_READ:
        return None
    body = b""
    size = 0
    is_over = False
    while not is_over and size <= most:
        message = await receive()
        piece = bytes(message.get("body", b""))
        size += len(piece)
        body = body + piece if size <= MAX_BODY else b""
        is_over = not message.get("more_body")
    return body if size <= MAX_BODY else None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once more, then what follows."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _with_safe_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sent
