"""Runs the service: the address is printed first, then requests are answered until Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from clew.base.extras import installed
from clew.config import Config
from clew.errors import ConfigError
from clew.serve.app import make_app
from clew.serve.data import CrawlFolders
from clew.serve.demo import demo
from clew.serve.guard import is_loopback
from clew.serve.service import Service

MIN_TOKEN: Final = 16  # characters of a token for other machines
GRACE_SECONDS: Final = 5  # for answers that are under way; streams look about once a second


@dataclass(frozen=True)
class Place:
    """Where the service listens, and who may ask."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""  # "": a new one
    names: Sequence[str] = ()  # further names under which it may be asked
    opens: bool = False  # whether to open the page in a browser


def run(roots: Sequence[str], place: Place, base: Config, max_pages: int, with_demo: bool = False) -> None:
    """Serve the crawls below these folders until Ctrl-C."""
    token = checked_token(place)
    listening = listen(place.host, place.port)
    port = listening.getsockname()[1]
    link = f"{address(place.host, port)}?token={token}"
    print(link, flush=True)
    service = Service(CrawlFolders(roots), base)
    app = _application(service, token, place, port, max_pages)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=GRACE_SECONDS
    )
    if place.opens and _has_screen():
        webbrowser.open(link)
    with demo(service) if with_demo else nullcontext(), suppress(KeyboardInterrupt):
        asyncio.run(_Server(config, service).serve([listening]))


class _Server(uvicorn.Server):
    """Tells the service of its end, so that streams of events end first."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self.service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to shut down."""
        self.service.is_over = True
        super().handle_exit(sig, frame)


def _application(service: Service, token: str, place: Place, port: int, max_pages: int) -> ASGIApp:
    if not installed("mcp"):
        return make_app(service, token, place.host, port, place.names)
    # Only now: it takes as long to import as everything else.
    from clew.serve.mcp_server import http_routes

    routes, running = http_routes(service, max_pages)
    return make_app(service, token, place.host, port, place.names, routes, running)


def _has_screen() -> bool:
    """Whether a browser has a window: one for the terminal would take it from its user."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def checked_token(place: Place) -> str:
    """The token of the user, or a new one; other machines need one that the user has chosen."""
    if place.token and not (place.token.isascii() and place.token.isprintable() and " " not in place.token):
        raise ConfigError("a token has printable ASCII characters without blanks")
    if is_loopback(place.host):
        return place.token or secrets.token_urlsafe(24)
    if len(place.token) < MIN_TOKEN:
        raise ConfigError(
            f"--host {place.host} lets other machines in: give a token of at least {MIN_TOKEN} characters, as in "
            "CLEW_TOKEN=$(openssl rand -hex 16) clew serve --host …, and put a proxy with TLS in front"
        )
    return place.token


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; ConfigError if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"cannot listen on {host}:{port}: {reason}; --port 0 takes a free port") from None
    listening.set_inheritable(False)
    return listening


def address(host: str, port: int) -> str:
    """The address to open.

    >>> address("0.0.0.0", 80), address("::1", 8000)
    ('http://127.0.0.1:80/', 'http://[::1]:8000/')
    """
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"
