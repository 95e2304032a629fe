"""The MCP server over the tools, with the official SDK: on standard input and output, or inside `clew serve`."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from starlette.routing import BaseRoute

from clew.errors import ClewError
from clew.serve.mcp_tools import NOTICE, Tools
from clew.serve.problems import Problem
from clew.serve.service import Service
from clew.version import __version__

PATH: Final = "/mcp"
INSTRUCTIONS: Final = (
    "clew crawls the web for pages about an interest. Start a crawl or list those there are, watch its status, then "
    f"look at its best pages, search them and read them. {NOTICE}"
)
WRITES: Final = ("start_crawl", "label_page", "stop_crawl")
NAMES: Final = (
    "list_crawls",
    "start_crawl",
    "crawl_status",
    "best_pages",
    "search_pages",
    "read_page",
    "explain_page",
    "label_page",
    "stop_crawl",
)


def make_server(service: Service, max_pages: int) -> MCPServer[Any]:
    """A server with all tools."""
    server: MCPServer[Any] = MCPServer("clew", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
    tools = Tools(service, max_pages)
    for name in NAMES:
        is_write = name in WRITES
        # Only a crawl reaches out to the web; nothing that is kept is ever deleted.
        notes = ToolAnnotations(
            read_only_hint=not is_write, destructive_hint=False, open_world_hint=name == "start_crawl"
        )
        server.add_tool(_in_thread(getattr(tools, name)), name=name, annotations=notes)
    return server


def http_routes(
    service: Service, max_pages: int
) -> tuple[list[BaseRoute], Callable[[], AbstractAsyncContextManager[None]]]:
    """The routes of MCP over HTTP, and what must run while they are served."""
    server = make_server(service, max_pages)
    # The guard of the service checks Host, Origin and token before MCP sees a request.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=unchecked
    )

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        async with server.session_manager.run():
            yield

    return list(app.routes), running


def run_stdio(service: Service, max_pages: int) -> None:
    """Serve one client on standard input and output, until it closes them."""
    make_server(service, max_pages).run("stdio")


def _in_thread(tool: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    """The tool beside the event loop, for reading a crawl blocks; what clew refuses becomes an answer."""

    @functools.wraps(tool)
    async def called(*args: Any, **values: Any) -> dict[str, Any]:
        try:
            return await anyio.to_thread.run_sync(functools.partial(tool, *args, **values))
        except (ClewError, Problem) as error:
            raise ToolError(str(error)) from None

    return called
