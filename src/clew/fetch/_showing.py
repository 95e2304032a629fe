"""One page in the browser: loaded, left alone until it is quiet, and written down."""

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
SNAPSHOT: Final = 5.0  # seconds for writing the page down
ELEMENTS: Final = 200_000
CHARACTERS: Final = 10_000_000
WITHOUT_PEERS: Final = "for (const name of ['RTCPeerConnection', 'WebTransport']) delete self[name]"
# In a world of its own, where the page's scripts cannot have put something else in place of these names.
WRITE_DOWN: Final = f"""(() => {{
  const all = document.documentElement;
  if (!all || document.getElementsByTagName('*').length > {ELEMENTS}) return null;
  const html = all.outerHTML;
  return html.length > {CHARACTERS} ? null : html.toWellFormed ? html.toWellFormed() : html;
}})()"""


class Showing:
    """What comes of a page: its HTML, or where its scripts go instead, or what went wrong."""

    def __init__(self, answer: Fetched, traffic: Traffic, seconds: float) -> None:
        self.answer, self.traffic, self.seconds = answer, traffic, seconds
        self.html = self.location = self.trouble = ""
        self._over, self._begun = asyncio.Event(), False
        self._tasks: set[asyncio.Future[None]] = set()

    async def run(self, context: BrowserContext) -> None:
        """Load the page, wait until it is quiet or the time is up, write it down."""
        from playwright.async_api import Error

        try:
            await self._run(context)
        except Error as error:
            self._stop(error.message.partition("\n")[0])
        finally:
            await self._cancel(self._tasks)

    async def _run(self, context: BrowserContext) -> None:
        await context.add_init_script(WITHOUT_PEERS)
        self._page = page = await context.new_page()
        cdp = await context.new_cdp_session(page)
        frame = (await cdp.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        await context.route(EVERYTHING, self._route)
        context.on("page", self._close)
        page.on("websocket", lambda socket: self.traffic.refuse(socket.url, "web sockets are not opened"))
        page.on("crash", lambda _: self._stop("it crashed the browser"))
        await self._settle(page)
        if not self.location and not self.trouble:
            await self._write_down(cdp, frame)

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

    async def _write_down(self, cdp: CDPSession, frame: str) -> None:
        """A script without end is ended first."""
        try:
            found = await self._written(cdp, frame)
        except TimeoutError:
            try:
                async with asyncio.timeout(SNAPSHOT):
                    await cdp.send("Runtime.terminateExecution")
                found = await self._written(cdp, frame)
            except TimeoutError:
                return self._stop("its scripts come to no end")
        if not isinstance(found, str):
            return self._stop("it is too large after its scripts have run")
        self.html = "<!DOCTYPE html>" + found

    async def _written(self, cdp: CDPSession, frame: str) -> object:
        async with asyncio.timeout(SNAPSHOT):
            world = await cdp.send("Page.createIsolatedWorld", {"frameId": frame})
            asked = {"expression": WRITE_DOWN, "contextId": world["executionContextId"], "returnByValue": True}
            return (await cdp.send("Runtime.evaluate", asked))["result"].get("value")

    def _route(self, route: Route) -> None:
        """In a task of our own, for it may have to wait for its turn when the page's time is up."""
        task = asyncio.ensure_future(self._serve(route))
        self._tasks.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Future[None]) -> None:
        from playwright.async_api import Error

        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, Error):  # Playwright's own: the page is gone
            self._stop(f"{type(error).__name__}: {error}")

    async def _serve(self, route: Route) -> None:
        if route.request.is_navigation_request():
            await self._navigate(route, route.request)
        else:
            await self.traffic.serve(route)

    async def _navigate(self, route: Route, request: Request) -> None:
        """The page is here already; going elsewhere is a redirect; frames stay empty. 204 leaves all as it is."""
        if not self._begun:
            self._begun = True
            return await fulfil(route, self.answer)
        url = canonical(request.url) or ""
        if request.method == "GET" and url.startswith(SCHEMES) and url != self.answer.url and self._is_own(request):
            self.location = self.location or url
            self._over.set()
        await route.fulfill(status=204)

    def _is_own(self, request: Request) -> bool:
        from playwright.async_api import Error

        try:
            return bool(request.frame == self._page.main_frame)
        except Error:  # of a window that is not there yet
            return False

    def _stop(self, trouble: str) -> None:
        self.trouble = self.trouble or trouble
        self._over.set()

    async def _close(self, popup: Page) -> None:
        from playwright.async_api import Error

        self.traffic.refuse(popup.url, "no second window is opened")
        with suppress(Error):  # it may be gone already
            await popup.close()
