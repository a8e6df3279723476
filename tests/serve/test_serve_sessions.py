"""Sessions over MCP and HTTP: passes, memory, and that an id is needed."""

from __future__ import annotations

import re

import yaml
from served_repository import HttpServer, StdioServer

FAILED = (
    "=== FAILURES ===\ntests/test_cart.py:5: AssertionError\n"
    "FAILED tests/test_cart.py::test_checkout_of_an_empty_cart - assert 1 == 0\n1 failed in 0.01s\n"
)
TASK = "fix checkout of the Cart when it is empty"


def body(text: str) -> dict[str, object]:
    """The pack between its marks."""
    inside = re.fullmatch(r"<sonde-\w+> [^\n]*\n(.*)\n</sonde-\w+>", text, re.S)
    assert inside is not None, text
    return yaml.safe_load(inside[1])


def test_an_agent_goes_through_a_session_with_one_tool(stdio: StdioServer) -> None:
    editor = {
        "current_file": "shop/cart.py",
        "selection": [12, 14],
        "diagnostics": [{"file": "shop/cart.py", "line": 14, "message": "may be empty"}],
        "git": False,
    }
    text, failed = stdio.call("context", task=TASK, session="new", editor=editor)
    assert not failed, text
    first = body(text)
    assert "def checkout" in first["content"]
    id = first["session"]
    plan = body(stdio.call("context", session=id, plan=["change total_price", "add tests"])[0])
    assert plan["pass"] == "2 plan"
    failure = body(stdio.call("context", session=id, failure=FAILED)[0])
    assert failure["failures"][0]["test"].endswith("test_checkout_of_an_empty_cart")
    again = body(stdio.call("context", session=id, more="Cart.checkout")[0])
    assert "def checkout" in again["evidence"][0]["content"]
    said, failed = stdio.call("feedback", session=id, useful=["Cart.checkout"])
    assert not failed, said
    assert "ended" in said
    assert stdio.call("context", session=id, more="next")[1], "an ended session is gone"


def test_a_session_survives_a_restart_of_its_server(repository, cache, stdio: StdioServer) -> None:
    id = body(stdio.call("context", task=TASK, session="new")[0])["session"]
    with StdioServer(cache, "--repo", str(repository)) as other:
        other.greet()
        text, failed = other.call("context", session=id, failure=FAILED)
    assert not failed
    assert "(pass 1)" in text


def test_a_session_is_opened_by_its_id_only(stdio: StdioServer) -> None:
    stdio.call("context", task=TASK, session="new")
    for id in ("last", "0" * 16, "../index", ""):
        assert stdio.call("context", session=id, more="next")[1], id


def test_arguments_of_sessions_are_refused_where_they_mean_nothing(stdio: StdioServer) -> None:
    for arguments in (
        {"task": TASK, "plan": ["a"]},
        {"session": "new"},
        {"session": "0" * 16},
        {"session": "0" * 16, "more": "next", "task": TASK},
        {"session": "new", "task": TASK, "failure": "b"},
        {"session": "new", "task": TASK, "files": ["shop/cart.py"]},
        {"session": "0" * 16, "plan": ["a"], "failure": "b"},
        {"task": TASK, "session": "new", "editor": {"selection": [1]}},
        {"task": TASK, "session": "new", "editor": {"current_file": "/etc/passwd"}},
        {"task": TASK, "session": "new", "editor": "vim"},
    ):
        text, failed = stdio.call("context", **arguments)
        assert failed, arguments
        assert "\n" not in text


def test_a_session_is_a_resource_over_http(http: HttpServer) -> None:
    status, first = http.post("/v1/sessions", {"task": TASK, "budget": 900})
    assert status == 201
    assert first["tokens"] <= 900
    one = f"/v1/sessions/{first['session']}"
    assert http.post(f"{one}/plan", {"steps": ["change total_price"]})[1]["pass"] == 2
    assert http.post(f"{one}/failure", {"output": FAILED})[1]["kind"] == "failure"
    assert http.post(f"{one}/failure", {"output": ""}) == (
        400,
        {"error": "output must be a text that is not empty"},
    )
    assert http.post(f"{one}/plan", {"steps": 5}) == (
        400,
        {"error": "steps must be a list of texts"},
    )
    assert http.post(f"{one}/more", {"names": ["Cart.checkout"]})[0] == 200
    assert http.post(f"{one}/plan", {})[0] == 400
    status, _, raw = http.raw("GET", one)
    assert status == 200
    assert b"Cart.checkout" in raw
    assert http.raw("GET", "/v1/sessions/0000000000000000")[0] == 422
    assert http.raw("GET", "/v1/sessions")[0] == 405
    status, _, raw = http.raw("DELETE", one)
    assert (status, b'"passes": 4' in raw or b'"passes":4' in raw) == (200, True)
    assert http.raw("GET", one)[0] == 422
