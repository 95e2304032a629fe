"""Failures of the web as words: what aiohttp, sockets and TLS raise, in the terms of `Fetched.error`."""

from __future__ import annotations

import socket
import ssl

import aiohttp

from clew.fetch.guard import AddressRefused
from clew.parse.body import Failure


def failure(error: Exception) -> Failure:
    """Any exception of a fetch as a Failure.

    >>> failure(TimeoutError()).word
    'timeout'
    """
    if isinstance(error, Failure):
        # A new one: that which was raised holds its traceback, and with it the body of a bomb.
        return Failure(error.word, error.detail, error.transient)
    if isinstance(error, AddressRefused | socket.gaierror):
        return _connecting(error)
    if isinstance(error, aiohttp.ClientConnectorError) and not isinstance(error, aiohttp.ClientSSLError):
        return _connecting(error.os_error)
    if isinstance(error, TimeoutError):
        return Failure("timeout", str(error) or "no complete answer in time", transient=True)
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return Failure("tls", _tls(error))
    if isinstance(error, aiohttp.ClientConnectionError | OSError | RuntimeError):
        return Failure("refused", str(error) or "the connection was closed", transient=True)
    if isinstance(error, aiohttp.ClientPayloadError):
        return _breaking_off(error)
    if isinstance(error, aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError):
        return Failure("address", f"not a URL that can be fetched: {error}")
    return Failure("bad answer", str(error) or type(error).__name__)


def _tls(error: Exception) -> str:
    """The reason without host, port and line of source: "certificate verify failed: self-signed certificate"."""
    cause = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    if isinstance(cause, ssl.SSLCertVerificationError) and cause.verify_message:
        return f"certificate verify failed: {cause.verify_message}"
    return (getattr(cause, "reason", None) or str(cause)).replace("_", " ").lower()


def _connecting(error: OSError) -> Failure:
    if isinstance(error, AddressRefused):
        return Failure("address", str(error))
    if isinstance(error, socket.gaierror):
        return Failure("dns", str(error), transient=error.errno == socket.EAI_AGAIN)
    if isinstance(error, TimeoutError):  # the system's own, long before ours
        return Failure("timeout", str(error), transient=True)
    return Failure("refused", str(error), transient=True)


def _breaking_off(error: aiohttp.ClientPayloadError) -> Failure:
    """An answer cut short is the connection's failure, a malformed one the server's."""
    if "not completed" in str(error):
        return Failure("refused", "the connection broke off within the answer", transient=True)
    return Failure("bad answer", str(error))
