"""Bad input and rude surroundings end in one line and a stable exit code, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sonde.cli import main

Sonde = Callable[..., Any]

REFUSED = {
    "unknown command": ["contxt", "x"],
    "unknown option": ["context", "x", "--nope"],
    "option before the command": ["--repo", "x"],
    "no task": ["context"],
    "two questions": ["context", "x", "--files", "README.md"],
    "budget that is no number": ["context", "x", "--budget", "many"],
    "budget of zero": ["context", "connect", "--budget", "0"],
    "negative budget": ["context", "connect", "--budget=-5"],
    "unknown format": ["context", "x", "--format", "pdf"],
    "unknown tokenizer": ["context", "x", "--tokenizer", "abacus"],
    "unknown file": ["context", "--files", "no/such.py"],
    "path outside the root": ["context", "--files", "../../etc/passwd"],
    "ref that does not exist": ["context", "--pr", "nope..HEAD"],
    "ref that looks like an option": ["context", "--pr=--output=x..HEAD"],
    "patch that does not exist": ["context", "--diff", "no.diff"],
    "empty task": ["context", ""],
    "blank task": ["rank", " \t\n"],
    "put in and take out": ["mcp", "--print-config", "cursor", "--write", "--remove"],
    "no such folder": ["status", "--repo", "no-such-folder"],
    "file as folder": ["status", "--repo", "README.md"],
    "limit of zero": ["rank", "x", "--limit", "0"],
    "batch that does not exist": ["rank", "--batch", "no.jsonl"],
    "bad regex": ["search", "--regex", "("],
    "tests of nothing": ["tests"],
    "symbol without a name": ["symbol"],
    "depth of zero": ["impact", "pay", "--depth", "0"],
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED.keys())
def test_bad_input_is_one_line_and_exit_code_2(sonde: Sonde, words: list[str]) -> None:
    ran = sonde(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("sonde: ")
    assert ran.err.count("\n") == 1
    assert "internal error" not in ran.err


def test_an_option_before_the_command_is_told_where_it_belongs(sonde: Sonde) -> None:
    told = sonde("--repo", "x", "status").err
    assert told == "sonde: '--repo' comes after the command: sonde COMMAND --repo …\n"


def test_bug_a_port_beside_a_socket_was_ignored(sonde: Sonde, tmp_path: Path) -> None:
    place = tmp_path / "sonde.sock"
    for words in (("--port", "0"), ("--host", "127.0.0.1")):
        ran = sonde("serve", "--socket", str(place), *words)
        assert (ran.code, ran.err) == (
            2,
            "sonde: give --socket, or --host and --port: a server listens in one place\n",
        )
    assert not place.exists()


def test_bug_a_token_was_made_for_an_address_that_cannot_be_used(
    sonde: Sonde, tmp_path: Path
) -> None:
    token, place = tmp_path / "token", tmp_path / "sonde.sock"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = sonde("serve", "--port", port, "--token-file", str(token))
    assert ran.code == 2
    assert "cannot listen on" in ran.err
    assert not token.exists()
    token.write_text("short")
    token.chmod(0o600)
    assert sonde("serve", "--socket", str(place), "--token-file", str(token)).code == 2
    assert not place.exists()


UNUSUAL = {
    "stop words": "the of and",
    "not English": "Verbindung zur Bank schlägt fehl 接続エラー",
    "query syntax": 'a:b AND (c OR "d) * [x] \\ +/-^~',
    "control characters": "\x1b[31mred\x07\x00",
    "not UTF-8": b"caf\xe9 connect".decode("utf-8", "surrogateescape"),
    "a megabyte": "connect url " * 90_000,
}


@pytest.mark.parametrize("task", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_unusual_tasks_are_answered_or_refused(sonde: Sonde, task: str) -> None:
    ran = sonde("context", task)
    assert ran.code in (0, 1, 2)
    assert "internal error" not in ran.err
    assert ran.err.count("\n") <= 1
    assert "\x1b" not in ran.out


def test_a_bad_line_of_a_batch_is_named_before_anything_is_answered(
    sonde: Sonde, tmp_path: Path
) -> None:
    batch = tmp_path / "tasks.jsonl"
    batch.write_text('{"id": 1, "query": "connect"}\n{"id": 2}\n')
    ran = sonde("rank", "--batch", str(batch), "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert "line 2" in ran.err


def test_a_refused_question_of_a_batch_does_not_cost_the_others(
    sonde: Sonde, tmp_path: Path
) -> None:
    batch = tmp_path / "tasks.jsonl"
    batch.write_text('{"id": "empty", "query": " "}\n{"id": "good", "query": "connect"}\n')
    ran = sonde("rank", "--batch", str(batch), "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert rows[0] == {"id": "empty", "symbols": [], "files": [], "ms": 0.0}
    assert rows[1]["symbols"]
    assert ran.err.startswith("sonde: empty: ")


def test_hostile_file_names_are_shown_escaped(sonde: Sonde, own_repo: Path) -> None:
    (own_repo / "evil\x1b[31m\nname.py").write_text("def evil_one() -> None: ...\n")
    for words in (["symbol", "evil_one"], ["search", "evil_one"], ["rank", "evil_one"], ["index"]):
        ran = sonde(*words, "--repo", str(own_repo))
        assert "\x1b" not in ran.out + ran.err
    assert "\\x1b[31m\\nname.py" in sonde("symbol", "evil_one", "--repo", str(own_repo)).out


def test_configuration_that_cannot_be_used_is_told(sonde: Sonde, own_repo: Path) -> None:
    (own_repo / "sonde.toml").write_text("workers = 'many'\n")
    ran = sonde("index", "--repo", str(own_repo))
    assert ran.code == 2
    assert "workers" in ran.err


def _start(words: list[str], cache: Path, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "sonde", *words],
        cwd=cwd,
        env={**os.environ, "SONDE_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_reader_that_goes_away_ends_the_command_quietly(indexed: tuple[Path, Path]) -> None:
    repo, cache = indexed
    process = _start(["symbols"], cache, repo)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 0
    assert errors == b""


def test_watch_tells_changes_and_ends_by_ctrl_c_with_130(
    indexed: tuple[Path, Path], own_repo: Path, tmp_path: Path
) -> None:
    with (tmp_path / "out").open("w+b") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "sonde", "watch"],
            cwd=own_repo,
            env={**os.environ, "SONDE_CACHE_DIR": str(indexed[1])},
            stdout=out,
            stderr=subprocess.PIPE,
        )
        try:
            _wait_for(tmp_path / "out", "watching")
            (own_repo / "bank" / "loan.py").write_text("def grant_loan() -> None: ...\n")
            _wait_for(tmp_path / "out", "added bank/loan.py")
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


HEARD_ELSEWHERE = """
import signal, sys, threading, time
from pathlib import Path
from sonde.cli import main

def interrupt():
    while "watching" not in Path(sys.argv[1]).read_text():
        time.sleep(0.05)
    time.sleep(0.2)
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
sys.exit(main(["watch"]))
"""


def test_bug_watch_went_on_when_another_thread_got_the_ctrl_c(
    indexed: tuple[Path, Path], own_repo: Path, tmp_path: Path
) -> None:
    with (tmp_path / "out").open("w+b") as out:
        ended = subprocess.run(
            [sys.executable, "-c", HEARD_ELSEWHERE, str(tmp_path / "out")],
            cwd=own_repo,
            env={**os.environ, "SONDE_CACHE_DIR": str(indexed[1])},
            stdout=out,
            timeout=60,
        )
    assert ended.returncode == 130


def _wait_for(path: Path, text: str) -> None:
    deadline = time.monotonic() + 40.0
    while text not in path.read_text():
        assert time.monotonic() < deadline, f"{text!r} not in {path.read_text()!r}"
        time.sleep(0.05)


def test_a_terminal_gets_colour_only_without_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    from sonde.cli.console import Console

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Console.of_process().paint("x", "red") == "\x1b[31mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Console.of_process().paint("x", "red") == "x"


def test_version_needs_no_argparse_and_no_dataclasses() -> None:
    program = (
        "import sys; from sonde.cli import main; main(['--version']);"
        "print(sorted({'argparse', 'dataclasses', 'typing', 'json', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[1] == "[]"


def test_words_of_a_text_without_quotes_are_told_to_be_quoted(sonde: Sonde) -> None:
    assert "unrecognized arguments: the crash; put several words in quotes" in (
        sonde("context", "fix", "the", "crash").err
    )
    assert "quotes" not in sonde("symbols", "extra").err
    assert "quotes" not in sonde("context", "fix", "--budgt").err


def test_bug_what_was_not_there_was_removed_again_and_again(sonde: Sonde, tmp_path: Path) -> None:
    def configure(word: str) -> tuple[int, str]:
        ran = sonde("mcp", "--print-config", "cursor", word, "--repo", str(tmp_path))
        return ran.code, ran.out.partition(" /")[0]

    assert configure("--remove") == (1, "sonde is not in")
    assert configure("--write") == (0, "sonde was written to")
    assert configure("--write") == (0, "sonde is already in")
    assert configure("--remove") == (0, "sonde was removed from")
    assert configure("--remove") == (1, "sonde is not in")


def test_bug_a_watch_that_cannot_begin_went_on_waiting(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = subprocess.run(
        [sys.executable, "-m", "sonde", "watch"],
        cwd=repo,
        env={**os.environ, "SONDE_CACHE_DIR": str(tmp_path / "file")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("sonde: cannot use ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="no permissions to take away")
def test_bug_a_watch_of_an_unreadable_folder_went_on_waiting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import watchfiles  # noqa: F401  # others may not be allowed to read it

    import sonde.cli.watch
    import sonde.sync.watch  # noqa: F401

    folder = Path(tempfile.mkdtemp())  # unlike the usual one, others may look into it
    as_root = os.geteuid() == 0
    try:
        (folder / "shut").mkdir(mode=0)
        (folder / "cache").mkdir()
        folder.chmod(0o755)
        (folder / "cache").chmod(0o777)
        monkeypatch.setenv("SONDE_CACHE_DIR", str(folder / "cache"))
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.alarm(30)  # as Ctrl-C, should it wait
        if as_root:
            os.seteuid(65534)  # permissions do not bind the superuser
        try:
            code = main(["watch", "--repo", str(folder / "shut")])
        finally:
            if as_root:
                os.seteuid(0)
            signal.alarm(0)
        assert code == 2
        assert capsys.readouterr().err.endswith("shut is not a folder that can be read\n")
    finally:
        (folder / "shut").chmod(0o700)
        shutil.rmtree(folder)
