"""Whatever arrives, the server answers it and lives."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from served_repository import StdioServer

from sonde.serve.roots import Roots
from sonde.serve.workspaces import Workspaces

COUNT = 600  # `make bench-serve` sends ten thousand


def bad_messages(count: int) -> list[bytes]:
    """Messages that are no JSON, no JSON-RPC, of wrong types, or too deep; each wants an answer."""
    chance = random.Random(7)
    kinds = [
        b"{",
        b"[]",
        b"null",
        b"7",
        b'"text"',
        b"\xff\xfe\x00",
        b"[" * 5000,
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":7}',
        b'{"jsonrpc":"2.0","id":1,"method":"no/such"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"symbol","arguments":3}}',
        b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"fix"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"symbol","arguments":'
        b'{"name":"\\ud800"}}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":'
        b'{"query":"(","regex":true}}}',
    ]
    return [chance.choice(kinds) for _ in range(count)]


def test_each_malformed_message_is_answered_and_the_server_lives(stdio: StdioServer) -> None:
    for message in bad_messages(COUNT):
        stdio.write(message)
        answer = _next(stdio)
        assert "error" in answer or answer["result"].get("isError") or "found" in str(answer)
    assert stdio.request("ping")["result"] == {}


def test_a_request_without_its_version_was_refused_without_its_id(stdio: StdioServer) -> None:
    stdio.write(b'{"id":"mine","method":"ping"}')
    answer = _next(stdio)
    assert (answer["id"], answer["error"]["code"]) == ("mine", -32600)


def test_an_oversized_message_is_refused_and_the_next_one_read(stdio: StdioServer) -> None:
    stdio.write(b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"' + b"a" * (5 << 20) + b'"}')
    assert "longer than" in _next(stdio)["error"]["message"]
    assert stdio.request("ping")["result"] == {}


def test_a_cancelled_question_is_given_up_and_the_server_goes_on(stdio: StdioServer) -> None:
    for id in range(1000, 1030):
        params = {"name": "context", "arguments": {"task": f"fix checkout of the Cart {id}"}}
        stdio.send({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        cancel = {"requestId": id, "reason": "changed my mind"}
        stdio.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
    answers = {stdio.answer(id, 30.0)["id"] for id in range(1000, 1030)}
    assert answers == set(range(1000, 1030))
    assert stdio.request("ping")["result"] == {}


def test_notifications_are_never_answered(stdio: StdioServer) -> None:
    for params in ({}, [], None, {"requestId": {}}, {"requestId": 12345}):
        message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
        stdio.send(message)
    stdio.send({"jsonrpc": "2.0", "method": "notifications/no/such"})
    stdio.send({"jsonrpc": "2.0", "id": "stray", "result": {}})
    assert stdio.request("ping")["result"] == {}
    assert not [each for each in stdio.unasked if "id" in each]


def _next(server: StdioServer) -> dict[str, object]:
    while True:
        message: dict[str, object] = server.messages.get(timeout=5)
        if "method" not in message:
            return message


def test_roots_that_are_no_addresses_ended_the_server(tmp_path: Path) -> None:
    workspaces = Workspaces(tmp_path / "cache")
    roots = Roots(workspaces, None, fixed=False)
    asked: list[dict[str, Any]] = []
    roots.ask(asked.append)
    uris = ("file://[", "file:///%00", "file://elsewhere/x", "http://[", "\ud800", 7)
    roots.answered(asked[0]["id"], {"roots": [{"uri": uri} for uri in uris]})
    assert not roots.pending
    assert workspaces.all() == []
