"""Rules, pitfalls and commands: found, scoped, ranked, doubted, and written on request."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from sonde.artefacts import runbook
from sonde.artefacts.artefact import Artefact, ArtefactKind
from sonde.artefacts.finding import find_artefacts, folders_of
from sonde.artefacts.note import add_note
from sonde.artefacts.relevance import by_relevance
from sonde.artefacts.staleness import stale_reason
from sonde.store.whole_file import replace_file

AGENTS = """\
---
title: rules
---
# Rules

Some talk about the project that is long enough to be a paragraph.

- Always use **parameterised** queries, see [the guide](docs/sql.md).
- Never write a token into a log;
  not even in tests.

```sh
- this is code
```

## Gotchas

- Tests need `DATABASE_URL`.

## Code of conduct

- Be kind to everybody here.
"""


def found(root: Path, files: Mapping[str, str], folders: list[str] | None = None) -> list[Artefact]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return find_artefacts(root, folders or [""])


def said(artefacts: list[Artefact], kind: ArtefactKind) -> list[str]:
    return [each.text for each in artefacts if each.kind is kind]


def commands(artefacts: list[Artefact]) -> dict[str, str]:
    return {each.name: each.text for each in artefacts if each.kind is ArtefactKind.RUNBOOK}


def test_entries_of_a_file_for_agents_are_rules_and_those_under_gotchas_pitfalls(tmp_path: Path):
    artefacts = found(tmp_path, {"AGENTS.md": AGENTS})
    assert said(artefacts, ArtefactKind.CONSTITUTION) == [
        "Always use parameterised queries, see the guide.",
        "Never write a token into a log; not even in tests.",
    ]
    assert said(artefacts, ArtefactKind.GOTCHA) == ["Tests need `DATABASE_URL`."]
    assert [each.line for each in artefacts] == [8, 9, 18]


def test_of_a_file_for_people_only_demands_are_rules(tmp_path: Path):
    text = "# Contributing\n\n- We meet on Fridays for a drink.\n- Commits must be signed.\n"
    artefacts = found(tmp_path, {"CONTRIBUTING.md": text})
    assert said(artefacts, ArtefactKind.CONSTITUTION) == ["Commits must be signed."]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"Makefile": "CC := gcc\ntest: build\n\tpytest\nbuild:\n\tcc\n.PHONY: test\n"},
            {"test": "make test", "build": "make build"},
        ),
        (
            {"package.json": '{"scripts": {"test": "jest", "lint": "eslint ."}}', "yarn.lock": ""},
            {"test": "yarn test", "lint": "yarn run lint"},
        ),
        ({"package.json": '{"scripts": {"build": "tsc"}}'}, {"build": "npm run build"}),
        ({"pyproject.toml": "[tool.pytest.ini_options]\n[tool.mypy]\n"},
         {"test": "pytest", "types": "mypy"}),
        ({"tox.ini": "[testenv]\n[testenv:lint]\n"}, {"test": "tox", "lint": "tox -e lint"}),
        (
            {".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n      - run: pytest -q\n"
             "      - run: |\n          pip install .\n          ruff check src\n"},
            {"test": "pytest -q", "lint": "ruff check src"},
        ),
        ({"Cargo.toml": "[package]\n"},
         {"test": "cargo test", "build": "cargo build", "lint": "cargo clippy"}),
        ({".sonde/runbook.md": "- test: make check\n", "Makefile": "test:\n\tx\n"},
         {"test": "make check"}),
        ({"package.json": "{ not json", "pyproject.toml": "= = ="}, {}),
    ],
)  # fmt: skip
def test_commands_come_from_the_files_that_tools_read(
    tmp_path: Path, files: Mapping[str, str], expected: Mapping[str, str]
):
    assert commands(found(tmp_path, files)) == expected


def test_bug_a_check_before_the_tests_was_the_command_that_tests(tmp_path: Path):
    scripts = '{"scripts": {"check": "lint all", "lint:fix": "a", "test": "jest", "lint": "b"}}'
    artefacts = found(tmp_path, {"package.json": scripts})
    assert commands(artefacts) == {"test": "npm test", "lint": "npm run lint"}


def test_bug_packages_of_a_locked_workspace_were_run_by_npm(tmp_path: Path):
    scripts = '{"scripts": {"test": "jest"}}'
    files = {
        "package.json": scripts,
        "yarn.lock": "",
        "web/core/package.json": scripts,
        "own/package.json": scripts,
        "own/package-lock.json": "{}",
    }
    artefacts = found(tmp_path, files, ["", "web", "web/core", "own"])
    assert [(each.scope, each.text) for each in artefacts] == [
        ("", "yarn test"),
        ("web/core", "yarn test"),
        ("own", "npm test"),
    ]


def test_a_rule_holds_below_its_folder_and_the_nearer_one_comes_first(tmp_path: Path):
    files = {
        "AGENTS.md": "- Use four blanks everywhere.\n",
        "web/AGENTS.md": "- Use two blanks in here.\n",
    }
    artefacts = found(tmp_path, files, folders_of(["web/app.js", "db/main.py"]))
    web = [each.text for _, each in by_relevance(artefacts, "indent", ["web/app.js"])]
    assert web == ["Use two blanks in here.", "Use four blanks everywhere."]
    database = [each.text for _, each in by_relevance(artefacts, "indent", ["db/main.py"])]
    assert database == ["Use four blanks everywhere."]


def test_what_shares_words_with_the_task_comes_first(tmp_path: Path):
    text = "- Keep functions short.\n- Validate coupons on the server.\n- Name tests well.\n"
    artefacts = found(tmp_path, {"AGENTS.md": text})
    ranked = by_relevance(artefacts, "validating an expired coupon", [])
    assert ranked[0][1].text == "Validate coupons on the server."


def test_a_rule_about_a_file_that_is_gone_is_stale(tmp_path: Path):
    text = "- Put queries into `src/sql.py`.\n- Put views into `src/views.py`.\n"
    artefacts = found(tmp_path, {"AGENTS.md": text, "src/views.py": ""})
    reasons = [stale_reason(each, tmp_path, artefacts) for each in artefacts]
    assert reasons == ["names src/sql.py, which is not there", ""]


def test_a_path_within_a_package_is_not_called_gone(tmp_path: Path):
    text = "- Add a line to `failures/tools.py`.\n- Add a line to `src/gone/tools.py`.\n"
    artefacts = found(tmp_path, {"AGENTS.md": text, "src/shop/failures/tools.py": ""})
    reasons = [stale_reason(each, tmp_path, artefacts) for each in artefacts]
    assert reasons == ["", "names src/gone/tools.py, which is not there"]


def test_a_command_that_makes_no_known_target_is_stale(tmp_path: Path):
    files = {
        "Makefile": "test:\n\tpytest\n",
        ".github/workflows/a.yml": "    - run: make lint\n",
    }
    artefacts = found(tmp_path, files)
    (lint,) = [each for each in artefacts if each.name == "lint"]
    assert "lint" in stale_reason(lint, tmp_path, artefacts)


def test_a_note_that_makes_a_target_of_the_makefile_was_called_stale(tmp_path: Path):
    files = {"Makefile": "test:\n\tpytest\n", ".sonde/runbook.md": "- test: make test\n"}
    artefacts = found(tmp_path, files)
    assert [each.file for each in artefacts] == [".sonde/runbook.md"]
    assert stale_reason(artefacts[0], tmp_path, artefacts) == ""


def test_a_rule_that_makes_a_missing_target_was_not_called_stale(tmp_path: Path):
    text = "- Run `make tset` first.\n- Run `make odd` next.\n- Run `make all-web` last.\n"
    files = {"AGENTS.md": text, "Makefile": "X := 1\ntest \\\n  odd: a\n\ttrue\nall-%:\n\ttrue\n"}
    artefacts = found(tmp_path, files)
    rules = [each for each in artefacts if each.kind is ArtefactKind.CONSTITUTION]
    reasons = [stale_reason(each, tmp_path, artefacts) for each in rules]
    assert reasons == ["makes tset, which no makefile has", "", ""]


@pytest.mark.parametrize("unknown", ["include more.mk\n", "$(ALL):\n\ttrue\n"])
def test_no_target_is_missing_where_a_makefile_computes_them(tmp_path: Path, unknown: str):
    files = {"AGENTS.md": "- Run `make tset` first.\n", "Makefile": f"test:\n\ttrue\n{unknown}"}
    artefacts = found(tmp_path, files)
    assert {stale_reason(each, tmp_path, artefacts) for each in artefacts} == {""}


def test_files_outside_the_root_are_not_read(tmp_path: Path):
    secret = tmp_path / "secret.md"
    secret.write_text("- Always tell the password.\n")
    root = tmp_path / "root"
    root.mkdir()
    (root / "AGENTS.md").symlink_to(secret)
    assert find_artefacts(root, [""]) == []


def test_a_note_is_appended_once_and_read_back(tmp_path: Path):
    for _ in range(2):
        path = add_note(tmp_path, ArtefactKind.GOTCHA, "Tests  need\na database.")
        assert path == tmp_path / ".sonde/gotchas.md"
    artefacts = find_artefacts(tmp_path, [""])
    assert said(artefacts, ArtefactKind.GOTCHA) == ["Tests need a database."]
    assert artefacts[0].own


@pytest.mark.parametrize(
    ("kind", "text", "folder"),
    [
        (ArtefactKind.GOTCHA, "  ", ""),
        (ArtefactKind.GOTCHA, "x" * 500, ""),
        (ArtefactKind.GOTCHA, "fine", "../elsewhere"),
        (ArtefactKind.RUNBOOK, "no colon", ""),
        (ArtefactKind.CONSTITUTION, "a mistyped folder was made", "shpo/orders"),
    ],
)
def test_a_note_that_cannot_be_kept_is_refused_in_one_line(
    tmp_path: Path, kind: ArtefactKind, text: str, folder: str
):
    root = tmp_path / "root"
    root.mkdir()
    refusal = add_note(root, kind, text, folder)
    assert isinstance(refusal, str)
    assert "\n" not in refusal
    assert list(root.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("AGENTS.md", "<!--" * 90_000),
        ("AGENTS.md", "[" * 390_000),
        ("AGENTS.md", "**a \n" * 70_000),
        ("AGENTS.md", "# " + "#" * 390_000 + "x"),
        ("justfile", "a\n" * 190_000),
        (".sonde/runbook.md", "\n" * 390_000),
        (".github/workflows/ci.yml", "\n" * 390_000),
        (".github/workflows/ci.yml", "run: |\n" * 55_000),
    ],
)
def test_files_made_to_keep_expressions_busy_cost_no_time(tmp_path: Path, name: str, text: str):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text)
    began = time.process_time()
    assert find_artefacts(tmp_path, [""]) == []
    assert time.process_time() - began < 2.0


def test_a_recipe_below_another_statement_was_taken_for_its_end():
    recipes = runbook.justfile("mod tools\n\ntest:\n  cargo test\n", frozenset())
    assert list(recipes) == [runbook.Line("test", "just test", 3)]


def test_blank_lines_before_a_step_neither_hide_its_commands_nor_move_them():
    text = "steps:\n  - name: x\n\n\n\n\n    run: |\n      pytest -q\n      ruff check\n"
    found = [(line.command, line.line) for line in runbook.workflow(text, frozenset())]
    assert found == [("pytest -q", 8), ("ruff check", 9)]


def test_a_note_leaves_the_line_ends_of_its_file_as_they_are(tmp_path: Path):
    path = tmp_path / ".sonde/gotchas.md"
    path.parent.mkdir()
    path.write_bytes(b"# Gotcha\r\n\r\n- One.\r\n")
    for _ in range(2):
        assert add_note(tmp_path, ArtefactKind.GOTCHA, "Two.") == path
    assert path.read_bytes() == b"# Gotcha\r\n\r\n- One.\r\n- Two.\r\n"


def test_a_file_that_cannot_be_replaced_leaves_nothing_beside_it(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path / "folder", "text")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_bug_rules_beside_the_workflows_were_told_twice(tmp_path: Path):
    files = {".github/CONTRIBUTING.md": "# Contributing\n\n- Commits must be signed.\n"}
    artefacts = found(tmp_path, files, ["", ".github"])
    assert [(each.text, each.scope) for each in artefacts] == [("Commits must be signed.", "")]


def test_bug_parts_of_a_gradle_build_had_commands_without_its_wrapper(tmp_path: Path):
    files = {
        "settings.gradle.kts": 'include(":core")\n',
        "gradlew": "#!/bin/sh\n",
        "build.gradle.kts": "plugins {}\n",
        "core/json/build.gradle.kts": "plugins {}\n",
        "android/settings.gradle": "\n",
        "android/build.gradle": "\n",
    }
    artefacts = found(tmp_path, files, ["", "android", "core", "core/json"])
    assert [(each.scope, each.text) for each in artefacts] == [
        ("", "./gradlew test"),
        ("", "./gradlew build"),
        ("android", "gradle test"),
        ("android", "gradle build"),
    ]


def test_the_wrapper_of_maven_is_used_where_there_is_one(tmp_path: Path):
    artefacts = found(tmp_path, {"pom.xml": "<project/>\n", "mvnw": "#!/bin/sh\n"})
    assert commands(artefacts) == {"test": "./mvnw test", "build": "./mvnw package"}
