"""A real crawl of the labyrinth, and a real `clew serve` over it, shared by the tests of the service."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

import clew
from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.process import Serving

TOKEN = "a-token-of-these-tests"
PATIENCE = 60.0  # seconds; the machine may be busy


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Served:
    """A running service."""

    address: str  # as it was printed, with the token
    port: int
    root: Path

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> Answer:
        """One request, with the token unless `headers` say otherwise."""
        given = {"Authorization": f"Bearer {TOKEN}"} if headers is None else dict(headers)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if data is not None:
            given.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, f"{path}?{urlencode(query)}" if query else path, data, given)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def crawl(self, name: str) -> str:
        """The path of a crawl by the name of its folder."""
        [crawl] = [item["id"] for item in self.ask("/api/crawls").json["items"] if item["name"] == name]
        return f"/api/crawls/{crawl}"

    def wait(self, path: str, holds: Callable[[Any], bool]) -> Any:
        """Ask until the answer is as it should become."""
        deadline = time.monotonic() + PATIENCE
        while not holds(found := self.ask(path).json):
            assert time.monotonic() < deadline, found
            time.sleep(0.2)
        return found


@contextmanager
def serve(root: Path, *flags: str, token: str = TOKEN) -> Iterator[tuple[Served, subprocess.Popen[str]]]:
    """A real `clew serve` on a free port."""
    command = [sys.executable, "-m", "clew", "serve", str(root), "--port", "0", *flags]
    environment = {**os.environ, "CLEW_TOKEN": token}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().strip()
        try:
            yield Served(address, urlsplit(address).port or 0, root), process
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def web() -> Iterator[Serving]:
    with serving(Labyrinth(pages=400, seed=1)) as server:
        yield server


@pytest.fixture(scope="session")
def root(web: Serving, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of crawls; the one in it has made 80 visits."""
    root = tmp_path_factory.mktemp("crawls")
    seeds = web.labyrinth.seeds("sailing", 3)
    settings = {"allow_private": True, "resolve": [web.resolve], "delay": 0, "parallel": 1}
    clew.crawl("sailing", seeds, folder=str(root / "sailing"), pages=None, visits=80, **settings)
    return root


@pytest.fixture(scope="session")
def folder(root: Path) -> Path:
    return root / "sailing"


@pytest.fixture(scope="session")
def served(web: Serving, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over copies of the crawl: `sailing` is only read, `told` is changed; new crawls see the labyrinth."""
    root = tmp_path_factory.mktemp("served")
    shutil.copytree(folder, root / "sailing")
    shutil.copytree(folder, root / "told")
    settings = root.parent / "defaults.toml"
    settings.write_text(f'allow_private = true\nresolve = ["{web.resolve}"]\ndelay = 0\n')
    with serve(root, "--config", str(settings)) as (service, _):
        yield service
