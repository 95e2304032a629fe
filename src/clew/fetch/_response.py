"""What an archive wants to know of a request and its response besides the answer itself."""

from __future__ import annotations

from typing import Final

import aiohttp
from aiohttp.connector import Connection

from clew.parse.body import BodyFailure

TRUNCATED: Final = {"too large": "length", "timeout": "time", "refused": "disconnect"}


class PeerResponse(aiohttp.ClientResponse):
    """A response that knows the address of the server, also when the connection is gone."""

    peer = ""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        """Note the address, then read the head of the response."""
        # A short answer gives its connection back before anybody could look at it.
        if connection.transport and (address := connection.transport.get_extra_info("peername")):
            self.peer = address[0].partition("%")[0]
        return await super().start(connection)


def peer(response: aiohttp.ClientResponse | None) -> str:
    """The address of the server; "" if it is not known."""
    return response.peer if isinstance(response, PeerResponse) else ""


def sent_headers(response: aiohttp.ClientResponse | None) -> tuple[tuple[str, str], ...]:
    """The headers of the request, without those for a proxy: they may hold a password."""
    if response is None:
        return ()
    headers = response.request_info.headers.items()
    return tuple([(name, value) for name, value in headers if not name.lower().startswith("proxy-")])


def truncation(trouble: BodyFailure | None) -> str:
    """Why a body was not read to its end, in the words of WARC."""
    return TRUNCATED.get(trouble.word, "unspecified") if trouble else ""
