"""One browser for all pages: found on the system, cut off from the network, begun anew now and then."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from clew.base.extras import require
from clew.errors import ConfigError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
PAGES: Final = 100  # after which a browser has lived long enough
BROWSER_WAIT_SECONDS: Final = 10.0  # seconds for a browser to begin, or to close something

# Its proxy is a port where nobody listens, no name is known, and UDP goes nowhere: it gets only what we hand to it.
CUT_OFF: Final = (
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its name in other versions
    "--dns-prefetch-disable",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-pings",
)
SPARING: Final = (
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--blink-settings=imagesEnabled=false",
    "--js-flags=--max-old-space-size=512",
    "--renderer-process-limit=2",
)


class Chromium:
    """Gives a fresh context for each page; after so many pages, or a crash, in a new browser."""

    def __init__(self, path: str, user_agent: str) -> None:
        self.path, self.user_agent = located(path), user_agent
        self.sandboxed = os.geteuid() != 0  # Chromium refuses to run as root with its sandbox
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._given = self._open = 0
        self._nobody: socket.socket | None = None  # holds the port where nobody listens
        self._lock = asyncio.Lock()

    async def context(self) -> BrowserContext:
        """Without cookies, storage, downloads and service workers."""
        async with self._lock:
            if self._browser and (not self._browser.is_connected() or (self._given >= PAGES and not self._open)):
                await self._end()
            browser = self._browser = self._browser or await self._begin()
            made = await browser.new_context(
                user_agent=self.user_agent, accept_downloads=False, service_workers="block", permissions=[]
            )
            self._given += 1
            self._open += 1
            return made

    async def done(self, context: BrowserContext) -> None:
        """Close a page's context; a browser that cannot do so in time is ended."""
        from playwright.async_api import Error

        self._open -= 1
        try:
            async with asyncio.timeout(BROWSER_WAIT_SECONDS):
                await context.close()
        except (Error, TimeoutError):
            await self._end()

    async def close(self) -> None:
        """End the browser and what drives it."""
        await self._end()
        if self._nobody:
            self._nobody.close()
        driver, self._driver = self._driver, None
        if driver:
            with suppress(Exception):  # Ctrl-C reaches it, too, so it may be gone already
                async with asyncio.timeout(BROWSER_WAIT_SECONDS):
                    await driver.stop()

    async def _begin(self) -> Browser:
        from playwright.async_api import Error, async_playwright

        self._driver = self._driver or await async_playwright().start()
        self._given = 0
        if self._nobody is None:
            self._nobody = socket.socket()
            self._nobody.bind(("127.0.0.1", 0))
        try:
            return await self._driver.chromium.launch(
                executable_path=self.path,
                args=[f"--proxy-server=http://127.0.0.1:{self._nobody.getsockname()[1]}", *CUT_OFF, *SPARING],
                chromium_sandbox=self.sandboxed,
                handle_sigint=False,
                timeout=BROWSER_WAIT_SECONDS * 3000,
            )
        except Error as error:
            first = error.message.strip().partition("\n")[0]
            raise ConfigError(f"the browser does not start: {first}; name another with --browser PATH") from None

    async def _end(self) -> None:
        browser, self._browser = self._browser, None
        if browser:
            with suppress(Exception):
                async with asyncio.timeout(BROWSER_WAIT_SECONDS):
                    await browser.close()


def located(path: str) -> str | None:
    """The browser that was named, or one that is there; None for Playwright's own. One clear message if there is none.

    >>> located("/no/such/browser")
    Traceback (most recent call last):
    clew.errors.ConfigError: there is no browser /no/such/browser
    """
    if path and not shutil.which(path):
        raise ConfigError(f"there is no browser {path}")
    require("playwright", "pages rendered in a browser", "leave rendering out with render = 'never'")
    if path:
        return shutil.which(path)
    if any(_own().glob("chromium*")):
        return None
    if found := next(filter(None, map(shutil.which, NAMES)), None):
        return found
    raise ConfigError(
        "there is no browser to render pages with: install Chromium or Chrome (`apt install chromium`, "
        "`playwright install chromium`), or name one with --browser PATH"
    )


def _own() -> Path:
    """Where Playwright keeps the browsers that it has installed."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    return Path(named) if named else Path.home() / ".cache" / "ms-playwright"
