"""Sessions, artefacts, notes and metrics on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from sonde.cli.console import Console

Sonde = Callable[..., Any]
TASK = "/fix an empty url is accepted by Client.connect"
FAILED = (
    "=== FAILURES ===\ntests/test_payment.py:6: AssertionError\n"
    "FAILED tests/test_payment.py::test_pay_returns_the_amount - assert 1 == 3\n1 failed in 0.01s\n"
)


@pytest.fixture
def at(own_repo: Path) -> tuple[str, ...]:
    """Words that make a command work on the test's own copy."""
    return "--repo", str(own_repo), "-q"


def test_a_session_goes_from_start_to_metrics(
    sonde: Sonde, own_repo: Path, at: tuple[str, ...], tmp_path: Path
) -> None:
    complaints = tmp_path / "complaints.json"
    row = {"file": "bank/client.py", "line": 9, "message": "url may be empty"}
    complaints.write_text(json.dumps([row]))
    begun = sonde(
        *("session", "start", *at, TASK, "--file", "bank/client.py", "--select", "7-9"),
        *("--diagnostics", str(complaints), "--accept", "tests pass"),
    )
    assert begun.code == 0, begun.err
    pack = yaml.safe_load(begun.out)
    assert pack["diagnostics"][0]["message"] == "url may be empty"
    assert "branch" in pack["git_status"]
    planned = yaml.safe_load(sonde("session", "plan", "last", "change pay", "add tests", *at).out)
    assert planned["steps"] == ["change pay", "add tests"]
    log = tmp_path / "log"
    log.write_text(FAILED)
    failed = yaml.safe_load(sonde("session", "failure", pack["session"], str(log), *at).out)
    assert failed["failures"][0]["tool"] == "pytest"
    again = yaml.safe_load(sonde("session", "more", "last", "Client.connect", *at).out)
    assert "def connect" in again["evidence"][0]["content"]
    shown = sonde("session", "show", "last", "--json", *at).json
    assert [each["kind"] for each in shown["passes"]] == ["start", "plan", "failure", "more"]
    assert pack["session"] in sonde("session", "show", *at).out
    place = own_repo / "bank" / "client.py"
    place.write_text(place.read_text().replace("bool(normalise_url(url))", "bool(url.strip())"))
    assert sonde("session", "end", "last", *at).code == 0
    figures = sonde("metrics", "--json", *at).json
    assert (figures["tasks"], figures["judged"], figures["iterations"]) == (1, 1, 1.0)
    assert figures["recall"] == 1.0


def test_bug_a_session_with_nothing_left_ended_in_an_error(
    sonde: Sonde, at: tuple[str, ...]
) -> None:
    assert sonde("session", "start", TASK, *at).code == 0
    for _ in range(20):
        ran = sonde("session", "more", "last", *at)
        if ran.code:
            break
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "sonde: nothing more was found for this task: ask with other words\n"


def test_bug_options_of_a_later_pass_were_ignored(
    sonde: Sonde, at: tuple[str, ...], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    log.write_text(FAILED)
    assert sonde("session", "start", TASK, *at).code == 0
    assert sonde("session", "plan", "last", "change pay", *at, "--json").json["steps"]
    failed = sonde("session", "failure", "last", str(log), *at, "--format", "json").json
    assert failed["failures"][0]["tool"] == "pytest"
    assert sonde("session", "more", "last", "Client.connect", *at, "--json").json["evidence"]
    assert "evidence" in yaml.safe_load(sonde("session", "more", "last", "pay", *at).out)
    ran = sonde("session", "failure", "last", str(log), *at, "--file", "bank/client.py")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("sonde: --file is for 'sonde session start'")


def test_what_is_wrong_with_a_session_is_one_line_and_exit_code_2(
    sonde: Sonde, at: tuple[str, ...]
) -> None:
    for words in (
        ("start",),
        ("plan", "last", "a step"),
        ("more", "0123456789abcdef"),
        ("start", TASK, "--file", "../../etc/passwd"),
        ("start", TASK, "--select", "a-b"),
        ("start", TASK, "--budget", "20"),
        ("start", TASK, "--without", "nonsense"),
        ("failure", "last", "no-such-file"),
        ("dance",),
    ):
        ran = sonde("session", *words, *at)
        assert ran.code == 2, words
        assert len(ran.err.strip().splitlines()) == 1, ran.err


def test_a_note_is_kept_and_shown_with_the_project_s_own_rules(
    sonde: Sonde, own_repo: Path, at: tuple[str, ...]
) -> None:
    (own_repo / "AGENTS.md").write_text("- Never log an account number.\n")
    assert sonde("artefacts", *at).code == 0
    assert not (own_repo / ".sonde").exists()
    assert sonde("note", "add", "gotcha", "The bank sleeps at night.", *at).code == 0
    rows = sonde("artefacts", "--json", *at).json
    assert {row["text"]: row["kind"] for row in rows} == {
        "Never log an account number.": "constitution",
        "The bank sleeps at night.": "gotcha",
    }
    assert "The bank sleeps at night." in sonde("session", "start", TASK, *at).out
    assert sonde("note", "add", "gotcha", "  ", *at).code == 2


def test_without_sessions_and_rules_nothing_is_found(sonde: Sonde, at: tuple[str, ...]) -> None:
    assert sonde("session", "show", *at).code == 1
    assert sonde("artefacts", *at).code == 1
    assert sonde("metrics", *at).code == 1


def test_forgetting_the_index_forgets_its_sessions(sonde: Sonde, at: tuple[str, ...]) -> None:
    assert sonde("session", "start", TASK, *at).code == 0
    assert sonde("forget", *at).code == 0
    assert sonde("session", "show", *at).code == 1


def test_sentences_of_artefacts_lost_their_beginnings_on_a_narrow_terminal(
    sonde: Sonde, own_repo: Path, at: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "Never log an account number, not even in a test that only checks how logs are rotated."
    (own_repo / "AGENTS.md").write_text(f"- {rule}\n")
    monkeypatch.setattr(Console, "width", 80)
    line = sonde("artefacts", *at).out.splitlines()[1]
    assert line.startswith("  Never log an account number, ")
    assert line.endswith("…  AGENTS.md:1")
    assert len(line) <= 80


def test_one_symbol_of_a_pass_is_not_a_plural(sonde: Sonde, at: tuple[str, ...]) -> None:
    sonde("session", "start", TASK, *at)
    sonde("session", "more", "last", "Client.connect", *at)
    assert "1 symbol\n" in sonde("session", "show", "last", *at).out
