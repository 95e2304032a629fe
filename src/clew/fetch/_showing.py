"""Renders one page: loads it in the browser, waits until it is quiet, and takes a snapshot of its HTML."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from clew.fetch._traffic import Traffic, fulfil
from clew.parse.url import canonical
from clew.types import Fetched

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page, Request, Route

SCHEMES: Final = ("http://", "https://")
EVERYTHING: Final = re.compile("")
SNAPSHOT_SECONDS: Final = 5.0  # for taking a snapshot
MAX_ELEMENTS: Final = 200_000
MAX_CHARACTERS: Final = 10_000_000
# Both would connect past our routes.
DISABLE_PEERS: Final = "for (const name of ['RTCPeerConnection', 'WebTransport']) delete self[name]"
# Runs in an isolated world, where the page's scripts cannot have replaced any of these names.
SNAPSHOT_SCRIPT: Final = f"""(() => {{
  const all = document.documentElement;
  if (!all || document.getElementsByTagName('*').length > {MAX_ELEMENTS}) return null;
  const html = all.outerHTML;
  return html.length > {MAX_CHARACTERS} ? null : html.toWellFormed ? html.toWellFormed() : html;
}})()"""


class Showing:
    """The rendering of one page; ends with its HTML, with the URL that its scripts go to, or with a trouble."""

    def __init__(self, answer: Fetched, traffic: Traffic, seconds: float) -> None:
        self.answer = answer
        self.traffic = traffic
        self.seconds = seconds
        self.html = ""
        self.location = ""
        self.trouble = ""
        self._over = asyncio.Event()
        self._begun = False
        self._tasks: set[asyncio.Future[None]] = set()

    async def run(self, context: BrowserContext) -> None:
        """Load the page, wait until it is quiet or the time is up, and take a snapshot."""
        from playwright.async_api import Error

        try:
            await self._run(context)
        except Error as error:
            self._stop(error.message.partition("\n")[0])
        finally:
            await self._cancel(self._tasks)

    async def _run(self, context: BrowserContext) -> None:
        await context.add_init_script(DISABLE_PEERS)
        self._page = page = await context.new_page()
        cdp = await context.new_cdp_session(page)
        frame = (await cdp.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        await context.route(EVERYTHING, self._route)
        context.on("page", self._close)
        page.on("websocket", lambda socket: self.traffic.refuse(socket.url, "web sockets are not supported"))
        page.on("crash", lambda _: self._stop("the page crashed the browser"))
        await self._settle(page)
        if not self.location and not self.trouble:
            await self._take_snapshot(cdp, frame)

    async def _settle(self, page: Page) -> None:
        waits = {asyncio.ensure_future(self._quiet(page)), asyncio.ensure_future(self._over.wait())}
        try:
            done, _ = await asyncio.wait(waits, timeout=self.seconds, return_when=asyncio.FIRST_COMPLETED)
            if not self._over.is_set():
                for wait in done:
                    wait.result()
        finally:
            await self._cancel(waits)

    async def _quiet(self, page: Page) -> None:
        await page.goto(self.answer.url, wait_until="commit", timeout=0)
        await page.wait_for_load_state("networkidle", timeout=0)

    async def _cancel(self, tasks: Iterable[asyncio.Future[Any]]) -> None:
        for task in [*tasks]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take_snapshot(self, cdp: CDPSession, frame: str) -> None:
        """Keep the HTML as it is now; an endless script is terminated first."""
        try:
            html = await self._snapshot(cdp, frame)
        except TimeoutError:
            try:
                async with asyncio.timeout(SNAPSHOT_SECONDS):
                    await cdp.send("Runtime.terminateExecution")
                html = await self._snapshot(cdp, frame)
            except TimeoutError:
                return self._stop("the scripts of the page do not end")
        if not isinstance(html, str):
            return self._stop("the rendered page is too large")
        self.html = "<!DOCTYPE html>" + html

    async def _snapshot(self, cdp: CDPSession, frame: str) -> object:
        async with asyncio.timeout(SNAPSHOT_SECONDS):
            world = await cdp.send("Page.createIsolatedWorld", {"frameId": frame})
            context = world["executionContextId"]
            call = {"expression": SNAPSHOT_SCRIPT, "contextId": context, "returnByValue": True}
            return (await cdp.send("Runtime.evaluate", call))["result"].get("value")

    def _route(self, route: Route) -> None:
        """Serve a request in a task of our own, which can be cancelled when the page's time is up."""
        task = asyncio.ensure_future(self._serve(route))
        self._tasks.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Future[None]) -> None:
        from playwright.async_api import Error

        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # Playwright's own errors only mean that the page is gone.
        if error and not isinstance(error, Error):
            self._stop(f"{type(error).__name__}: {error}")

    async def _serve(self, route: Route) -> None:
        if route.request.is_navigation_request():
            await self._navigate(route, route.request)
        else:
            await self.traffic.serve(route)

    async def _navigate(self, route: Route, request: Request) -> None:
        """Answer the first navigation with the page that was fetched, and take later ones for redirects."""
        if not self._begun:
            self._begun = True
            return await fulfil(route, self.answer)
        url = canonical(request.url) or ""
        # Frames stay empty: only the main frame may go elsewhere.
        if request.method == "GET" and url.startswith(SCHEMES) and url != self.answer.url and self._is_own(request):
            self.location = self.location or url
            self._over.set()
        # 204 leaves the document as it is.
        await route.fulfill(status=204)

    def _is_own(self, request: Request) -> bool:
        from playwright.async_api import Error

        try:
            return bool(request.frame == self._page.main_frame)
        except Error:
            # The request belongs to a window that does not exist yet.
            return False

    def _stop(self, trouble: str) -> None:
        self.trouble = self.trouble or trouble
        self._over.set()

    async def _close(self, popup: Page) -> None:
        from playwright.async_api import Error

        self.traffic.refuse(popup.url, "new windows are not opened")
        # It may have closed itself.
        with suppress(Error):
            await popup.close()
