"""Which definitions are tests, how their runner addresses them, and the command that runs them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence

from sonde.answers.cmake_runner import cmake_commands
from sonde.answers.edges import around, is_test
from sonde.answers.folders import quoted
from sonde.answers.jvm_runner import jvm_commands
from sonde.answers.package_runner import (
    MOST_NODES,
    go_commands,
    php_commands,
    ruby_commands,
    rust_commands,
)
from sonde.answers.results import TestCase
from sonde.answers.script_runner import script_commands
from sonde.model import CALLABLE_KINDS, FileKind, Kind, SymbolRecord
from sonde.retrieve.view import View

_BY_NAME = {
    "python": re.compile(r"^test"),
    "go": re.compile(r"^(?:Test|Fuzz|Example|Benchmark)(?:[^a-z]|$)"),
    "ruby": re.compile(r"^test_"),
    "php": re.compile(r"^test"),
    "swift": re.compile(r"^test"),
    "java": re.compile(r"^test"),
    "c": re.compile(r"^test"),
}
# TEST(Suite, name), TEST_CASE("what holds"), BOOST_AUTO_TEST_CASE(name), SCENARIO("…")
_BY_MACRO = re.compile(r"[A-Z_]*(?:TEST|SCENARIO)[A-Z_]*\s?\(")
# languages in which code of a test file may be run by what is no function marked as a test
_WHOLE_FILES = frozenset({"c", "cpp", "kotlin", "scala"})
_MARKED = re.compile(r"(?:^|[.@#\[:\s])(?:test|Test|ParameterizedTest|Fact|Theory|TestMethod)\b")
_SET_UP = frozenset({"conftest.py", "spec_helper.rb", "test_helper.rb", "rails_helper.rb"})
_PYTHON_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests?)\.py$")
_SCRIPT_FILE = re.compile(r"[.\-_](?:test|tests|spec|e2e|cy)\.[cm]?[jt]sx?$|(?:^|/)__tests__/")
_SCRIPT_CALL = re.compile(rb"^([ \t]*)(?:test|it|describe|suite|specify)(?:\.\w+)?\(", re.MULTILINE)
_SCRIPT_EXPORT = re.compile(rb"^export\b|^(?:module\.)?exports\b", re.MULTILINE)
_RUBY_FILE = re.compile(r"_(?:spec|test)\.rb$|(?:^|/)(?:test|spec|tc)_[^/]*\.rb$")
_PHP_FILE = re.compile(r"(?:Test|_test|Cest|Spec)\.php$")
_PHP_CALL = re.compile(rb"^\s*(?:test|it|describe)\(", re.MULTILINE)  # of Pest
_JVM_FILE = re.compile(r"(?:Tests?|TestCase|Specs?|Suite|IT|Properties)\.\w+$|(?:^|/)Test[^/]*$")
_SCRIPT = frozenset({"javascript", "typescript", "tsx", "jsx"})


def is_set_up(path: str) -> bool:
    """Whether a file only sets up the tests around it."""
    return path.rpartition("/")[2] in _SET_UP


def runs(view: View, symbol: SymbolRecord) -> bool:
    """Whether a runner given this test or file would run anything."""
    if is_set_up(symbol.file):
        return False
    if symbol.kind is not Kind.MODULE:
        return _is_test_case(symbol) and not around(view.index.graph, symbol.id)
    if symbol.language == "python" and not _PYTHON_FILE.search(symbol.file):
        return any(_is_test_case(each) for each in _inside(view, symbol))
    if symbol.language in _SCRIPT and not _SCRIPT_FILE.search(symbol.file):
        return _calls_a_runner(view.text(symbol.file))
    if _RUN_AS.get(symbol.language) == "jvm" and not _JVM_FILE.search(symbol.file):
        return any(_is_test_case(each) for each in _inside(view, symbol))
    if symbol.language == "ruby":
        return _RUBY_FILE.search(symbol.file) is not None
    if symbol.language == "php" and not _PHP_FILE.search(symbol.file):
        return _PHP_CALL.search(view.text(symbol.file)) is not None
    return True


def stands_for_file(symbol: SymbolRecord) -> bool:
    """Whether what reaches a symbol of a test file, and is no test itself, is told by its file."""
    return symbol.language in _WHOLE_FILES and symbol.kind is not Kind.MODULE


def _calls_a_runner(text: bytes) -> bool:
    """Whether a script has tests of its own: what it exports may declare tests for others."""
    margins = {match[1] for match in _SCRIPT_CALL.finditer(text)}
    return b"" in margins or (bool(margins) and not _SCRIPT_EXPORT.search(text))


def has_inline_tests(view: View) -> bool:
    """Whether tests may be outside test files: Rust keeps them beside the code."""
    return "rust" in view.languages


def inline_tests(view: View, ids: Iterable[int]) -> list[SymbolRecord]:
    """The symbols that are tests outside test files."""
    if not has_inline_tests(view):  # listing Rust's files of django took a thirtieth of a question
        return []
    graph = view.index.graph
    files = {each.id for each in view.files.values() if each.language == "rust"}
    near = [id for id in ids if int(graph.columns.file[id]) in files and not is_test(graph, id)]
    return [record for record in view.records(near) if is_inline_test(record)]


def is_inline_test(symbol: SymbolRecord) -> bool:
    """Whether a definition outside test files is marked as a test."""
    rust = symbol.language == "rust" and symbol.file_kind is not FileKind.TEST
    return rust and _is_test_case(symbol)


def _inside(view: View, module: SymbolRecord) -> list[SymbolRecord]:
    return view.records(view.index.ids_in_file(module.file))


def _is_test_case(symbol: SymbolRecord) -> bool:
    if symbol.kind not in CALLABLE_KINDS:
        return False
    pattern = _BY_NAME.get(symbol.language)
    if pattern is not None and pattern.match(symbol.name):
        return True
    if symbol.language in ("c", "cpp") and _BY_MACRO.match(symbol.signature):
        return True
    return any(_MARKED.search(mark) for mark in symbol.decorators)


def node_id(symbol: SymbolRecord) -> str:
    """The test's address: the file for a module, otherwise what its runner accepts."""
    if symbol.kind is Kind.MODULE:
        return symbol.file
    if symbol.language == "python":
        return f"{symbol.file}::{symbol.qualname.replace('.', '::')}"
    if symbol.language == "go":
        return symbol.name
    return symbol.qualname


def commands(view: View, cases: Sequence[TestCase]) -> list[str]:
    """Ready commands, one or more per language; none for languages without a standard runner."""
    by_language: dict[str, list[TestCase]] = {}
    for case in cases:
        by_language.setdefault(_RUN_AS.get(case.language, case.language), []).append(case)
    found: list[str] = []
    for language in sorted(by_language):
        make = _COMMANDS.get(language)
        if make is not None:
            found += make(view, by_language[language])
    return found


def without_command(view: View, cases: Sequence[TestCase]) -> list[str]:
    """What no ready command runs: languages whose projects each have a way of their own."""
    languages = sorted({case.language for case in cases})
    return [
        f"no command is known that runs the tests in {language} here"
        for language in languages
        if not commands(view, [case for case in cases if case.language == language])
    ]


def _files(cases: Sequence[TestCase]) -> list[str]:
    return sorted({case.file for case in cases})


def _pytest(_: View, cases: Sequence[TestCase]) -> list[str]:
    whole = {case.file for case in cases if case.node == case.file}
    nodes = sorted({case.file if case.file in whole else case.node for case in cases})
    if len(nodes) > MOST_NODES:
        return [f"pytest {quoted('', _files(cases))}"]
    return [f"pytest {' '.join(shlex.quote(node) for node in nodes)}"]


def _script(view: View, cases: Sequence[TestCase]) -> list[str]:
    return script_commands(view, _files(cases))


def _dotnet(_: View, cases: Sequence[TestCase]) -> list[str]:
    if any(case.node == case.file for case in cases):
        return ["dotnet test"]  # a file is no name of a test
    names = _few({case.node for case in cases})
    chosen = "|".join(f"FullyQualifiedName~{name}" for name in names)
    return [f"dotnet test --filter {shlex.quote(chosen)}" if chosen else "dotnet test"]


def _few(nodes: set[str]) -> list[str]:
    """Tests by name; by their types where those are many, none where even these are."""
    if len(nodes) > MOST_NODES:
        nodes = {node.rpartition(".")[0] or node for node in nodes}
    return sorted(nodes) if len(nodes) <= MOST_NODES else []


def _swift(view: View, cases: Sequence[TestCase]) -> list[str]:
    if view.file_at("Package.swift") is None:
        return []
    if any(case.node == case.file for case in cases):
        return ["swift test"]
    chosen = "|".join(name.replace(".", "/") for name in _few({case.node for case in cases}))
    return [f"swift test --filter {shlex.quote(chosen)}" if chosen else "swift test"]


_RUN_AS = {
    **dict.fromkeys(_SCRIPT, "javascript"),
    **dict.fromkeys(("java", "kotlin", "scala"), "jvm"),
    "c": "cpp",
}
_COMMANDS: dict[str, Callable[[View, Sequence[TestCase]], list[str]]] = {
    "python": _pytest,
    "go": go_commands,
    "javascript": _script,
    "rust": rust_commands,
    "ruby": ruby_commands,
    "jvm": jvm_commands,
    "cpp": cmake_commands,
    "csharp": _dotnet,
    "swift": _swift,
    "php": php_commands,
}
