"""File events and unsaved buffers."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import Any

import pytest
from served_repository import FILES, HttpServer, write_files

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.serve.arguments import Arguments
from sonde.serve.asking import answered
from sonde.serve.events import take_events
from sonde.serve.served import Served


def _send(http: HttpServer, *events: dict[str, Any]) -> tuple[int, Any]:
    return http.post(f"{http.workspace}/events", {"events": list(events)})


def _finds(http: HttpServer, name: str) -> list[Any]:
    found: list[Any] = http.post("/v1/symbol", {"name": name})[1]["found"]
    return found


def test_a_buffer_is_seen_until_it_is_closed_and_never_by_the_disk(
    http: HttpServer, repository: Path, cache: Path
) -> None:
    text = "def unsaved_price(lines):\n    return 'only_in_the_buffer'\n"
    told = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    event = {"type": "changed", "file_path": "shop/price.py", "content": text}
    assert _send(http, {**event, "content_hash": told})[0] == 202
    assert _finds(http, "unsaved_price")
    assert not _finds(http, "total_price")
    lines = http.post("/v1/search", {"query": "only_in_the_buffer"})[1]["lines"]
    assert [line["file"] for line in lines] == ["shop/price.py"]
    pack = http.post("/v1/context", {"task": "what does `unsaved_price` do"})[1]
    assert "only_in_the_buffer" in pack["text"]
    assert "unsaved" not in (repository / "shop/price.py").read_text()
    assert list((cache / "workspaces").glob("*-buffers-*"))
    assert _send(http, {"type": "closed", "file_path": "shop/price.py"})[1]["buffers"] == 0
    assert _finds(http, "total_price")
    assert not _finds(http, "unsaved_price")
    assert not list((cache / "workspaces").glob("*-buffers-*"))


def test_an_unsaved_buffer_counts_as_changed_now(http: HttpServer, repository: Path) -> None:
    for path in repository.rglob("*.py"):
        os.utime(path, (0, 0))
    assert http.post("/v1/search", {"query": "price since:1d"})[1]["lines"] == []
    text = "def unsaved_price(lines):\n    return lines\n"
    event = {"file_path": "shop/price.py"}
    _send(http, {**event, "type": "changed", "content": text})
    found = http.post("/v1/search", {"query": "price since:1d"})[1]
    assert [each["name"] for each in found["symbols"]] == ["unsaved_price"]
    assert {each["file"] for each in found["lines"]} == {"shop/price.py"}
    _send(http, {**event, "type": "closed"})


def test_buffers_of_an_editor_that_disappeared_stayed_until_the_server_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sonde.serve.buffers._KEPT", 1.0)
    root = write_files(tmp_path / "work", FILES)
    rules = DiscoverRules(excludes_file=None)
    served = Served(root, Settings(tmp_path / "cache", rules, workers=1))
    event = {"type": "changed", "file_path": "shop/price.py", "content": "def unsaved(): pass\n"}

    def finds(name: str) -> bool:
        return served.ask(lambda engine: bool(answered(engine.symbol(name)).found)).result(60)

    def buffers() -> list[Path]:
        return list((tmp_path / "cache" / "workspaces").glob("*-buffers-*"))

    try:
        assert take_events(served, Arguments({"events": [event]})) == {"taken": 1, "buffers": 1}
        for _ in range(6):  # it says nothing new, and yet lives
            time.sleep(0.3)
            assert take_events(served, Arguments({"events": []})) == {"taken": 0, "buffers": 1}
        assert buffers()
        deadline = time.monotonic() + 30
        while buffers():  # nobody asks
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert finds("total_price")
        assert not finds("unsaved")
        monkeypatch.setattr("sonde.serve.buffers._KEPT", 60.0)  # the rest may take its time
        told = take_events(served, Arguments({"events": [event]}))
        assert told == {"taken": 1, "buffers": 1, "forgotten": ["shop/price.py"]}
        assert finds("unsaved")
        assert "forgotten" not in take_events(served, Arguments({"events": []}))
    finally:
        served.close()


def test_each_state_of_a_buffer_is_seen_at_once(http: HttpServer) -> None:
    path = "shop/typed/letters.py"
    for number in range(6):
        text = f"def typed_{number}(): pass\n"
        assert _send(http, {"type": "changed", "file_path": path, "content": text})[0] == 202
        assert _finds(http, f"typed_{number}"), number
        assert not _finds(http, f"typed_{number - 1}")
        assert _finds(http, "total_price")
    assert _send(http, {"type": "closed", "file_path": path})[1]["buffers"] == 0
    assert not _finds(http, "typed_5")


def test_a_buffer_of_a_file_that_does_not_exist_yet(http: HttpServer) -> None:
    event = {"type": "opened", "file_path": "shop/brand_new.py", "content": "def newest(): pass\n"}
    assert _send(http, event)[0] == 202
    assert _finds(http, "newest")[0]["record"]["file"] == "shop/brand_new.py"
    assert _send(http, {"type": "closed", "file_path": "shop/brand_new.py"})[0] == 202
    assert not _finds(http, "newest")


def test_events_of_saved_files_are_taken_in_batches(http: HttpServer, repository: Path) -> None:
    place = repository / "shop" / "saved.py"
    place.write_text("def saved_function(): pass\n")
    stamp = "2025-12-30T10:35:12Z"
    events = [{"type": "created", "file_path": "shop/saved.py", "timestamp": stamp}] * 3
    assert _send(http, *events) == (202, {"taken": 3, "buffers": 0})
    assert _finds(http, "saved_function")
    place.unlink()
    assert _send(http, {"type": "deleted", "file_path": "shop/saved.py"})[0] == 202
    assert not _finds(http, "saved_function")


def test_a_text_that_was_overtaken_by_a_newer_one_replaced_it(http: HttpServer) -> None:
    def event(second: int, kind: str, **content: str) -> dict[str, str]:
        stamp = f"2025-12-30T10:35:{second:02}Z"
        return {"type": kind, "file_path": "shop/price.py", "timestamp": stamp, **content}

    newer = event(12, "changed", content="def newer_price(): pass\n")
    assert _send(http, newer)[1] == {"taken": 1, "buffers": 1}
    older = event(11, "changed", content="def older_price(): pass\n")
    assert _send(http, older)[1] == {"taken": 0, "buffers": 1, "late": 1}
    assert _send(http, event(10, "closed"))[1]["buffers"] == 1
    assert _finds(http, "newer_price")
    assert not _finds(http, "older_price")
    assert _send(http, event(13, "closed"))[1] == {"taken": 1, "buffers": 0}


def test_files_that_wait_for_their_batch_were_not_counted(http: HttpServer) -> None:
    events = [{"type": "modified", "file_path": f"shop/{name}.py"} for name in ("cart", "none")]
    assert _send(http, *events)[0] == 202
    text = http.raw("GET", "/metrics")[2].decode()
    (line,) = [each for each in text.splitlines() if each.startswith("sonde_files_waiting{")]
    assert int(line.split()[-1]) >= 2


def test_events_outside_the_workspace_or_of_no_known_type_are_refused(http: HttpServer) -> None:
    for event in (
        {"type": "changed", "file_path": "../outside.py", "content": "x"},
        {"type": "changed", "file_path": "/etc/passwd", "content": "x"},
        {"type": "changed", "file_path": "", "content": "x"},
        {"type": "changed", "file_path": "a\0b", "content": "x"},
        {"type": "changed", "file_path": "a.py"},
        {"type": "renamed", "file_path": "a.py"},
        {"file_path": "a.py"},
        {"type": "changed", "file_path": "a.py", "content": "x", "content_hash": "sha256:00"},
        {"type": "closed", "file_path": "a.py", "content": "x"},
        {"type": "modified", "file_path": "a.py", "timestamp": "yesterday"},
        {"type": "modified", "file_path": "a.py", "timestamp": 1735554912},
        {"type": "changed", "file_path": "shop/cart.py/below.py", "content": 5},
        "no event",
    ):
        status, answer = _send(http, event)  # type: ignore[arg-type]
        assert status == 400, (event, answer)
    assert http.post(f"{http.workspace}/events", {"events": 5})[0] == 400


def test_unsaved_text_of_a_folder_stood_in_the_way_of_all_files_in_it(http: HttpServer) -> None:
    event = {"type": "opened", "file_path": "shop", "content": "x"}
    assert _send(http, event) == (400, {"error": "'shop' is a folder: name a file"})


def test_a_deleted_folder_of_an_open_buffer_was_an_internal_error(http: HttpServer) -> None:
    opened = {"type": "changed", "file_path": "shop/cart.py", "content": "def unsaved(): ...\n"}
    assert _send(http, opened)[0] == 202
    for path in ("shop", "shop/cart.py/below.py", "x" * 300):
        assert _send(http, {"type": "deleted", "file_path": path})[0] == 202, path
    assert _finds(http, "unsaved")
    assert _send(http, {"type": "closed", "file_path": "shop/cart.py"})[0] == 202
