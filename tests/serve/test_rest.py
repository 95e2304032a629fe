"""The REST interface over real HTTP: its answers have the shapes that its OpenAPI document promises."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from clew.config import SETTINGS
from clew.serve.settings_schema import KEPT_BACK
from tests.serve.conftest import TOKEN, Served, serve

QUERIES = {"url": "", "q": "sailing", "interest": "sailing AND wind", "sort": "best", "points": 20}


@pytest.fixture(scope="session")
def document(served: Served) -> Any:
    return served.ask("/openapi.json").json


def check(document: Any, operation: Any, status: int, value: Any) -> None:
    """The value has the shape that is promised for this status."""
    [content] = operation["responses"][str(status)]["content"].values()
    schema = {**content["schema"], "components": document["components"]}
    Draft202012Validator(schema).validate(value)


def test_every_read_has_its_shape(served: Served, document: Any) -> None:
    crawl = served.crawl("sailing")
    url = served.ask(f"{crawl}/pages", sort="best").json["items"][0]["url"]
    asked = 0
    for path, methods in document["paths"].items():
        operation = methods.get("get")
        if not operation or path.endswith(("/events", "/raw", "/metrics")):
            continue
        names = {parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == "query"}
        query = {name: value for name, value in {**QUERIES, "url": url}.items() if name in names}
        answer = served.ask(path.replace("/api/crawls/{id}", crawl), **query)
        assert answer.status == 200, (path, answer.body)
        check(document, operation, 200, answer.json)
        asked += 1
    assert asked >= 16


def test_the_document_is_openapi(document: Any) -> None:
    assert document["openapi"] == "3.1.0"
    names = [operation["operationId"] for methods in document["paths"].values() for operation in methods.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("pages", {"limit": 0}, 400),
        ("pages", {"limit": "x"}, 400),
        ("pages", {"sort": "worst"}, 400),
        ("pages", {"cursor": "x"}, 400),
        ("pages", {"relevant": "maybe"}, 400),
        ("pages", {"page": 2}, 400),
        ("page", {}, 400),
        ("page", {"url": "http://nowhere.example/"}, 404),
        ("text", {"url": "http://nowhere.example/"}, 404),
        ("search", {"q": "-boats"}, 400),
        ("explain", {"url": "javascript:alert(1)"}, 400),
    ],
)
def test_mistakes_are_problems(served: Served, document: Any, path: str, query: dict[str, Any], status: int) -> None:
    answer = served.ask(f"{served.crawl('sailing')}/{path}", **query)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["status"] == status
    assert len(answer.json["detail"]) > 10


def test_another_method_is_refused_and_the_right_ones_are_named(served: Served) -> None:
    answer = served.ask("/api/crawls", "DELETE", {})
    assert (answer.status, set(answer.headers["allow"].split(", "))) == (405, {"GET", "HEAD", "POST"})


def test_an_answer_that_is_known_is_not_sent_again(served: Served) -> None:
    path = f"{served.crawl('sailing')}/curve"
    tag = served.ask(path).headers["etag"]
    headers = {"Authorization": f"Bearer {TOKEN}", "If-None-Match": tag}
    again = served.ask(path, headers=headers)
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert served.ask(path, headers={**headers, "If-None-Match": '"other"'}).status == 200


def test_lists_are_paged_by_cursor(served: Served) -> None:
    path = f"{served.crawl('sailing')}/pages"
    first = served.ask(path, limit=3).json
    second = served.ask(path, limit=3, cursor=first["next"]).json
    assert [*first["items"], *second["items"]] == served.ask(path, limit=6).json["items"]


def test_formulas_are_checked_while_they_are_typed(served: Served) -> None:
    right = served.ask("/api/check", interest="sailing and not golf").json
    assert (right["ok"], right["understood"]) == (True, "sailing AND NOT golf")
    wrong = served.ask("/api/check", interest="sailing AND (").json
    assert (wrong["ok"], wrong["position"]) == (False, 13)
    assert "code of your own" in served.ask("/api/check", interest='python("os:abort")').json["message"]


def test_another_interest_is_tried_on_the_finds(served: Served) -> None:
    crawl = served.crawl("sailing")
    before = served.ask(crawl).json
    same = served.ask(f"{crawl}/dry-run", "POST", {"interest": "sailing"}).json
    none = served.ask(f"{crawl}/dry-run", "POST", {"interest": "zeppelins"}).json
    assert none["relevant"] == before["relevant"] == none["lost"] > same["lost"]
    assert none["message"] == f"{none['lost']} of {none['relevant']} finds would no longer count"
    assert served.ask(crawl).json == before
    assert served.ask(f"{crawl}/dry-run", "POST", {"interest": "zeppelins AND"}).status == 422


def test_every_setting_is_in_the_form_or_has_a_reason_why_not(served: Served) -> None:
    sections = served.ask("/api/settings").json["sections"]
    listed = {setting["name"] for section in sections for setting in section["settings"]}
    assert listed | KEPT_BACK.keys() == SETTINGS.keys()
    assert not listed & KEPT_BACK.keys()
    [delay] = [s for section in sections for s in section["settings"] if s["name"] == "delay"]
    # The service was started with another one than clew has.
    assert (delay["default"], delay["type"], delay["schema"]) == (0.0, "number", {"type": "number", "minimum": 0})


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'"x"', b'{"kind": 1}', b'{"kind": "pauze"}', b'{"kind": "deny"}', b"NaN"]
)
def test_bodies_that_mean_nothing_are_refused(served: Served, body: bytes) -> None:
    answer = served.ask(f"{served.crawl('told')}/orders", "POST", body)
    assert answer.status in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_body_of_another_type_is_refused(served: Served) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "text/plain"}
    assert served.ask("/api/crawls", "POST", b"{}", headers).status == 415


@pytest.mark.parametrize(
    "settings",
    [
        {"fetcher": "os:abort"},
        {"sinks": ["jsonl(path='/tmp/x')"]},
        {"folder": "/tmp/x"},
        {"strategy": "os:abort"},
        {"judge": "os:abort"},
        {"interest": 'python("os:abort")'},
        {"topics": {"boats": {"examples": ["/etc/passwd"]}}},
        {"allow_private": True},
        {"name": "../x"},
        {"pages": 0},
        {"pagez": 5},
        {"interest": "sailing AND ("},
    ],
    ids=str,
)
def test_settings_that_reach_beyond_the_folders_are_refused(served: Served, settings: dict[str, Any]) -> None:
    body = {"interest": "sailing", "seeds": ["http://example.org/"], **settings}
    before = set(served.root.iterdir())
    answer = served.ask("/api/crawls", "POST", body)
    assert answer.status == 422
    assert set(served.root.iterdir()) == before


def test_metrics_are_for_prometheus(served: Served) -> None:
    answer = served.ask("/metrics")
    crawl = served.crawl("sailing").rpartition("/")[2]
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert f'clew_crawl_visits_total{{crawl="{crawl}"}} 80\n' in answer.body.decode()
    assert f'clew_crawl_state{{crawl="{crawl}",state="finished"}} 1\n' in answer.body.decode()


def test_labels_and_orders_to_a_crawl_that_is_stopped_are_taken(served: Served, document: Any) -> None:
    crawl = served.crawl("told")
    url = served.ask(f"{crawl}/pages", sort="best").json["items"][0]["url"]
    order = served.ask(f"{crawl}/orders", "POST", {"kind": "deny", "words": ["ads.example"]})
    assert order.status == 202
    check(document, document["paths"]["/api/crawls/{id}/orders"]["post"], 202, order.json)
    label = served.ask(f"{crawl}/labels", "POST", {"url": url, "relevant": False})
    assert (label.status, label.json) == (202, {"items": [{"url": url, "relevant": False}]})
    served.wait(f"{crawl}/orders", lambda found: found["items"][0]["status"] == "taken")
    pause = served.ask(f"{crawl}/orders", "POST", {"kind": "pause"})
    assert pause.status == 202
    found = served.wait(f"{crawl}/orders", lambda found: found["items"][0]["status"] == "refused")
    assert "no crawl is running" in found["items"][0]["refused"]


def test_the_stream_begins_with_the_numbers_of_now(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    connection.request("GET", f"{served.crawl('sailing')}/events", headers=headers)
    response = connection.getresponse()
    assert response.headers["content-type"].startswith("text/event-stream")
    lines = [response.readline().decode() for _ in range(4)]
    connection.close()
    assert lines[2] == "event: summary\n"
    assert json.loads(lines[3].removeprefix("data: "))["visited"] == 80


def test_ctrl_c_ends_the_service_quietly_while_a_viewer_is_attached(folder: Path) -> None:
    with serve(folder) as (served, process):
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        connection.request("GET", f"{served.crawl('sailing')}/events", headers={"Authorization": f"Bearer {TOKEN}"})
        assert connection.getresponse().readline() == b"retry: 2000\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        connection.close()
        assert process.stderr
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_requests_that_nobody_would_think_of_have_the_answers_of_the_document(served: Served) -> None:
    # A body that is too large is refused, too, before anybody reads what is in it.
    config = served.root / "schemathesis.toml"
    config.write_text('[checks.negative_data_rejection]\nexpected-statuses = ["4xx"]\n')
    tool = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)]
    command = [*tool, "run", f"http://127.0.0.1:{served.port}/openapi.json"]
    flags = ["--header", f"Authorization: Bearer {TOKEN}", "--max-examples", "10", "--phases", "coverage,fuzzing"]
    # Formulas and patterns have a grammar that no schema says; starting crawls has tests of its own.
    flags += ["--exclude-checks", "positive_data_acceptance", "--exclude-path", "/api/crawls/{id}/events"]
    flags += ["--exclude-operation-id", "startCrawl", "--exclude-operation-id", "resumeCrawl", "--seed", "1"]
    found = subprocess.run([*command, *flags], capture_output=True, text=True, check=False, cwd=served.root)
    # What is no HTTP is refused by the server below, which closes the connection: an error of the tool, no failure.
    passed = re.search(r"(\d+) passed", found.stdout)
    assert passed, found.stdout[-4000:]
    assert int(passed[1]) >= 20
    assert "Failures:" not in found.stdout, found.stdout[-4000:]


def test_a_folder_of_one_crawl_takes_no_new_ones(folder: Path) -> None:
    with serve(folder) as (served, _):
        found = served.ask("/api/crawls").json
        assert ([item["name"] for item in found["items"]], found["can_start"]) == (["sailing"], False)
        answer = served.ask("/api/crawls", "POST", {"interest": "sailing", "seeds": ["http://example.org/"]})
        assert answer.status == 409
        assert "clew serve crawls" in answer.json["detail"]
