"""What the errors of sockets and TLS are called."""

from __future__ import annotations

import socket
import ssl

import pytest

from clew.fetch._failure import failure
from clew.fetch.guard import Guard


@pytest.mark.parametrize(
    ("code", "detail", "transient"),
    [
        (socket.EAI_NONAME, "host name not found", False),
        (socket.EAI_AGAIN, "Temporary failure in name resolution", True),
    ],
)
def test_names_that_are_not_found(code: int, detail: str, transient: bool) -> None:
    found = failure(socket.gaierror(code, "Temporary failure in name resolution"))
    assert (found.word, found.detail, found.transient) == ("dns", detail, transient)


def test_a_server_without_tls() -> None:
    error = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1000)")
    error.reason = "WRONG_VERSION_NUMBER"
    found = failure(error)
    assert found.word == "tls"
    assert found.detail == "wrong version number: the server does not speak HTTPS here; try http://"


def test_a_refused_address_names_the_setting_that_allows_it() -> None:
    assert Guard().refusal("127.0.0.1").endswith("for servers of your own set allow_private (--allow-private)")
