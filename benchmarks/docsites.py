"""Serves twenty real documentation sites on loopback: Debian packages behind nginx, one host name each, and a portal.

    python benchmarks/docsites.py            # download, unpack and serve until Ctrl-C
    python benchmarks/docsites.py --list     # only say what there is

The packages come from `apt-get download` and are unpacked beside them, in build/docsites; nothing is installed, and
nginx runs as the user who calls it. Each site has a registered domain of its own (docs.python.test, …), as such sites
have on the web, so that limits per domain do not make them one. Links from one site to the public address of another
lead to the copy here. Crawls must use `DocSites.settings`: all names end in .test and lead to loopback, and links to
other names are out of scope.
"""

from __future__ import annotations

import argparse
import html
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).parent
CACHE = HERE.parent / "build" / "docsites"
PORTAL = "portal"
MAX_MEGABYTES = 300  # unpacked, by what the package says of itself
START_SECONDS = 10.0  # for nginx

CONFIG = """
daemon off;
master_process off;
pid {run}/nginx.pid;
error_log {run}/error.log warn;
events {{ worker_connections 256; }}
http {{
  types {{
    text/html html htm;
    text/css css;
    text/plain txt;
    text/javascript js;
    image/png png;
    image/svg+xml svg;
    application/pdf pdf;
  }}
  default_type application/octet-stream;
  charset utf-8;
  log_format hosts '$remote_addr $server_addr $host $status $request_uri';
  access_log {run}/access.log hosts;
  client_body_temp_path {run}/body;
  proxy_temp_path {run}/proxy;
  fastcgi_temp_path {run}/fastcgi;
  uwsgi_temp_path {run}/uwsgi;
  scgi_temp_path {run}/scgi;
  server_names_hash_bucket_size 128;
  gzip on;
  gzip_types text/css text/plain text/javascript;
  index index.html;
  sub_filter_once off;
{filters}
  server {{ listen 127.0.0.1:{port} default_server; return 404; }}
{servers}
}}
"""
SERVER = '  server {{ listen 127.0.0.1:{port}; server_name {host}; root "{root}"; }}'
FILTER = "  sub_filter '\"{address}' '\"{home}';"


@dataclass(frozen=True)
class Site:
    """A documentation site: where its pages come from, and where others think they are."""

    name: str
    packages: tuple[str, ...]
    folder: str  # inside the package, as a glob
    addresses: tuple[str, ...]

    @property
    def host(self) -> str:
        return f"docs.{self.name}.test"

    @property
    def home(self) -> str:
        return f"http://{self.host}/"


def known_sites() -> list[Site]:
    """The sites of docsites.toml."""
    tables: dict[str, Any] = tomllib.loads((HERE / "docsites.toml").read_text())
    return [
        Site(name, tuple(table["packages"]), table["folder"], tuple(table["addresses"]))
        for name, table in tables.items()
    ]


@dataclass
class DocSites:
    """The sites behind one nginx process, which runs while the block does.

    with DocSites() as sites:
        clew.crawl("clustering", sites.seeds("sklearn"), **sites.settings)
    """

    cache: Path = CACHE
    port: int = 0  # 0: any that is free
    max_megabytes: int = MAX_MEGABYTES
    roots: dict[Site, Path] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)  # what could not be had, and why

    def __enter__(self) -> DocSites:
        self.prepare()
        if not self.roots:
            raise SystemExit("there is no site to serve: " + "; ".join(self.missing))
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._nginx.terminate()
        self._nginx.wait(timeout=START_SECONDS)

    @property
    def resolve(self) -> tuple[str, ...]:
        """The entries of clew's `resolve` setting."""
        return (f"*.test=127.0.0.1:{self.port}",)

    @property
    def settings(self) -> dict[str, Any]:
        """With these settings no request of a crawl leaves the machine."""
        return {"resolve": self.resolve, "allow_private": True, "allow": ("*.test",)}

    @property
    def access_log(self) -> Path:
        """One line for each request: client, server address, host, status, path."""
        return self.cache / "run" / "access.log"

    @property
    def portal(self) -> str:
        return f"http://{PORTAL}.test/"

    def seeds(self, *names: str) -> list[str]:
        """The home pages of these sites, and the portal."""
        homes = {site.name: site.home for site in self.roots}
        return [*(homes[name] for name in names), self.portal]

    def wait(self) -> None:
        """Until nginx ends."""
        self._nginx.wait()

    def prepare(self) -> None:
        """Download and unpack what is not there yet."""
        self.missing = [f"{tool} is not installed" for tool in ("apt-get", "dpkg-deb") if not shutil.which(tool)]
        for site in known_sites():
            root = self._root(site)
            if root is None and not self.missing:
                self._unpack(site)
                root = self._root(site)
            if root is not None:
                self.roots[site] = root
        self.missing += [f"{site.name}: no package" for site in known_sites() if site not in self.roots]

    def _root(self, site: Site) -> Path | None:
        """The folder of a site that is unpacked."""
        found = sorted((self.cache / "unpacked" / site.name).glob(site.folder))
        return next((folder for folder in found if (folder / "index.html").exists()), None)

    def _unpack(self, site: Site) -> None:
        package = next((name for name in site.packages if 0 < _megabytes(name) <= self.max_megabytes), None)
        if package is None:
            return
        packages = self.cache / "packages"
        packages.mkdir(parents=True, exist_ok=True)
        if not list(packages.glob(f"{package}_*.deb")):
            subprocess.run(["apt-get", "download", package], cwd=packages, check=False, capture_output=True)
        for archive in packages.glob(f"{package}_*.deb"):
            target = self.cache / "unpacked" / site.name
            target.mkdir(parents=True, exist_ok=True)
            subprocess.run(["dpkg-deb", "-x", str(archive), str(target)], check=True)

    def _start(self) -> None:
        run = self.cache / "run"
        shutil.rmtree(run, ignore_errors=True)
        run.mkdir(parents=True)
        self.port = self.port or _free_port()
        (run / "portal").mkdir()
        (run / "portal" / "index.html").write_text(self._portal_page())
        (run / "nginx.conf").write_text(self._config(run))
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        command = [nginx, "-p", str(run), "-c", str(run / "nginx.conf"), "-e", str(run / "error.log")]
        self._nginx = subprocess.Popen(command)
        _wait_for(self.port, self._nginx)

    def _config(self, run: Path) -> str:
        places = [(site.host, root) for site, root in self.roots.items()]
        places.append((f"{PORTAL}.test", run / "portal"))
        servers = [SERVER.format(port=self.port, host=host, root=root.resolve()) for host, root in places]
        filters: list[str] = []
        for site in self.roots:
            filters += [FILTER.format(address=address, home=site.home) for address in site.addresses]
        return CONFIG.format(run=run.resolve(), port=self.port, filters="\n".join(filters), servers="\n".join(servers))

    def _portal_page(self) -> str:
        items = [f'<li><a href="{site.home}">{html.escape(_title(root))}</a>' for site, root in self.roots.items()]
        return f"<!doctype html><title>Documentation</title><h1>Documentation</h1><ul>{''.join(items)}</ul>"


def _megabytes(package: str) -> float:
    """The size of a package when unpacked, by apt; 0 if there is none."""
    shown = subprocess.run(["apt-cache", "show", "--no-all-versions", package], capture_output=True, text=True)
    for line in shown.stdout.splitlines():
        if line.startswith("Installed-Size:"):
            return int(line.split()[1]) / 1000
    return 0.0


def _title(root: Path) -> str:
    """The title of a site's home page."""
    text = (root / "index.html").read_text(errors="replace")
    _, found, rest = text.partition("<title>")
    title = " ".join(html.unescape(rest.partition("</title>")[0]).split())
    return title if found and title else root.name


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(port: int, nginx: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and nginx.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    nginx.terminate()
    raise SystemExit("nginx does not start; see run/error.log in the cache folder")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of packages, pages and logs")
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument("--max-megabytes", type=int, default=MAX_MEGABYTES, help="leave out larger packages")
    parser.add_argument("--list", action="store_true", help="say what there is, and do not serve it")
    options = parser.parse_args(arguments)
    sites = DocSites(options.cache, options.port, options.max_megabytes)
    if options.list:
        sites.prepare()
        print(_table(sites))
        return
    with sites:
        print(_table(sites))
        print(f"\nstart page  {sites.portal}\nsettings    {sites.settings}\nserving until Ctrl-C", flush=True)
        try:
            sites.wait()
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)


def _table(sites: DocSites) -> str:
    lines = [f"{site.home:32}{len(list(root.rglob('*.html'))):6} pages" for site, root in sites.roots.items()]
    return "\n".join([*lines, *(f"missing: {reason}" for reason in sites.missing)])


if __name__ == "__main__":
    main()
