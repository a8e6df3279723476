"""Measuring other programs: ctags' definitions, ripgrep's hits, a command's cost."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from bench.adapters import tools
from bench.adapters.contract import Question, Unavailable
from bench.adapters.definitions import Definition
from bench.adapters.ripgrep import RipgrepAdapter, keywords
from bench.corpus import CorpusError
from bench.ctags_definitions import compare_definitions, comparison_text, record, totals
from bench.index_cost import find_repo
from bench.index_driver import replace
from bench.process_cost import CommandFailed, run_measured

needs_proc = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs /proc")


def ctag(name: str, kind: str, line: int, language: str = "Python") -> Definition:
    return Definition(name, kind, "a.py", line, line, language)


def test_decorated_definition_counts_as_found() -> None:
    ours = [Definition("Box.open", "method", "a.py", 4, 9)]
    found = compare_definitions([ctag("Box.open", "member", 5)], ours)
    assert found.missing == {}
    assert "Python: 100.00 % of 1 found" in comparison_text(found)


def test_missing_definition_is_shown_by_kind_with_its_place() -> None:
    ours = [Definition("other", "function", "a.py", 1, 2)]
    text = comparison_text(compare_definitions([ctag("lost", "function", 7)], ours))
    assert "Python: 0.00 % of 1 found" in text
    assert "1 function: lost a.py:7" in text


def test_variables_and_import_aliases_are_not_compared() -> None:
    theirs = [ctag("x", "variable", 1), ctag("np", "namespace", 2), ctag("m", "member", 3, "Go")]
    assert not compare_definitions(theirs, []).total


def test_files_that_are_not_indexed_are_told_apart() -> None:
    found = compare_definitions([ctag("f", "function", 1)], [])
    assert (found.total.total(), found.elsewhere) == (0, {"a.py": 1})


def test_keywords_leave_out_stop_words_and_repetitions() -> None:
    assert keywords("How does the Parser parse the parser state?") == ["parser", "parse", "state"]


def test_ripgrep_prefers_definitions_with_more_different_keywords(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "def one():\n    token = token + token\n\ndef two():\n    token = expiry\n"
    )
    known = [Definition("one", "f", "a.py", 1, 2), Definition("two", "f", "a.py", 4, 5)]
    adapter = RipgrepAdapter(lambda repo: known)
    adapter.prepare(tmp_path)
    answer = adapter.rank(tmp_path, [Question("q", "token expiry")], 10)[0]
    assert [hit.name for hit in answer.symbols] == ["two", "one"]
    pack = adapter.pack(tmp_path, [Question("q", "token expiry")], 8)[0]
    assert pack.symbols == ("two",)
    assert pack.tokens <= 8


def test_what_ctags_calls_a_class_and_is_none_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text(
        "const options = {};\nrequest.onabort = function handleAbort() {};\nclass Real {}\n"
        "class Lost {}\n"
    )
    theirs = [
        Definition(name, kind, "a.js", line, line, "JavaScript")
        for line, (name, kind) in enumerate(
            [
                ("options", "class"),
                ("handleAbort", "function"),
                ("Real", "class"),
                ("Lost", "class"),
            ],
            1,
        )
    ]
    ours = [Definition("Real", "class", "a.js", 3, 3)]
    found = totals({"shop": record(compare_definitions(theirs, ours), tmp_path)})["JavaScript"]
    assert found["percent"] == 25.0
    assert found["percent of what the source defines"] == 66.67
    assert found["missing"]["an object or array, a class for ctags"] == 1


def test_what_a_macro_defines_is_explained_only_by_a_definition_of_ours(tmp_path: Path) -> None:
    (tmp_path / "a.cc").write_text(
        "TEST(Suite, works) {}\nTEST(Suite, lost) {}\nREGISTER(other) {}\nint TEST() {}\n"
    )
    theirs = [
        Definition(name, "function", "a.cc", line, line, "C++")
        for line, name in enumerate(["TEST", "TEST", "REGISTER", "TEST"], 1)
    ]
    ours = [
        Definition("Suite.works", "method", "a.cc", 1, 1),
        Definition("unrelated", "function", "a.cc", 3, 3),
        Definition("works", "function", "a.cc", 4, 4),
    ]
    found = totals({"shop": record(compare_definitions(theirs, ours), tmp_path)})["C++"]
    assert found["found"] == 0
    assert found["percent of what the source defines"] == 25.0
    given = "a function that a macro defines or exports, ours by the name it is given"
    assert found["missing"][given] == 1


def test_uses_that_ctags_calls_definitions_are_told_apart_by_the_grammar(tmp_path: Path) -> None:
    sources = {
        "a.kt": "fun f() {\n  for (item in items) {\n    use(item)\n  }\n}\nclass Lost\n",
        "a.cs": "using Array = System.Array;\nclass Page<T> where T : class {}\nclass Lost {}\n",
        "a.ts": "class C {\n  x = run(store, (s) => s);\n}\nclass Lost {}\n",
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    theirs = [
        Definition("f.item", "method", "a.kt", 2, 2, "Kotlin"),
        Definition("Lost", "class", "a.kt", 6, 6, "Kotlin"),
        Definition("Array", "typedef", "a.cs", 1, 1, "C#"),
        Definition("T", "class", "a.cs", 2, 2, "C#"),
        Definition("Lost", "class", "a.cs", 3, 3, "C#"),
        Definition("C.store", "method", "a.ts", 2, 2, "TypeScript"),
        Definition("Lost", "class", "a.ts", 4, 4, "TypeScript"),
    ]
    ours = [Definition("known", "function", name, 1, 1) for name in sources]
    found = record(compare_definitions(theirs, ours), tmp_path)
    assert {language: figures["missing"] for language, figures in found.items()} == {
        "Kotlin": {"the variable of a loop or branch": 1, "unexplained": 1},
        "C#": {
            "another name for an import": 1,
            "a type parameter, or a type that is only referred to": 1,
            "unexplained": 1,
        },
        "TypeScript": {"a call, or what is handed to one or compared": 1, "unexplained": 1},
    }


def test_absent_tool_says_how_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="python -m bench install codegraph"):
        tools.installed("codegraph", tmp_path / "codegraph")


@needs_proc
def test_cost_includes_children() -> None:
    child = "x = bytearray(120_000_000); import time; time.sleep(0.4)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    cost = run_measured([sys.executable, "-c", parent], os.environ)
    assert cost.peak_memory > 120_000_000
    assert 0 < cost.cpu < cost.wall


@needs_proc
def test_failed_command_is_told_by_its_last_line() -> None:
    with pytest.raises(CommandFailed, match="no luck"):
        run_measured([sys.executable, "-c", "import sys; sys.exit('no luck')"], os.environ)


def test_repository_to_measure_is_a_folder_or_a_pinned_name(tmp_path: Path) -> None:
    (tmp_path / "django").mkdir()
    assert find_repo(str(tmp_path / "django")) == tmp_path / "django"
    with pytest.raises(CorpusError, match="no pinned repository 'nothing'"):
        find_repo(str(tmp_path / "nothing"))
    with pytest.raises(CorpusError, match="no clone of kubernetes/kubernetes"):
        find_repo(str(tmp_path / "kubernetes"))


def test_an_edit_does_not_reach_a_linked_file(tmp_path: Path) -> None:
    original, copy = tmp_path / "a.py", tmp_path / "b.py"
    original.write_text("old")
    os.link(original, copy)
    replace(copy, b"new")
    assert (original.read_text(), copy.read_text()) == ("old", "new")
