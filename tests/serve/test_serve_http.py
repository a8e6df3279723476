"""/v1 over real HTTP: answers, refusals, and what does not get in."""

from __future__ import annotations

import contextlib
import json
import socket
import stat
import subprocess
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest
from served_repository import HttpServer, sonde, write_files

from sonde.serve.openapi import description
from sonde.serve.structured import QUESTIONS


def test_each_question_is_answered(http: HttpServer) -> None:
    status, pack = http.post("/v1/context", {"task": "fix checkout of the Cart", "budget": 900})
    assert status == 200
    assert pack["tokens"] <= 900
    assert "def checkout" in pack["text"]
    found = http.post("/v1/symbol", {"name": "total_price", "source": True})[1]["found"][0]
    assert found["callers"][0]["symbol"]["name"] == "Cart.checkout"
    assert "return sum(lines)" in found["source"]
    assert http.post("/v1/search", {"query": "total_price"})[1]["lines"]
    assert http.post("/v1/impact", {"symbol": "total_price"})[1]["affected"]
    tests = http.post("/v1/tests", {"files": ["shop/cart.py"]})[1]["tests"]
    assert tests[0]["node"] == "tests/test_cart.py::test_checkout_of_an_empty_cart"
    why = http.post("/v1/why", {"task": "fix checkout of the Cart", "symbol": "Cart.checkout"})[1]
    assert sum(why["contributions"].values()) == pytest.approx(why["score"], abs=1e-3)
    assert http.post("/v1/feedback", {"pack": pack["pack"], "note": "good"})[1]["kept"] >= 1


def test_what_cannot_be_answered_has_a_status_and_one_line(http: HttpServer) -> None:
    for path, body, expected in (
        ("/v1/symbol", {}, 400),
        ("/v1/symbol", {"name": 7}, 400),
        ("/v1/symbol", [], 400),
        ("/v1/symbol", {"name": "x", "extra": 1}, 400),
        ("/v1/symbol", {"name": "x", "workspace": "/etc"}, 404),
        ("/v1/symbol", {"name": "x", "workspace": "/a\0b"}, 404),
        ("/v1/context", {"files": ["/etc/passwd"]}, 422),
        ("/v1/context", {"files": ["../../etc/passwd"]}, 422),
        ("/v1/impact", {"symbol": "no_such_symbol"}, 422),
        ("/v1/nothing", {}, 404),
        ("/v1/workspaces", {"root": "/no/such/folder"}, 404),
        ("/v1/workspaces", {"root": "relative"}, 404),
    ):
        status, answer = http.post(path, body)
        assert status == expected, (path, body, answer)
        assert "\n" not in answer["error"]
    assert http.raw("POST", "/v1/symbol", b"{no json")[0] == 400
    assert http.raw("DELETE", "/v1/symbol")[0] == 405


def test_strangers_stay_outside(http: HttpServer) -> None:
    body = b'{"name": "total_price"}'
    own = f"127.0.0.1:{http.port}"
    assert http.raw("POST", "/v1/symbol", body)[0] == 200
    assert http.raw("POST", "/v1/symbol", body, Host="evil.example")[0] == 421
    assert http.raw("POST", "/mcp", body, Host="127.0.0.1.evil.example")[0] == 421
    for origin in ("http://evil.example", "null", "http://localhost:1", "http://[", "file://"):
        assert http.raw("POST", "/v1/symbol", body, Origin=origin)[0] == 403, origin
    assert http.raw("POST", "/v1/symbol", body, Origin=f"http://{own}", Host=own)[0] == 200
    _, headers, _ = http.raw("OPTIONS", "/v1/symbol", Origin=f"http://{own}", Host=own)
    assert not [name for name in headers if name.startswith("access-control-")]
    assert http.raw("POST", "/v1/symbol", body, content_type="text/plain")[0] == 415
    assert http.raw("POST", "/v1/symbol", b'{"name":"' + b"x" * (4 << 20) + b'"}')[0] == 413


def test_a_body_that_hides_its_size_is_refused_too(http: HttpServer) -> None:
    with socket.create_connection(("127.0.0.1", http.port), 10) as client:
        head = "POST /v1/symbol HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        client.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        answer = b""
        try:
            for _ in range(80):
                client.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        except OSError:
            pass
        while part := client.recv(4096):
            answer += part
            if b"413" in answer:
                break
    assert b"413" in answer


def test_a_slow_client_does_not_starve_others(http: HttpServer) -> None:
    slow = [socket.create_connection(("127.0.0.1", http.port), 10) for _ in range(20)]
    head = b"POST /v1/symbol HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    try:
        for each in slow:
            each.sendall(head + b"Content-Length: 100\r\n\r\n{")
        began = time.monotonic()
        assert http.post("/v1/symbol", {"name": "total_price"})[0] == 200
        assert time.monotonic() - began < 5.0
    finally:
        for each in slow:
            each.close()


def test_bug_connections_that_say_nothing_kept_everyone_out(http: HttpServer) -> None:
    silent = [socket.create_connection(("127.0.0.1", http.port)) for _ in range(600)]
    try:
        for each in silent[::2]:
            with contextlib.suppress(OSError):  # the first ones had to give way
                each.sendall(b"GET /v1/health HTTP/1.1\r\n")
        for _ in range(3):
            assert http.post("/v1/symbol", {"name": "Cart"})[0] == 200
    finally:
        for each in silent:
            each.close()


def test_bug_open_event_streams_counted_as_questions(http: HttpServer) -> None:
    greeting = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    status, headers, _ = http.raw("POST", "/mcp", json.dumps(greeting).encode())
    assert status == 200
    session = {"mcp-session-id": headers["mcp-session-id"]}
    with contextlib.ExitStack() as opened:
        streams = []
        for _ in range(150):
            connection = HTTPConnection("127.0.0.1", http.port, timeout=30)
            opened.callback(connection.close)
            connection.request("GET", "/mcp", headers=session)
            streams.append(connection.getresponse())
            assert streams[-1].status == 200
        assert http.post("/v1/symbol", {"name": "Cart"})[0] == 200
        assert http.raw("DELETE", "/mcp", **session)[0] == 204
        for stream in streams:  # they end with their session
            assert stream.read().startswith(b": open")


def test_too_many_questions_are_told_to_come_back(http: HttpServer) -> None:
    found: list[int] = []
    after: set[str] = set()

    def ask(number: int) -> None:
        task = {"task": f"fix checkout of the Cart number {number}", "budget": 8000}
        status, headers, _ = http.raw("POST", "/v1/context", json.dumps(task).encode())
        found.append(status)
        if status == 429:
            after.add(headers["retry-after"])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(150)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) <= {200, 429}
    assert after <= {"1"}
    assert http.post("/v1/symbol", {"name": "total_price"})[0] == 200


def test_a_streamed_pack_sends_the_sure_part_first_and_nothing_twice(http: HttpServer) -> None:
    question = {"files": ["shop/cart.py", "shop/price.py"], "budget": 900, "stream": True}
    status, headers, body = http.raw("POST", "/v1/context", json.dumps(question).encode())
    assert status == 200
    assert headers["content-type"].startswith("text/event-stream")
    events = [
        (name.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
        for name, data in (each.split("\n", 1) for each in body.decode().strip().split("\n\n"))
    ]
    assert events[-1][0] == "done"
    parts = [value for name, value in events if name == "part"]
    assert parts
    assert sum(part["tokens"] for part in parts) <= 900
    assert events[-1][1]["pack"] == parts[-1]["pack"]


def test_workspaces_are_registered_listed_and_forgotten(http: HttpServer, tmp_path: Path) -> None:
    other = write_files(tmp_path / "other", {"only.py": "def only_here(): pass\n"})
    status, made = http.post("/v1/workspaces", {"root": str(other)})
    assert status == 201
    listed = [each["root"] for each in http.get("/v1/workspaces")["workspaces"]]
    assert str(other) in listed
    asked = {"name": "only_here", "workspace": made["id"]}
    assert http.post("/v1/symbol", asked)[1]["found"]
    assert not http.post("/v1/symbol", {"name": "only_here"})[1]["found"]
    status, _, body = http.raw("GET", f"/v1/workspaces/{made['id']}/progress")
    assert status == 200
    assert b"event: done" in body
    assert http.get(f"/v1/workspaces/{made['id']}")["files"] == 1
    assert http.raw("DELETE", f"/v1/workspaces/{made['id']}")[0] == 204
    assert http.post("/v1/symbol", asked)[0] == 404


def test_metrics_are_prometheus_text(http: HttpServer) -> None:
    http.post("/v1/symbol", {"name": "total_price"})
    text = http.raw("GET", "/metrics")[2].decode()
    for name in ("index_age_seconds", "files_waiting", "memory_bytes", "answer_seconds_bucket"):
        assert f"\nsonde_{name}" in text
    for line in text.splitlines():
        assert line.startswith("#") or len(line.rsplit(" ", 1)) == 2


def test_the_description_names_every_address(http: HttpServer) -> None:
    told = http.get("/v1/openapi.json")
    assert told == json.loads(json.dumps(description()))
    assert {f"/v1/{name}" for name in QUESTIONS} <= set(told["paths"])


def test_another_address_needs_a_token(tmp_path: Path, repository: Path) -> None:
    done = sonde(tmp_path, "serve", "--repo", str(repository), "--host", "0.0.0.0", "--port", "0")
    assert done.returncode == 2
    assert "can be reached from other machines" in done.stderr


def test_with_a_token_nothing_is_answered_without_it(
    tmp_path: Path, repository: Path, cache: Path
) -> None:
    secret = tmp_path / "token"
    words = ("--repo", str(repository), "--token-file", str(secret))
    with HttpServer(cache, *words) as server:
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        token = secret.read_text().strip()
        assert server.raw("GET", "/v1/workspaces")[0] == 401
        assert server.raw("GET", "/v1/workspaces", Authorization="Bearer wrong")[0] == 401
        assert server.raw("GET", "/v1/workspaces", Authorization=f"Bearer {token}")[0] == 200
        assert server.raw("GET", "/v1/workspaces", Authorization=f"bearer {token}")[0] == 200
        assert server.raw("GET", "/v1/workspaces", Authorization=token)[0] == 401
        assert server.raw("GET", "/v1/health")[0] == 200


def test_bug_a_server_that_was_asked_for_json_told_its_address_in_prose(
    tmp_path: Path, repository: Path
) -> None:
    with HttpServer(tmp_path / "cache", "--json", "--repo", str(repository)) as server:
        assert server.told == {
            "address": f"http://127.0.0.1:{server.port}",
            "workspaces": [str(repository)],
        }


def test_bug_a_line_of_megabytes_was_given_to_git_as_a_range(
    http: HttpServer, repository: Path
) -> None:
    subprocess.run(["git", "init", "-q", repository], check=True)
    status, answer = http.post("/v1/context", {"diff": "x" * 3_000_000})
    assert status == 422
    assert answer["error"].endswith("is not the name of a commit, branch or tag")


def test_bug_a_session_without_arguments_was_an_internal_error(http: HttpServer) -> None:
    for path in ("", "/0/plan", "/0/failure", "/0/more"):
        status, _, body = http.raw("POST", f"/v1/sessions{path}", b"null")
        assert status in (400, 422), (path, body)


def test_the_description_tells_each_status_and_type(http: HttpServer, tmp_path: Path) -> None:
    paths = http.get("/v1/openapi.json")["paths"]
    root = write_files(tmp_path / "more", {"a.py": "def a(): pass\n"})
    id = http.post("/v1/workspaces", {"root": str(root)})[1]["id"]
    one = "/v1/workspaces/{id}"
    for method, path, body in (
        ("GET", "/v1/metrics", None),
        ("GET", "/v1/workspaces", None),
        ("POST", "/v1/workspaces", {"root": str(root)}),
        ("GET", one, None),
        ("GET", f"{one}/progress", None),
        ("POST", f"{one}/events", {"events": []}),
        ("POST", "/v1/context", {"task": "checkout", "stream": True}),
        ("POST", "/v1/sessions", {"task": "checkout"}),
        ("DELETE", one, None),
    ):
        data = None if body is None else json.dumps(body).encode()
        status, headers, _ = http.raw(method, path.replace("{id}", id), data)
        told = paths[path][method.lower()]["responses"][str(status)]
        kind = headers.get("content-type", "").partition(";")[0]
        assert kind in told.get("content", {"": {}}), (method, path, kind)


def test_a_message_that_is_no_json_rpc_was_answered_after_a_minute(http: HttpServer) -> None:
    status, answer = http.post("/mcp", {"id": 1, "method": "ping"})
    assert status == 400
    assert answer["error"]["code"] == -32600


def test_bug_a_refused_method_was_not_told_which_are_allowed(http: HttpServer) -> None:
    wrong = {
        ("DELETE", "/v1/symbol"): "POST",
        ("DELETE", "/v1/workspaces"): "GET, HEAD, POST",
        ("POST", http.workspace): "DELETE, GET, HEAD",
        ("PUT", "/mcp"): "DELETE, GET, HEAD, POST",
    }
    for (method, path), allowed in wrong.items():
        status, headers, _ = http.raw(method, path, b"{}")
        assert (status, headers["allow"]) == (405, allowed)
