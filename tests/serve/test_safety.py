"""Who may ask the service, what it accepts, and what its answers allow: over real HTTP, against a real process."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serve.conftest import TOKEN, Served, serve

BEARER = {"Authorization": f"Bearer {TOKEN}"}
READS = ["/", "/api/crawls", "/api/settings", "/openapi.json", "/metrics", "/mcp", "/static/clew.css"]


def cookie(served: Served, token: str = TOKEN) -> dict[str, str]:
    return {"Cookie": f"clew_token_{served.port}={token}"}


@pytest.mark.parametrize("path", READS)
def test_without_the_token_nothing_is_answered(served: Served, path: str) -> None:
    wrong = [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": TOKEN},
        cookie(served, "wrong"),
        cookie(served, ""),
    ]
    for headers in wrong:
        assert served.ask(path, headers=headers).status == 401
    assert served.ask(f"{path}?token=wrong", headers={}).status == 401
    assert served.ask(path, "POST", {}, headers={}).status == 401


def test_the_address_turns_into_a_cookie_that_scripts_and_other_sites_do_not_see(served: Served) -> None:
    assert served.address == f"http://127.0.0.1:{served.port}/?token={TOKEN}"
    answer = served.ask(f"/?token={TOKEN}", headers={})
    assert (answer.status, answer.headers["location"]) == (303, "/")
    given = answer.headers["set-cookie"]
    assert f"clew_token_{served.port}={TOKEN}" in given
    assert "HttpOnly" in given
    assert "samesite=strict" in given.lower()
    assert served.ask("/api/crawls", headers=cookie(served)).status == 200


def test_the_health_of_the_service_is_no_secret(served: Served) -> None:
    assert served.ask("/healthz", headers={}).body == b"ok\n"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:1", "localhost", "[::1", "", "a:b:c"]
)
def test_another_name_for_this_machine_is_refused(served: Served, host: str) -> None:
    for path in ("/", "/api/crawls", "/healthz"):
        assert served.ask(path, headers={**BEARER, "Host": host}).status == 421


def test_localhost_is_a_name_of_this_machine(served: Served) -> None:
    assert served.ask("/api/crawls", headers={**BEARER, "Host": f"localhost:{served.port}"}).status == 200


def test_writes_from_other_sites_are_refused(served: Served) -> None:
    path = f"{served.crawl('sailing')}/dry-run"
    body = {"interest": "sailing"}
    foreign = [
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{served.port}.evil.example",
        f"ftp://127.0.0.1:{served.port}",
    ]
    for origin in foreign:
        for who in (BEARER, cookie(served)):
            assert served.ask(path, "POST", body, {**who, "Origin": origin}).status == 403
    own = {"Origin": f"http://127.0.0.1:{served.port}"}
    assert served.ask(path, "POST", body, {**cookie(served), **own}).status == 200
    # A browser always names the origin of a write; without one, the cookie proves nothing.
    assert served.ask(path, "POST", body, cookie(served)).status == 403
    assert served.ask(path, "POST", body, BEARER).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/js/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/app.py",
        "/../app.py",
        "/api/crawls/../../etc",
        "/api/crawls/..%2f..%2fetc",
        "/api/crawls/%2fetc/pages",
        "/api/crawls/sailing",
    ],
)
def test_no_path_leads_out_of_the_folders(served: Served, path: str) -> None:
    answer = served.ask(path)
    assert answer.status == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_large_bodies_are_refused(served: Served) -> None:
    large = b'{"interest": "' + b"a" * 1_000_000 + b'"}'
    assert served.ask("/api/crawls", "POST", large).status == 413
    assert served.ask("/mcp", "POST", large).status == 413


def test_a_large_body_without_a_length_is_refused(served: Served) -> None:
    head = f"POST /api/crawls HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as connection:
        connection.sendall(head.encode())
        for _ in range(9):
            connection.sendall(chunk)
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("path", ["/", "/api/crawls", "/nothing", "/healthz", "/openapi.json"])
def test_every_answer_forbids_foreign_content(served: Served, path: str) -> None:
    for headers in (BEARER, {}, {"Host": "evil.example"}):
        found = served.ask(path, headers=headers).headers
        assert found["content-security-policy"].startswith("default-src 'self'; ")
        assert "unsafe" not in found["content-security-policy"]
        assert found["x-content-type-options"] == "nosniff"
        assert found["x-frame-options"] == "DENY"


def test_the_page_has_no_inline_script(served: Served) -> None:
    page = served.ask("/")
    assert page.headers["content-type"].startswith("text/html")
    assert b"<script>" not in page.body
    assert b" onclick=" not in page.body


def test_crawled_bytes_come_only_as_a_download(served: Served) -> None:
    crawl = served.crawl("sailing")
    url = served.ask(f"{crawl}/pages").json["items"][0]["url"]
    answer = served.ask(f"{crawl}/raw", url=url)
    assert answer.body.lstrip().lower().startswith(b"<!doctype html")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert served.ask(f"{crawl}/raw", url="http://nowhere.example/").status == 404


def test_no_other_answer_is_html(served: Served) -> None:
    crawl = served.crawl("sailing")
    url = served.ask(f"{crawl}/pages").json["items"][0]["url"]
    for path in ("text", "page", "explain"):
        assert served.ask(f"{crawl}/{path}", url=url).headers["content-type"] == "application/json"


def run(tmp_path: Path, *flags: str, token: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clew", "serve", str(tmp_path), *flags]
    return subprocess.run(command, env={"CLEW_TOKEN": token}, capture_output=True, text=True, timeout=60, check=False)


def test_other_machines_need_a_token_that_the_user_has_chosen(tmp_path: Path) -> None:
    for token in ("", "short"):
        ended = run(tmp_path, "--host", "0.0.0.0", "--port", "0", token=token)
        assert ended.returncode == 1
        assert "lets other machines in: give a token" in ended.stderr
        assert ended.stdout == ""


def test_for_other_machines_addresses_are_names_but_foreign_names_are_not(tmp_path: Path) -> None:
    with serve(tmp_path, "--host", "0.0.0.0", "--name", "crawls.example") as (served, _):
        for host, status in {"192.0.2.7": 200, "crawls.example": 200, "localhost:99": 200, "evil.example": 421}.items():
            assert served.ask("/api/crawls", headers={**BEARER, "Host": host}).status == status


def test_without_a_token_of_the_user_each_start_has_another(tmp_path: Path) -> None:
    with serve(tmp_path, token="") as (first, _), serve(tmp_path, token="") as (second, _):
        tokens = {served.address.partition("token=")[2] for served in (first, second)}
        assert len(tokens) == 2
        assert min(map(len, tokens)) >= 32


def test_a_port_that_is_taken_has_one_clear_message(served: Served, tmp_path: Path) -> None:
    ended = run(tmp_path, "--port", str(served.port))
    assert ended.returncode == 1
    assert ended.stderr.count("\n") == 1
    assert "--port 0 takes a free port" in ended.stderr
