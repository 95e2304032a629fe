"""Connections of aiohttp with bounds on what a server may send around its answer.

aiohttp bounds header lines. It takes any number of interim responses (1xx) and any framing around the bytes of a body,
and parses all that it reads at once, up to 256 KB: two hosts that send nothing else leave no time for the others.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final, cast

from aiohttp import StreamReader, TCPConnector
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage

from clew.parse.body import BodyFailure

MAX_INTERIM_RESPONSES: Final = 20
MAX_HEAD_BYTES: Final = 262_144  # of an answer with all its interim responses
MAX_FRAMING_BYTES: Final = 65_536  # around the bytes of a body, beyond an eighth of them
SLICE_BYTES: Final = 8192  # parsed at a time; the bounds are checked after each slice


class Connector(TCPConnector):
    """A connector whose connections are bounded."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # There is no public setting for the protocol of a connection.
        self._factory = cast("partial[ResponseHandler]", partial(BoundedConnection, loop=self._loop))


class BoundedConnection(ResponseHandler):
    """The client's side of a connection; it hangs up when an answer exceeds a bound."""

    _came = 0  # bytes of the head, then of the body with its framing
    _interim = 0
    _body: StreamReader | None = None  # of the final answer
    _is_over = False

    def set_response_params(self, **params: Any) -> None:
        """A request goes out, and its answer is awaited."""
        self._came = 0
        self._interim = 0
        self._body = None
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Parse what has come, a slice at a time."""
        # An empty piece is aiohttp's way to go on with what it holds.
        for start in range(0, len(data) or 1, SLICE_BYTES):
            if self._is_over:
                return
            part = data[start : start + SLICE_BYTES]
            self._came += len(part)
            super().data_received(part)
            self._check_bytes()

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """The head of an answer has been parsed."""
        message, body = data
        if self._is_over:
            return
        if self._body is not None:
            # The answer before it is complete, and stays good.
            self._hang_up("an answer that nobody asked for")
            return
        super().feed_data(data, size)
        if 100 <= message.code < 200 and message.code != 101:
            self._interim += 1
            if self._interim > MAX_INTERIM_RESPONSES:
                self._hang_up(f"more than {MAX_INTERIM_RESPONSES} interim responses (1xx)")
        else:
            self._body = body
            self._came = 0

    def _check_bytes(self) -> None:
        if self._body is None:
            if self._came > MAX_HEAD_BYTES:
                self._hang_up(f"more than {MAX_HEAD_BYTES} bytes before the body")
        # While reading is paused, aiohttp holds back bytes that it has not parsed yet.
        elif self.transport is not None and self.transport.is_reading():
            content = self._body.total_bytes
            framing = self._came - content
            if framing > MAX_FRAMING_BYTES + content / 8:
                self._hang_up(f"{framing} bytes around a body of {content} bytes")

    def _hang_up(self, reason: str) -> None:
        """Close the connection, and tell whoever waits for the answer or for the rest of its body."""
        self._is_over = True
        failure = BodyFailure("bad answer", reason)
        if self._body is not None and not self._body.is_eof():
            self._body.set_exception(failure)
        self.set_exception(failure)
        if self.transport is not None:
            self.transport.abort()
