"""Describes what aiohttp, sockets and TLS raise in the terms of `Fetched.error`."""

from __future__ import annotations

import re
import socket
import ssl
from typing import Final

import aiohttp

from clew.fetch.guard import AddressRefused
from clew.parse.body import BodyFailure

MAX_DETAIL_CHARACTERS: Final = 200
# Windows has no EAI_NODATA.
NAME_NOT_FOUND: Final = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
PLAIN_HTTP_SIGNS: Final = ("wrong version number", "record layer failure")
"""What OpenSSL says of a server that answers a TLS greeting in plain text, depending on its version."""
_QUOTED_BYTES: Final = re.compile(r"""[\s:]*\bb['"].*""", re.S)


def failure(error: Exception) -> BodyFailure:
    """Any exception of a fetch as a BodyFailure.

    >>> failure(TimeoutError()).word
    'timeout'
    """
    # A new object: the one that was raised holds its traceback, and with it the body of a compression bomb.
    found = error if isinstance(error, BodyFailure) else _classified(error)
    return BodyFailure(found.word, brief(found.detail), found.transient)


def brief(text: str) -> str:
    """A message as one short line, without the server's bytes that it quotes.

    >>> brief("Bad status line:\\n\\n  b'220 mail is ready'")
    'Bad status line'
    """
    # Servers choose these texts: cut first, so that a huge one costs no time.
    text = text[: 20 * MAX_DETAIL_CHARACTERS]
    line = " ".join(_QUOTED_BYTES.sub("", text).split())
    return line if len(line) <= MAX_DETAIL_CHARACTERS else f"{line[: MAX_DETAIL_CHARACTERS - 1]}…"


def _classified(error: Exception) -> BodyFailure:
    # The order matters: aiohttp's classes inherit from several of those that follow.
    if isinstance(error, AddressRefused | socket.gaierror):
        return _connecting(error)
    if isinstance(error, aiohttp.ClientConnectorError) and not isinstance(error, aiohttp.ClientSSLError):
        return _connecting(error.os_error)
    if isinstance(error, TimeoutError):
        return BodyFailure("timeout", str(error) or "no complete answer in time", transient=True)
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return BodyFailure("tls", _tls(error))
    if isinstance(error, aiohttp.ClientConnectionError | OSError | RuntimeError):
        return BodyFailure("refused", str(error) or "the connection was closed", transient=True)
    if isinstance(error, aiohttp.ClientPayloadError):
        return _breaking_off(error)
    if isinstance(error, aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError):
        return BodyFailure("address", f"not a URL that can be fetched: {error}")
    return BodyFailure("bad answer", getattr(error, "message", "") or str(error) or type(error).__name__)


def _tls(error: Exception) -> str:
    """The reason without host, port and source line: "certificate verify failed: self-signed certificate"."""
    cause = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    if isinstance(cause, ssl.SSLCertVerificationError) and cause.verify_message:
        return f"certificate verify failed: {cause.verify_message}"
    reason = (getattr(cause, "reason", None) or str(cause)).replace("_", " ").lower()
    if any(sign in reason for sign in PLAIN_HTTP_SIGNS):
        return f"{reason}: the server does not speak HTTPS here; try http://"
    return reason


def _connecting(error: OSError) -> BodyFailure:
    if isinstance(error, AddressRefused):
        return BodyFailure("address", str(error))
    if isinstance(error, socket.gaierror):
        detail = "host name not found" if error.errno in NAME_NOT_FOUND else error.strerror or str(error)
        return BodyFailure("dns", detail, transient=error.errno == socket.EAI_AGAIN)
    # The operating system gives up connecting before our own timeout does.
    if isinstance(error, TimeoutError):
        return BodyFailure("timeout", str(error), transient=True)
    return BodyFailure("refused", str(error), transient=True)


def _breaking_off(error: aiohttp.ClientPayloadError) -> BodyFailure:
    """A truncated answer is a failure of the connection; a malformed one is the server's."""
    if "not completed" in str(error):
        return BodyFailure("refused", "the connection was lost in the middle of the answer", transient=True)
    return BodyFailure("bad answer", str(error))
