"""MCP over standard input and output, as a client sees it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from served_repository import StdioServer, processes_of_session, write_files

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.pack.tokens import TokenCounter
from sonde.serve.reading import map_lines
from sonde.serve.schemas import TOOL_SCHEMAS
from sonde.store.errors import Problem
from sonde.store.lock import writer_lock


def test_initialize_is_answered_before_anything_is_indexed(tmp_path: Path) -> None:
    many = {f"pack{i}/mod{j}.py": f"def f{i}_{j}(): pass\n" for i in range(10) for j in range(40)}
    root = write_files(tmp_path / "work", many)
    with StdioServer(tmp_path / "cache", "--repo", str(root)) as server:
        answer = server.greet()
        assert answer["result"]["serverInfo"]["name"] == "sonde"
        assert answer["result"]["protocolVersion"] == "2025-06-18"
        text, failed = server.call("symbol", name="f3_7")
        assert not failed
        assert "pack3/mod7.py" in text or "indexed so far" in text


def test_there_are_at_most_six_tools_within_two_thousand_tokens(stdio: StdioServer) -> None:
    tools = stdio.request("tools/list")["result"]["tools"]
    names = [tool["name"] for tool in tools]
    assert names == ["context", "symbol", "search", "impact", "tests", "feedback"]
    assert TokenCounter().count(json.dumps(tools)) <= 2000
    assert tools == TOOL_SCHEMAS


def test_every_tool_answers(stdio: StdioServer) -> None:
    assert "def checkout" in stdio.call("context", task="fix checkout of the Cart")[0]
    text, _ = stdio.call("symbol", name="total_price")
    assert "Cart.checkout (shop/cart.py:12)" in text
    assert "return sum(lines)" in text
    assert "total_price (shop/price.py:4)" in stdio.call("search", query="total_price")[0]
    assert "Cart.checkout" in stdio.call("impact", symbol="total_price")[0]
    tested, _ = stdio.call("tests", files=["shop/cart.py"])
    assert "tests/test_cart.py::test_checkout_of_an_empty_cart" in tested
    kept, failed = stdio.call("feedback", pack="0123", useful=["Cart.checkout"])
    assert not failed, kept


def test_a_name_that_an_answer_prints_can_be_asked_for(stdio: StdioServer) -> None:
    text, failed = stdio.call("symbol", name="Cart.checkout (shop/cart.py:12)")
    assert not failed
    assert "method Cart.checkout" in text


def test_an_unknown_name_is_said_to_be_unknown(stdio: StdioServer) -> None:
    assert (
        "not found: total_prize; near names: total_price"
        in stdio.call("symbol", name="total_prize")[0]
    )


def test_no_answer_exceeds_its_budget(stdio: StdioServer) -> None:
    count = TokenCounter().count
    for budget in (200, 260, 400):
        for tool, arguments in (
            ("context", {"task": "checkout of the Cart"}),
            ("symbol", {"name": "Cart"}),
            ("search", {"query": "cart"}),
            ("impact", {"symbol": "total_price"}),
            ("tests", {"files": ["shop/cart.py"]}),
        ):
            text, _ = stdio.call(tool, budget=budget, **arguments)
            assert count(text) <= budget, (tool, budget)


def test_more_continues_a_pack_without_repeating_it(stdio: StdioServer) -> None:
    first, _ = stdio.call("context", files=["shop/cart.py", "shop/price.py"], budget=260)
    root = first.partition("pack: ")[2].partition(" ")[0]
    more, failed = stdio.call("context", more=root, budget=2000)
    assert not failed, more
    shown = [name for name in ("total_price(lines", "class Cart", "def checkout") if name in first]
    assert shown
    assert not any(f"[method] Cart.{name}" in more for name in shown)
    assert stdio.call("context", more="ffff")[1]


def test_why_is_an_option_of_context(stdio: StdioServer) -> None:
    text, _ = stdio.call("context", task="fix checkout of the Cart", why="Cart.checkout")
    assert "rank 1 of" in text
    assert "score " in text


def test_bad_arguments_are_told_in_one_line_and_the_next_call_works(stdio: StdioServer) -> None:
    for arguments in (
        {},
        {"task": 7},
        {"task": "x", "files": ["y"]},
        {"task": "x", "budget": "many"},
        {"task": "x", "budget": True},
        {"task": "x", "colour": "red"},
        {"files": ["../../etc/passwd"]},
        {"files": ["/etc/passwd"]},
        {"task": "x", "workspace": "/etc"},
        {"diff": "nothing..nowhere"},
    ):
        text, failed = stdio.call("context", **arguments)
        assert failed, arguments
        assert "\n" not in text
        assert "Traceback" not in text
    assert "def checkout" in stdio.call("context", task="fix checkout of the Cart")[0]


def test_repository_text_is_framed_and_nothing_in_it_is_hidden(stdio: StdioServer) -> None:
    text, _ = stdio.call("symbol", name="hostile_text")
    opening = text.partition(">")[0].removeprefix("<")
    assert opening.startswith("sonde-")
    assert text.endswith(f"</{opening}>")
    assert text.count(f"</{opening}>") == 1
    assert "\u202e" not in text
    assert "\\u202e" in text


def test_resources_and_prompts(stdio: StdioServer) -> None:
    listed = [each["uri"] for each in stdio.request("resources/list")["result"]["resources"]]
    assert listed == ["sonde://status", "sonde://map"]
    stdio.call("search", query="cart")

    def read(uri: str) -> str:
        answer = stdio.request("resources/read", {"uri": uri})
        text: str = answer["result"]["contents"][0]["text"]
        return text

    assert json.loads(read("sonde://status"))["files"] == 4
    assert "shop: 3 files" in read("sonde://map")
    pack = stdio.call("context", task="fix checkout of the Cart")[0]
    root = pack.partition("pack: ")[2].partition(" ")[0]
    assert "def checkout" in read(f"sonde://pack/{root}")
    assert stdio.request("resources/read", {"uri": "sonde://nothing"})["error"]["code"] == -32002
    names = [each["name"] for each in stdio.request("prompts/list")["result"]["prompts"]]
    assert names == ["fix", "review", "refactor"]
    got = stdio.request("prompts/get", {"name": "fix", "arguments": {"problem": "it {goal} burns"}})
    assert "it {goal} burns" in got["result"]["messages"][0]["content"]["text"]


def test_bug_a_pack_read_by_its_address_was_not_framed(stdio: StdioServer) -> None:
    pack = stdio.call("context", task="fix checkout of the Cart")[0]
    root = pack.partition("pack: ")[2].partition(" ")[0]
    answer = stdio.request("resources/read", {"uri": f"sonde://pack/{root}"})
    assert answer["result"]["contents"][0]["text"] == pack


def test_bug_the_address_of_no_symbol_was_an_internal_error(stdio: StdioServer) -> None:
    error = stdio.request("resources/read", {"uri": "sonde://symbol/"})["error"]
    assert error["code"] == -32002
    assert error["message"] == "name must be a text that is not empty"


def test_bug_the_map_of_a_folder_that_is_gone_was_an_internal_error(tmp_path: Path) -> None:
    root = write_files(tmp_path / "work", {"a.py": "def before(): pass\n"})
    with StdioServer(tmp_path / "cache", "--repo", str(root)) as server:
        server.greet()
        server.call("symbol", name="before")
        root.rename(tmp_path / "away")
        gone = f"{root} is not a folder that can be read"
        error = server.request("resources/read", {"uri": "sonde://map"})["error"]
        assert error == {"code": -32002, "message": gone}
        assert server.call("symbol", name="before") == (gone, True)


def test_bug_a_broken_settings_file_was_reported_as_an_empty_index(tmp_path: Path) -> None:
    root = write_files(tmp_path / "work", {"a.py": "x = 1\n", "sonde.toml": 'cache = "x\n'})
    with StdioServer(tmp_path / "cache", "--repo", str(root)) as server:
        server.greet()
        answer = server.request("resources/read", {"uri": "sonde://status"})
        told = json.loads(answer["result"]["contents"][0]["text"])
        assert told["state"] == "unusable"
        assert told["problem"].startswith("sonde.toml: ")


def test_bug_the_map_did_not_say_that_files_were_not_refreshed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_files(tmp_path / "work", {"shop/a.py": "def before(): pass\n"})
    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=1)
    monkeypatch.setattr("sonde.answers.state._PATIENCE", 0.05)
    with Engine(root, settings) as engine:
        assert map_lines(engine) == ["shop: 1 files, 2 symbols"]
        write_files(root, {"shop/a.py": "def after(): pass\n"})
        place = engine.place()
        assert not isinstance(place, Problem)
        with writer_lock(place.lock, 1.0):
            assert map_lines(engine) == ["not refreshed: shop/a.py", "shop: 1 files, 2 symbols"]


def test_bug_hints_named_options_of_the_command_line(stdio: StdioServer) -> None:
    text, failed = stdio.call("impact", symbol="qqqzzzqqq")
    assert failed
    assert text == "no symbol named 'qqqzzzqqq' in this workspace; try 'search'"
    text, _ = stdio.call("context", task="total_price", budget=300)
    assert "more symbol" in text
    assert ": budget 16000" in text
    assert "--" not in text.partition("more symbol")[2].partition("\n")[0]


@pytest.mark.parametrize("folder", ["/", "home"])
def test_bug_started_without_a_folder_the_whole_disk_was_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    home = tmp_path / "home"
    (home / "notes").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    place = home if folder == "home" else Path("/")
    with StdioServer(tmp_path / "cache", cwd=place) as server:
        server.greet()
        text, failed = server.call("context", task="fix checkout of the Cart")
        assert failed
        assert text == (
            f"{place} is no project but all there is: name a folder in it as a root, or start"
            " 'sonde mcp --repo DIR'"
        )
        status = server.request("resources/read", {"uri": "sonde://status"})
        assert status["error"] == {"code": -32002, "message": text}


def test_the_clients_roots_are_served(tmp_path: Path, repository: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    with StdioServer(tmp_path / "cache", cwd=away) as server:
        server.greet(roots={"listChanged": True})
        asked = server.messages.get(timeout=10)
        assert asked["method"] == "roots/list"
        server.send({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {
            "name": "symbol", "arguments": {"name": "total_price"}}})  # fmt: skip
        roots = [{"uri": repository.as_uri(), "name": "shop"}, {"uri": "http://elsewhere"}]
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}})
        text = server.answer(99)["result"]["content"][0]["text"]
        assert "return sum(lines)" in text


def test_bug_a_root_that_the_client_had_taken_back_was_still_answered_about(
    tmp_path: Path, repository: Path
) -> None:
    here = write_files(tmp_path / "here", {"own.py": "def own_function(): pass\n"})
    with StdioServer(tmp_path / "cache", cwd=here) as server:
        server.greet(roots={"listChanged": True})
        roots = [{"uri": repository.as_uri()}]
        asked = server.messages.get(timeout=10)
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}})
        assert "return sum(lines)" in server.call("symbol", name="total_price")[0]
        server.send({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
        while asked.get("method") != "roots/list" or asked["id"] == "sonde-roots-1":
            asked = server.messages.get(timeout=10)
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": []}})
        assert "not found: total_price" in server.call("symbol", name="total_price")[0]
        assert "def own_function" in server.call("symbol", name="own_function")[0]
        text, failed = server.call("symbol", name="total_price", workspace=str(repository))
        assert failed
        assert "is served (served:" in text


def test_stdout_carries_protocol_only_and_an_edit_is_seen_by_the_next_call(
    tmp_path: Path,
) -> None:
    root = write_files(tmp_path / "work", {"a.py": "def before(): pass\n"})
    with StdioServer(tmp_path / "cache", "--repo", str(root)) as server:
        server.greet()
        assert "before (a.py:1)" in server.call("symbol", name="before")[0]
        (root / "a.py").write_text("def after(): pass\n")
        assert "not found" in server.call("symbol", name="before")[0]
        assert "after (a.py:1)" in server.call("symbol", name="after")[0]
        assert all(message["jsonrpc"] == "2.0" for message in server.unasked)


def test_a_client_that_goes_away_ends_the_server_within_two_seconds(
    repository: Path, cache: Path
) -> None:
    with StdioServer(cache, "--repo", str(repository)) as server:
        server.greet()
        server.input.close()
        began = time.monotonic()
        assert server.process.wait(10) == 0
        assert time.monotonic() - began < 2.0


def test_no_process_is_left_after_starts_and_stops_in_the_middle_of_an_index(
    tmp_path: Path,
) -> None:
    many = {f"m{i}.py": f"def f{i}(): pass\n" * 20 for i in range(120)}
    root = write_files(tmp_path / "work", many)
    sessions = []
    for _ in range(5):
        with StdioServer(tmp_path / "cache", "--repo", str(root)) as server:
            server.greet()
            time.sleep(0.3)
            sessions.append(server.process.pid)
    deadline = time.monotonic() + 2.0
    while (left := [p for each in sessions for p in processes_of_session(each)]) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.05)
    assert not left
