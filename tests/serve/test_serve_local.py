"""Commands and a running server: the same answers, with or without it."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import yaml
from served_repository import HttpServer, environment, sonde

from sonde.engine import Engine
from sonde.serve.local import LocalServer
from sonde.serve.place import socket_path
from sonde.serve.reading import status
from sonde.serve.served import Served

FAILED = (
    "=== FAILURES ===\ntests/test_cart.py:5: AssertionError\n"
    "FAILED tests/test_cart.py::test_checkout_of_an_empty_cart - assert 1 == 0\n1 failed in 0.01s\n"
)
COMMANDS = (
    ("context", "fix checkout of the Cart"),
    ("context", "--files", "shop/cart.py", "--budget", "600", "--format", "markdown"),
    ("rank", "checkout"),
    ("why", "fix checkout of the Cart", "Cart.checkout"),
    ("symbol", "total_price"),
    ("symbol", "no_such_name"),
    ("search", "price", "--limit", "3"),
    ("impact", "total_price"),
    ("tests", "--files", "shop/cart.py"),
    ("flow", "Cart.checkout", "total_price"),
    ("symbol",),
    ("context", "--files", "../outside.py"),
)


@pytest.fixture(scope="module")
def running(repository: Path, cache: Path) -> Iterator[HttpServer]:
    """A server whose first index is there."""
    with HttpServer(cache, "--repo", str(repository)) as server:
        assert b"event: done" in server.raw("GET", f"{server.workspace}/progress")[2]
        yield server


def test_a_server_gives_the_answers_that_a_command_finds_alone(
    running: HttpServer, repository: Path, cache: Path
) -> None:
    before = _answered(running)
    for words in COMMANDS:
        served = sonde(cache, *words, cwd=repository)
        alone = sonde(cache, *words, cwd=repository, env={"SONDE_ALONE": "1"})
        assert (served.returncode, served.stdout) == (alone.returncode, alone.stdout), words
        assert served.stderr == alone.stderr, words
    assert _answered(running) == before + len(COMMANDS)


def test_standard_input_and_relative_files_reach_the_server(
    running: HttpServer, repository: Path, cache: Path, tmp_path: Path
) -> None:
    typed = sonde(cache, "context", "-", cwd=repository, input="fix checkout of the Cart")
    assert "def checkout" in typed.stdout
    patch = "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -6 +6 @@\n-    return 0\n"
    (tmp_path / "change.diff").write_text(patch + "+    return sum(lines)\n")
    words = ("context", "--diff", "change.diff", "--repo", str(repository))
    assert "total_price" in sonde(cache, *words, cwd=tmp_path).stdout


def test_a_session_through_the_server_is_the_session_alone(
    running: HttpServer, repository: Path, cache: Path, tmp_path: Path
) -> None:
    (tmp_path / "pytest.log").write_text(FAILED)
    alone = {"SONDE_ALONE": "1"}
    packs: list[list[str]] = []
    before = _answered(running)
    for env in ({}, alone):
        asked = partial(sonde, cache, cwd=tmp_path, env=env)
        at = ("--repo", str(repository))
        begun = asked("session", "start", "fix checkout of the Cart", "--no-git", *at)
        id = yaml.safe_load(begun.stdout)["session"]
        rest = [
            asked("session", "plan", id, "change Cart.checkout", "add a test", *at),
            asked("session", "failure", id, "pytest.log", *at),
            asked("session", "failure", id, "-", *at, input=FAILED),
            asked("session", "more", id, "Cart.checkout", *at),
            asked("session", "end", id, "--no-git", *at),
        ]
        # The id is part of what is counted and quoted: its digits decide how.
        named = [re.sub(f'"?{id}"?', "ID", done.stdout) for done in (begun, *rest)]
        packs.append([re.sub(r"\d+ tokens", "tokens", text) for text in named])
        assert [done.stderr for done in (begun, *rest)] == [""] * 6
    served, by_itself = packs
    assert "test_checkout_of_an_empty_cart" in served[2]
    assert served == by_itself
    assert _answered(running) == before + 6


def test_an_edit_is_seen_through_the_server(
    running: HttpServer, repository: Path, cache: Path
) -> None:
    place = repository / "shop" / "late.py"
    place.write_text("def added_late(): pass\n")
    try:
        assert "shop/late.py" in sonde(cache, "symbol", "added_late", cwd=repository).stdout
    finally:
        place.unlink()


def test_only_the_owner_can_use_the_socket(
    running: HttpServer, repository: Path, cache: Path
) -> None:
    path = Path(socket_path(str(cache), str(repository)))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_cache_with_a_long_name_has_its_socket_elsewhere() -> None:
    near, far = socket_path("/home/me/.cache/sonde", "/r"), socket_path("/c" * 80, "/r")
    assert near.startswith("/home/me/.cache/sonde/")
    assert len(os.fsencode(far)) < 108
    assert far != socket_path("/c" * 81, "/r")


def test_a_server_of_another_version_is_told_in_one_sentence(
    repository: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "c"
    path = Path(socket_path(str(cache), str(repository)))
    path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()

    def old_server() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1 << 16)
            note = "the running server is sonde 0.0.1, this is 0.1.0: working alone"
            connection.sendall(json.dumps({"note": note}).encode())

    thread = threading.Thread(target=old_server)
    thread.start()
    try:
        done = sonde(cache, "symbol", "total_price", "-q", cwd=repository)
    finally:
        thread.join()
        listening.close()
    assert done.returncode == 0
    assert "shop/price.py" in done.stdout
    assert (
        done.stderr.strip()
        == "sonde: the running server is sonde 0.0.1, this is 0.1.0: working alone"
    )


def test_input_taken_for_a_server_that_refused_was_lost(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "c"
    path = Path(socket_path(str(cache), str(repository)))
    path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()

        def refusing_server() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"{}")

        thread = threading.Thread(target=refusing_server)
        thread.start()
        done = sonde(cache, "context", "-", "-q", cwd=repository, input="fix checkout of the Cart")
        thread.join()
    assert "def checkout" in done.stdout, done.stderr


def test_the_settings_are_those_of_the_workspace_and_not_of_the_servers_folder(
    repository: Path, tmp_path: Path
) -> None:
    cache, elsewhere = tmp_path / "c", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "sonde.toml").write_text("budget = 300\n")
    with HttpServer(cache, "--repo", str(repository), cwd=elsewhere) as server:
        assert b"event: done" in server.raw("GET", f"{server.workspace}/progress")[2]
        words = ("context", "fix checkout of the Cart", "--json")
        told = json.loads(sonde(cache, *words, cwd=repository).stdout)
        assert _answered(server) == 1
    assert told["budget"] == 8000


def test_a_dead_socket_does_not_stop_a_command(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "c"
    path = Path(socket_path(str(cache), str(repository)))
    path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(path))
    dead.close()
    assert sonde(cache, "symbol", "total_price", cwd=repository).returncode == 0


def test_a_second_server_leaves_the_first_its_socket(
    running: HttpServer, repository: Path, cache: Path
) -> None:
    before = _answered(running)
    with HttpServer(cache, "--repo", str(repository)) as second:
        assert second.post("/v1/symbol", {"name": "total_price"})[0] == 200
        assert sonde(cache, "symbol", "total_price", cwd=repository).returncode == 0
    assert sonde(cache, "symbol", "total_price", cwd=repository).returncode == 0
    assert _answered(running) == before + 2


def test_after_its_first_server_a_workspace_had_none_for_commands(
    repository: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "c"
    with HttpServer(cache, "--repo", str(repository)) as first:
        assert b"event: done" in first.raw("GET", f"{first.workspace}/progress")[2]
        second = HttpServer(cache, "--repo", str(repository))
    with second:
        assert b"event: done" in second.raw("GET", f"{second.workspace}/progress")[2]
        deadline = time.monotonic() + 20
        while not _answered(second):
            assert time.monotonic() < deadline
            assert sonde(cache, "symbol", "total_price", cwd=repository).returncode == 0
        path = Path(socket_path(str(cache), str(repository)))
        assert stat.S_IMODE(path.lstat().st_mode) == 0o600
    assert not path.exists()


def test_a_forgotten_workspace_gives_its_socket_to_the_next_server(
    repository: Path, tmp_path: Path
) -> None:
    served = Served(repository)
    first, second = LocalServer(served, tmp_path), LocalServer(served, tmp_path)
    path = Path(socket_path(str(tmp_path), str(repository)))
    first.start()
    second.start()
    second.stop()
    assert path.exists(), "the one that waits has nothing to remove"
    third = LocalServer(served, tmp_path)
    third.start()
    first.stop()
    deadline = time.monotonic() + 10
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    third.stop()
    assert not path.exists()


def _answered(server: HttpServer) -> int:
    """Commands that the server has run."""
    for line in server.raw("GET", "/metrics")[2].decode().splitlines():
        if line.startswith("sonde_answer_seconds_count") and 'question="command"' in line:
            return int(line.rsplit(" ", 1)[1])
    return 0


@pytest.mark.parametrize("alone", ["", "1"])
def test_bug_odd_surroundings_of_a_command_ended_in_a_traceback(
    running: HttpServer, repository: Path, cache: Path, tmp_path: Path, alone: str
) -> None:
    gone = tmp_path / "gone"

    def told(script: str, folder: Path) -> tuple[int, str]:
        words = ["bash", "-c", script, sys.executable]
        env = environment(cache) | {"SONDE_ALONE": alone}
        done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        assert "internal error" not in done.stderr
        return done.returncode, done.stderr

    ask = '"$0" -P -m sonde symbol total_price'
    assert told(f"{ask} >&-", repository)[0] == 0
    assert told(f"{ask} 2>&-", repository)[0] == 0
    assert told(f"{ask} >/dev/full", repository) == (
        2,
        "sonde: cannot write: No space left on device\n",
    )
    assert told('"$0" -P -m sonde context - <&-', repository)[0] == 2
    for script in (ask, '"$0" -P -m sonde index', '"$0" -P -m sonde serve --port 0'):
        gone.mkdir()
        code, said = told(f'cd "{gone}"; rmdir "{gone}"; {script}', repository)
        assert (code, said.count("\n")) == (2, 1)
        assert "the current folder is gone" in said
    gone.mkdir()
    elsewhere = f'cd "{gone}"; rmdir "{gone}"; {ask} --repo "{repository}"'
    assert told(elsewhere, repository)[0] == 0


@pytest.mark.parametrize("alone", ["", "1"])
def test_bug_an_interrupted_command_with_a_server_ended_in_a_traceback(
    running: HttpServer, repository: Path, cache: Path, alone: str
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "sonde", "context", "-"],
        cwd=repository,
        env=environment(cache) | {"SONDE_ALONE": alone},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        waiting = Path(f"/proc/{process.pid}/syscall")
        deadline = time.monotonic() + 20.0
        while not waiting.read_text().startswith("0 0x0 "):  # reads standard input
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, b"sonde: interrupted\n")


def test_bug_an_index_cut_short_was_called_ready(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SONDE_CACHE_DIR", str(tmp_path))
    served = Served(repository)
    with Engine(repository) as engine:
        engine.sync()
        assert status(engine, served)["state"] == "ready"
        (database,) = tmp_path.rglob("index.db")
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE meta SET value = 400000 WHERE key = 'share_ppm'")
    with Engine(repository) as engine:
        assert status(engine, served)["state"] == "indexing"


def test_a_moment_without_free_files_closed_the_door_for_good(tmp_path: Path) -> None:
    served = Served(tmp_path)
    server = LocalServer(served, tmp_path / "cache")
    calls: list[int] = []

    class Exhausted:
        def accept(self) -> None:
            calls.append(1)
            server._stopped = len(calls) == 2
            raise OSError(errno.EMFILE, "too many open files")

    server._accept(Exhausted())  # type: ignore[arg-type]
    served.close()
    assert len(calls) == 2
