"""One browser for all pages: found on the system, cut off from the network, and restarted now and then."""

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
PAGES_PER_BROWSER: Final = 100  # after so many it is restarted
BROWSER_WAIT_SECONDS: Final = 10.0  # for closing a page or a browser; starting one may take three times as long

# The proxy is a port where nobody listens, no name resolves, and UDP goes nowhere: the browser gets only what we
# hand to it.
ISOLATION_FLAGS: Final = (
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # The same setting under its name in other versions.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-pings",
)
ECONOMY_FLAGS: Final = (
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--blink-settings=imagesEnabled=false",
    "--js-flags=--max-old-space-size=512",
    "--renderer-process-limit=2",
)


class Chromium:
    """Gives each page a fresh context; after a hundred pages, or after a crash, in a new browser."""

    def __init__(self, path: str, user_agent: str) -> None:
        self.path = located(path)
        self.user_agent = user_agent
        # Chromium refuses to run as root with its sandbox.
        self.sandboxed = os.geteuid() != 0
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._contexts_made = 0  # by this browser
        self._contexts_open = 0
        self._dead_proxy: socket.socket | None = None  # reserves the port where nobody listens
        self._lock = asyncio.Lock()

    async def context(self) -> BrowserContext:
        """A context without cookies, storage, downloads and service workers."""
        async with self._lock:
            if self._browser and self._is_worn_out(self._browser):
                await self._end()
            if self._browser is None:
                self._browser = await self._begin()
            context = await self._browser.new_context(
                user_agent=self.user_agent, accept_downloads=False, service_workers="block", permissions=[]
            )
            self._contexts_made += 1
            self._contexts_open += 1
            return context

    def _is_worn_out(self, browser: Browser) -> bool:
        if not browser.is_connected():
            return True
        # Pages that are still open are not torn down for a restart.
        return self._contexts_made >= PAGES_PER_BROWSER and not self._contexts_open

    async def done(self, context: BrowserContext) -> None:
        """Close a page's context; a browser that fails to do so in time is closed itself."""
        from playwright.async_api import Error

        self._contexts_open -= 1
        try:
            async with asyncio.timeout(BROWSER_WAIT_SECONDS):
                await context.close()
        except (Error, TimeoutError):
            await self._end()

    async def close(self) -> None:
        """Close the browser and stop its driver."""
        await self._end()
        if self._dead_proxy:
            self._dead_proxy.close()
        driver = self._driver
        self._driver = None
        if driver:
            # Ctrl-C reaches the driver, too, so it may be gone already.
            with suppress(Exception):
                async with asyncio.timeout(BROWSER_WAIT_SECONDS):
                    await driver.stop()

    async def _begin(self) -> Browser:
        from playwright.async_api import Error, async_playwright

        self._driver = self._driver or await async_playwright().start()
        self._contexts_made = 0
        if self._dead_proxy is None:
            # Bound but not listening: connections to this port are refused, and no other program can take it.
            self._dead_proxy = socket.socket()
            self._dead_proxy.bind(("127.0.0.1", 0))
        proxy_port = self._dead_proxy.getsockname()[1]
        try:
            return await self._driver.chromium.launch(
                executable_path=self.path,
                args=[f"--proxy-server=http://127.0.0.1:{proxy_port}", *ISOLATION_FLAGS, *ECONOMY_FLAGS],
                chromium_sandbox=self.sandboxed,
                handle_sigint=False,
                timeout=3 * BROWSER_WAIT_SECONDS * 1000,
            )
        except Error as error:
            first_line = error.message.strip().partition("\n")[0]
            raise ConfigError(f"the browser does not start: {first_line}; choose another with --browser PATH") from None

    async def _end(self) -> None:
        browser = self._browser
        self._browser = None
        if browser:
            with suppress(Exception):
                async with asyncio.timeout(BROWSER_WAIT_SECONDS):
                    await browser.close()


def located(path: str) -> str | None:
    """The path of the given browser, or of one on the system; None means Playwright's own.

    >>> located("/no/such/browser")
    Traceback (most recent call last):
    clew.errors.ConfigError: there is no browser at /no/such/browser
    """
    if path and not shutil.which(path):
        raise ConfigError(f"there is no browser at {path}")
    require("playwright", "pages rendered in a browser", "leave rendering out with render = 'never'")
    if path:
        return shutil.which(path)
    if any(_playwright_folder().glob("chromium*")):
        return None
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise ConfigError(
        "there is no browser to render pages with: install Chromium or Chrome (`apt install chromium`, "
        "`playwright install chromium`), or choose one with --browser PATH"
    )


def _playwright_folder() -> Path:
    """Where Playwright installs its browsers."""
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    return Path(folder) if folder else Path.home() / ".cache" / "ms-playwright"
