"""Batches of messages, which one version of the protocol has and the others refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from served_repository import HttpServer, StdioServer

BATCHING = "2025-03-26"


def asked(id: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def greeting(version: str) -> dict[str, Any]:
    who = {"name": "test", "version": "1"}
    return asked(0, "initialize", protocolVersion=version, capabilities={}, clientInfo=who)


NOTICE = {"jsonrpc": "2.0", "method": "notifications/initialized"}
MIXED = [
    asked(1, "ping"),
    NOTICE,
    asked("two", "tools/call", name="symbol", arguments={"name": "Cart"}),
    asked(3, "no/such"),
    7,
    asked(4, "initialize", protocolVersion=BATCHING),
]


def by_id(answers: list[Any]) -> dict[Any, Any]:
    assert len({each["id"] for each in answers}) == len(answers)
    return {each["id"]: each for each in answers}


def check_mixed(answers: list[Any]) -> None:
    found = by_id(answers)
    assert set(found) == {1, "two", 3, None, 4}
    assert found[1]["result"] == {}
    assert "class Cart" in found["two"]["result"]["content"][0]["text"]
    assert [found[id]["error"]["code"] for id in (3, None, 4)] == [-32601, -32600, -32600]


def test_bug_batches_were_refused_in_the_version_that_requires_them(
    repository: Path, cache: Path
) -> None:
    with StdioServer(cache, "--repo", str(repository)) as server:
        server.send(greeting(BATCHING))
        assert server.answer(0)["result"]["protocolVersion"] == BATCHING
        server.send([NOTICE])  # asks nothing, so nothing is answered
        server.send(MIXED)
        while isinstance(answers := server.messages.get(timeout=30), dict):
            assert "method" in answers  # a notice of the server's own
        check_mixed(answers)
        server.send([])
        assert server.answer(None)["error"]["code"] == -32600
        server.send([asked(1, "ping")] * 1001)
        assert server.answer(None)["error"]["code"] == -32600
        assert server.request("ping")["result"] == {}


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2024-11-05"])
def test_other_versions_have_no_batches(repository: Path, cache: Path, version: str) -> None:
    with StdioServer(cache, "--repo", str(repository)) as server:
        server.send([asked(1, "ping")])  # before anything was agreed on
        assert server.answer(None)["error"]["code"] == -32600
        server.send(greeting(version))
        assert server.answer(0)["result"]["protocolVersion"] == version
        server.send([asked(1, "ping")])
        assert server.answer(None)["error"]["code"] == -32600


def test_a_batch_over_http_is_answered_by_one_body(http: HttpServer) -> None:
    def post(value: Any, **headers: str) -> tuple[int, dict[str, str], Any]:
        status, told, body = http.raw("POST", "/mcp", json.dumps(value).encode(), **headers)
        return status, told, json.loads(body) if body else None

    assert post(MIXED)[0] == 400
    session = {"mcp_session_id": post(greeting(BATCHING))[1]["mcp-session-id"]}
    assert post([NOTICE], **session)[0] == 202
    status, _, answers = post(MIXED, **session)
    assert status == 200
    check_mixed(answers)
    assert post([], **session)[0] == 400
    other = {"mcp_session_id": post(greeting("2025-06-18"))[1]["mcp-session-id"]}
    assert post(MIXED, **other)[0] == 400
