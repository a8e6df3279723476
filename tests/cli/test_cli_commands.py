"""Each command answers, in words and in JSON, with the promised exit code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Sonde = Callable[..., Any]

TASK = "an empty url is accepted by Client.connect"


def test_index_tells_what_changed_and_then_that_nothing_did(sonde: Sonde, own_repo: Path) -> None:
    first = sonde("index", "--repo", str(own_repo), "--json")
    assert first.code == 0
    assert first.json["files"] == len(first.json["added"]) == 5
    (own_repo / "web" / "cart.ts").write_text("export const nothing = 1;\n")
    second = sonde("index", "--repo", str(own_repo), "-q")
    assert "5 files indexed, 1 modified" in second.out
    assert "web/cart.ts" in second.out
    third = sonde("index", "--repo", str(own_repo))
    assert "nothing changed" in third.out


def test_index_of_an_empty_folder_finds_nothing(sonde: Sonde, tmp_path: Path) -> None:
    assert sonde("index", "--repo", str(tmp_path)).code == 1


def test_status_counts_languages_and_names_the_place(sonde: Sonde) -> None:
    ran = sonde("status")
    assert ran.code == 0
    assert "python 3" in ran.out
    assert "equal to the disk" in ran.out
    assert sonde("status", "--json").json["languages"]["typescript"] == 1


def test_status_tells_reasons_with_examples_and_newer_files(sonde: Sonde, own_repo: Path) -> None:
    (own_repo / "logo.py").write_bytes(b"\x89PNG\0\0\0\0" * 40)
    sonde("index", "--repo", str(own_repo))
    (own_repo / "new.py").write_text("x = 1\n")
    ran = sonde("status", "--repo", str(own_repo))
    assert re.search(r"1 +binary content +logo\.py", ran.out)
    assert "1 file on disk changed since" in ran.out
    full = sonde("status", "--repo", str(own_repo), "--json").json
    assert full["skipped"] == {"binary content": 1}
    assert full["newer_on_disk"] == 1
    assert full["index_bytes"] > 0


def test_status_after_the_index_of_a_fresh_checkout_equals_the_disk(
    sonde: Sonde, tmp_path: Path
) -> None:
    for number in range(250):
        (tmp_path / f"part{number}.py").write_text(f"x = {number}\n")
    sonde("index", "--repo", str(tmp_path))
    assert "equal to the disk" in sonde("status", "--repo", str(tmp_path)).out


def test_status_tells_how_many_commits_are_read_or_why_none(
    sonde: Sonde, own_repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ("--repo", str(own_repo))
    sonde("index", *at)
    assert re.search(r"history +1 commit\n", sonde("status", *at).out)
    told = {"commits": 1, "whole": True, "current": True}
    assert sonde("status", *at, "--json").json["history"] == told
    identity = ("-c", "user.name=A Dev", "-c", "user.email=dev@example.invalid")
    empty = ("commit", "-q", "--allow-empty", "-m", "More")
    subprocess.run(["git", *identity, *empty], cwd=own_repo, check=True)
    assert "1 commit: the next question reads what is new" in sonde("status", *at).out
    with monkeypatch.context() as poorer:
        poorer.setenv("PATH", str(tmp_path))
        assert "not readable: git is not installed" in sonde("status", *at).out
        problem = sonde("status", *at, "--json").json["history"]["problem"]
        assert problem.startswith("git is not installed")
    shutil.rmtree(own_repo / ".git")
    assert "history" not in sonde("status", *at).out
    assert sonde("status", *at, "--json").json["history"] is None


def test_status_without_an_index_says_what_to_do(sonde: Sonde, tmp_path: Path) -> None:
    ran = sonde("status", "--repo", str(tmp_path))
    assert ran.code == 1
    assert "sonde index" in ran.out


def test_symbols_are_json_lines_in_order_of_path_and_line(sonde: Sonde) -> None:
    ran = sonde("symbols")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert rows[0] == {
        "name": "Client",
        "kind": "class",
        "file": "bank/client.py",
        "start_line": 4,
        "end_line": 9,
        "signature": "class Client",
    }
    places = [(row["file"], row["start_line"]) for row in rows]
    assert places == sorted(places)
    assert "Client.connect" in [row["name"] for row in rows]
    assert "module" not in {row["kind"] for row in rows}


def test_symbols_with_modules_names_code_files_only(sonde: Sonde) -> None:
    rows = [json.loads(line) for line in sonde("symbols", "--modules").out.splitlines()]
    modules = {row["file"] for row in rows if row["kind"] == "module"}
    assert "bank/client.py" in modules
    assert "README.md" not in modules


def test_chunks_are_json_lines_of_code_text_and_configuration(sonde: Sonde) -> None:
    ran = sonde("chunks", "bank/client.py", "README.md")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert set(rows[0]) == {
        "file",
        "language",
        "kind",
        "name",
        "start_line",
        "end_line",
        "context",
        "text",
        "tokens",
    }
    assert rows[0]["name"] == "Client.connect"
    assert rows[0]["tokens"] > 0
    assert {row["language"] for row in rows} == {"python", "markdown"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/etc/hosts", "lies outside the workspace"),
        ("bank", "'bank' is a folder: name files"),
        ("bank/clent.py", "did you mean bank/client.py?"),
        ("client.py", "did you mean bank/client.py?"),
    ],
)
def test_chunks_of_a_path_that_is_no_file_of_the_index(
    sonde: Sonde, path: str, message: str
) -> None:
    ran = sonde("chunks", path)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_chunks_of_a_skipped_file_tell_why_it_was_skipped(sonde: Sonde, own_repo: Path) -> None:
    (own_repo / "logo.py").write_bytes(b"\x89PNG\0\0\0\0" * 40)
    ran = sonde("chunks", "logo.py", "--repo", str(own_repo), "-q")
    assert ran.code == 2
    assert "'logo.py' is not indexed: binary content" in ran.err


def test_chunks_of_an_empty_file_are_nothing_found(sonde: Sonde, own_repo: Path) -> None:
    (own_repo / "empty.py").write_text("")
    assert sonde("chunks", "empty.py", "--repo", str(own_repo), "-q").code == 1


def test_symbol_prints_the_card_with_callers_callees_and_tests(sonde: Sonde) -> None:
    ran = sonde("symbol", "pay")
    assert ran.code == 0
    assert "def pay(client: Client, amount: int) -> int" in ran.out
    assert re.search(r"called by \(\d\)\n +refund +bank/payment\.py:19", ran.out)
    assert re.search(r"calls \(\d\)\n +Client\.connect +bank/client\.py:7-9", ran.out)
    assert "test_pay_returns_the_amount" in ran.out
    found = sonde("symbol", "pay", "--json").json["found"]
    assert [card["record"]["name"] for card in found] == ["pay"]


def test_symbol_that_does_not_exist_is_not_found_with_near_names(sonde: Sonde) -> None:
    ran = sonde("symbol", "Client.conect")
    assert ran.code == 1
    assert "not found: Client.conect" in ran.out
    assert "near names:" in ran.out
    assert "connect" in ran.out


def test_search_finds_names_and_lines_with_filters(sonde: Sonde) -> None:
    assert "normalise_url" in sonde("search", "normalise kind:function").out
    lines = sonde("search", "does not answer", "--json").json["lines"]
    assert [(line["file"], line["line"]) for line in lines] == [("bank/payment.py", 13)]
    assert sonde("search", "--regex", r"bank\.ex[a-z]+", "--json").json["lines"]
    nothing = sonde("search", "zzzzqqqq")
    assert nothing.code == 1
    assert "nothing found" in nothing.out


def test_context_prints_the_pack_within_the_budget(sonde: Sonde) -> None:
    ran = sonde("context", TASK, "--budget", "900")
    assert ran.code == 0
    assert "def connect(self, url: str) -> bool" in ran.out
    pack = sonde("context", TASK, "--budget", "900", "--json").json
    assert isinstance(pack, dict)


@pytest.mark.parametrize("form", ["xml", "markdown", "json", "yaml"])
def test_context_knows_every_format(sonde: Sonde, form: str) -> None:
    assert "connect" in sonde("context", TASK, "--format", form).out


def test_context_for_files_shows_their_symbols(sonde: Sonde) -> None:
    ran = sonde("context", "--files", "bank/payment.py")
    assert ran.code == 0
    assert "refund" in ran.out


def test_context_for_a_diff_shows_the_changed_symbols(sonde: Sonde, tmp_path: Path) -> None:
    patch = tmp_path / "change.diff"
    patch.write_text(
        "--- a/bank/client.py\n+++ b/bank/client.py\n@@ -14,1 +14,1 @@\n"
        "-    return url.strip()\n+    return url.strip(' ')\n"
    )
    ran = sonde("context", "--diff", str(patch))
    assert ran.code == 0
    assert "normalise_url" in ran.out


def test_bug_commits_were_taken_for_the_name_of_a_patch_and_tests_took_none(
    sonde: Sonde, own_repo: Path
) -> None:
    for command in ("context", "tests"):
        ran = sonde(command, "--diff", "main..HEAD", "--repo", str(own_repo))
        assert ran.code == 2
        assert ran.err == (
            "sonde: --diff: there is no file 'main..HEAD'; a range of commits is given with --pr\n"
        )
        assert sonde(command, "--pr", "no..HEAD", "--repo", str(own_repo)).code == 2
    author = ("-c", "user.name=n", "-c", "user.email=n@example.org")
    client = own_repo / "bank/client.py"
    client.write_text(client.read_text().replace("url.strip()", "url.strip(' ')"))
    subprocess.run(["git", *author, "commit", "-qam", "two"], cwd=own_repo, check=True)
    ran = sonde("tests", "--pr", "HEAD~1..HEAD", "--print", "paths", "--repo", str(own_repo))
    assert (ran.code, ran.out) == (0, "tests/test_payment.py\n")


def test_rank_puts_the_named_symbol_first(sonde: Sonde) -> None:
    ran = sonde("rank", TASK, "--limit", "3", "--json")
    assert ran.code == 0
    assert ran.json["symbols"][0]["name"] == "Client.connect"
    assert len(ran.json["symbols"]) == 3
    assert "Client.connect" in sonde("rank", TASK).out.splitlines()[0]


def test_bug_a_rank_that_found_nothing_said_nothing(sonde: Sonde) -> None:
    ran = sonde("rank", "zzzzqqqq", "--without", "meaning")
    assert ran.code == 1
    assert ran.out == "nothing found: try other words or names\n"


def test_rank_batch_answers_each_line_in_the_promised_form(sonde: Sonde, tmp_path: Path) -> None:
    batch = tmp_path / "tasks.jsonl"
    tasks = [{"id": "a", "query": TASK}, {"id": 7, "query": "take a payment back"}]
    batch.write_text("\n".join(map(json.dumps, tasks)) + "\n\n")
    ran = sonde("rank", "--batch", str(batch), "--limit", "50", "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [row["id"] for row in rows] == ["a", 7]
    assert set(rows[0]) == {"id", "symbols", "files", "ms"}
    assert set(rows[0]["symbols"][0]) == {
        "name",
        "file",
        "start_line",
        "end_line",
        "kind",
        "score",
    }
    scores = [symbol["score"] for symbol in rows[1]["symbols"]]
    assert scores == sorted(scores, reverse=True)
    assert rows[0]["files"][0] == "bank/client.py"


def test_rank_tells_the_time_of_each_stage_when_asked(sonde: Sonde) -> None:
    row = json.loads(sonde("rank", TASK, "--json", "--stages").out)
    assert {"names", "fulltext", "walk"} <= set(row["stages"])


def test_why_tells_contributions_that_sum_to_the_score(sonde: Sonde) -> None:
    ran = sonde("why", TASK, "Client.connect")
    assert ran.code == 0
    assert "rank 1 of" in ran.out
    why = sonde("why", TASK, "Client.connect", "--json").json
    fixed = sonde("why", TASK, "Client.connect", "--json", "--without", "learned").json
    assert fixed["contributions"] != why["contributions"]
    assert sum(fixed["contributions"].values()) == pytest.approx(fixed["score"], abs=1e-4)
    assert sonde("why", TASK, "Client.connect", "--without", "nothing-like-it").code == 2
    assert sum(why["contributions"].values()) == pytest.approx(why["score"], abs=1e-4)


def test_why_leaves_out_what_would_be_shown_as_nothing(sonde: Sonde) -> None:
    small = sonde("why", TASK, "Client.connect", "--json").json["contributions"]
    assert any(0 < abs(value) < 0.0005 for value in dict(small).values())
    assert "0.000" not in sonde("why", TASK, "Client.connect").out


def test_impact_names_callers_by_depth_and_tests(sonde: Sonde) -> None:
    ran = sonde("impact", "Client.connect")
    assert ran.code == 0
    one, two = ran.out.index("1 step away"), ran.out.index("2 steps away")
    assert one < ran.out.index("pay") < two < ran.out.index("refund")
    assert "test_pay_returns_the_amount" in ran.out


def test_impact_of_something_nobody_uses_finds_nothing(sonde: Sonde) -> None:
    ran = sonde("impact", "addToCart")
    assert ran.code == 1
    assert "nothing known depends on it" in ran.out


def test_tests_names_the_covering_tests_and_a_command(sonde: Sonde) -> None:
    ran = sonde("tests", "--files", "bank/payment.py")
    assert ran.code == 0
    assert "test_pay_returns_the_amount" in ran.out
    command = sonde("tests", "--files", "bank/payment.py", "--print", "command").out
    assert command.startswith(("pytest", "python -m pytest"))
    assert sonde("tests", "--files", "bank/payment.py", "--print", "paths").out == (
        "tests/test_payment.py\n"
    )


def test_flow_prints_the_path_between_two_symbols(sonde: Sonde) -> None:
    ran = sonde("flow", "refund", "Client.connect")
    assert ran.code == 0
    assert ran.out.index("refund") < ran.out.index("pay") < ran.out.rindex("Client.connect")


def test_doctor_finds_everything_in_place(sonde: Sonde) -> None:
    ran = sonde("doctor")
    assert ran.code == 0
    assert "BAD" not in ran.out
    assert {each["name"] for each in sonde("doctor", "--json").json} >= {
        "python",
        "packages",
        "grammars",
        "ripgrep",
        "git",
        "settings",
        "cache",
        "index",
    }


def test_doctor_says_what_to_do_about_a_cache_that_cannot_be_written(
    sonde: Sonde, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SONDE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    ran = sonde("doctor")
    assert ran.code == 2
    assert "SONDE_CACHE_DIR" in ran.out


def test_doctor_found_nothing_wrong_with_a_folder_that_cannot_be_read(
    sonde: Sonde, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)  # root may all
    ran = sonde("doctor", "--repo", str(tmp_path))
    assert ran.code == 2
    assert f"{tmp_path} cannot be read" in ran.out


def test_forget_deletes_the_index_and_nothing_of_the_repository(
    sonde: Sonde, own_repo: Path
) -> None:
    sonde("index", "--repo", str(own_repo))
    before = sorted(own_repo.rglob("*"))
    assert sonde("forget", "--repo", str(own_repo)).code == 0
    assert sonde("status", "--repo", str(own_repo)).code == 1
    assert sorted(own_repo.rglob("*")) == before


def test_a_question_sees_an_edit_made_just_before_it(sonde: Sonde, own_repo: Path) -> None:
    sonde("index", "--repo", str(own_repo))
    (own_repo / "bank" / "loan.py").write_text("def grant_loan() -> None: ...\n")
    assert sonde("symbol", "grant_loan", "--repo", str(own_repo)).code == 0


def test_the_workspace_is_the_one_around_the_current_folder(
    sonde: Sonde, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo / "web")
    assert sonde("symbol", "pay").code == 0


def test_bug_a_text_behind_two_dashes_was_taken_for_an_option(sonde: Sonde, own_repo: Path) -> None:
    (own_repo / "README.md").write_text("Run it with --nope or --help.\n")
    for text in ("--nope", "--help", "-q"):
        ran = sonde("search", "--limit", "3", "--json", "--repo", str(own_repo), "--", text)
        assert ran.code == (0 if text != "-q" else 1)
        assert [line["file"] for line in ran.json["lines"]] == ["README.md"] * (text != "-q")
    refused = sonde("search", "--repo", str(own_repo), "--", "--nope", "--help")
    assert refused.code == 2
    assert "unrecognized arguments: --help" in refused.err


def test_bug_nothing_found_was_an_error_for_some_commands(sonde: Sonde) -> None:
    for words in (
        ("symbol", "no_such_thing"),
        ("impact", "no_such_thing"),
        ("flow", "no_such_thing", "Client.connect"),
        ("why", TASK, "no_such_thing"),
        ("context", "zzzqqq"),
        ("rank", "zzzqqq"),
    ):
        assert sonde(*words).code == 1, words
    assert sonde("tests", "--files", "no_such_file.py").code == 2


def test_files_may_be_named_from_the_current_folder_or_from_the_root(
    sonde: Sonde, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo / "bank")
    for path in ("client.py", "./client.py", "bank/client.py", str(repo / "bank/client.py")):
        rows = [json.loads(line) for line in sonde("chunks", path).out.splitlines()]
        assert {row["file"] for row in rows} == {"bank/client.py"}
        assert "Client" in sonde("context", "--files", path).out
        assert sonde("tests", "--files", path).code == 0
    assert "did you mean bank/payment.py" in sonde("chunks", "../payment.py").err
    assert "outside" in sonde("chunks", "../../client.py").err


def test_bug_commands_named_paths_from_the_root_whatever_the_current_folder(
    sonde: Sonde, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("tests", "--files", "bank/payment.py")
    whole = sonde(*asked, "--print", "command").out.strip()
    monkeypatch.chdir(repo / "bank")
    assert sonde(*asked, "--print", "command").out.strip() == f"(cd .. && {whole})"
    assert f"  (cd .. && {whole})\n" in sonde(*asked).out
    assert sonde(*asked, "--json").json["commands"] == [whole]
    monkeypatch.chdir(repo.parent)
    assert sonde(*asked, "--print", "command", "--repo", str(repo)).out.strip() == whole


def test_bug_members_in_other_files_were_told_by_their_line_alone(
    sonde: Sonde, own_repo: Path
) -> None:
    (own_repo / "Row.swift").write_text("struct Row {\n  func own() {}\n}\n")
    (own_repo / "More.swift").write_text("\nextension Row {\n  func more() {}\n}\n")
    shown = sonde("symbol", "Row", "--repo", str(own_repo)).out
    assert [" ".join(line.split()) for line in shown.splitlines() if "method" in line] == [
        "own method line 2",
        "more method More.swift:3",
    ]
