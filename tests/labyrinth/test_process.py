from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest

from clew.labyrinth import Labyrinth, serving
from clew.labyrinth.process import main

PARENT = """
import time
from clew.labyrinth import Labyrinth, serving
with serving(Labyrinth(pages=100)) as web:
    print(web.port, flush=True)
    time.sleep(60)
"""


def listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until_closed(port: int) -> bool:
    for _ in range(100):
        if not listening(port):
            return True
        time.sleep(0.05)
    return False


def test_another_process_serves_the_same_web(web: Labyrinth, tmp_path: Path):
    odd = replace(web, locality=0.25, kilobytes=8.0)
    with serving(odd, log=tmp_path / "log") as server:
        assert server.resolve == f"*.labyrinth=127.0.0.1:{server.port}"
        proxy = urllib.request.ProxyHandler({"http": f"http://127.0.0.1:{server.port}"})
        with urllib.request.build_opener(proxy).open(odd.url(77)) as answer:
            assert answer.read() == odd.page(odd.url(77)).body
    assert not listening(server.port)
    assert odd.url(77).endswith((tmp_path / "log").read_text().split("\t")[2].strip())


def test_the_server_ends_with_its_parent():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        port = int(parent.stdout.readline())
        assert listening(port)
        os.kill(parent.pid, signal.SIGKILL)
    assert wait_until_closed(port)


def test_the_command_says_how_to_crawl():
    command = [sys.executable, "-m", "clew.labyrinth", "--pages", "200", "--port", "0", "--regime", "poor", "--watch"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("port ")
    assert "clew crawl" in done.stdout
    assert "200 pages on 20 hosts" in done.stdout


def test_a_port_in_use_is_a_clear_message():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SystemExit, match="cannot be served"):
            main(["--pages", "100", "--port", str(taken.getsockname()[1])])
