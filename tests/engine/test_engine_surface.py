"""The exported surface, and the examples of its documentation."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys

import sonde
import sonde.engine
from sonde.engine import Engine

QUESTIONS = {
    "ask",
    "place",
    "chunks",
    "close",
    "embed",
    "embedded",
    "feedback",
    "flow",
    "for_files",
    "for_pr",
    "for_task",
    "forget",
    "hold",
    "impact",
    "learn",
    "rank",
    "rest",
    "search",
    "source",
    "status",
    "symbol",
    "symbols",
    "sync",
    "tests",
    "watch",
    "why",
}


def test_the_package_exports_exactly_these_names():
    names = ["Answer", "Engine", "Problem", "Refusal", "Session", "Settings", "__version__"]
    assert sonde.__all__ == names
    assert all(getattr(sonde, name) is not None for name in sonde.__all__)


def test_the_engine_has_exactly_these_methods_each_documented():
    methods = {
        name
        for name, value in inspect.getmembers(Engine)
        if callable(value) and not name.startswith("_")
    }
    assert methods == QUESTIONS
    assert all(inspect.getdoc(getattr(Engine, name)) for name in methods)


def test_examples_of_the_documentation_run(shared):
    found = doctest.testmod(sonde.engine, extraglobs={"engine": shared, "folder": shared.root})
    assert found.attempted > 10
    assert found.failed == 0


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import sys, sonde; heavy = {'numpy', 'tantivy', 'tree_sitter', 'typing', 'sonde.engine'};"
        " print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_name_of_the_package_is_an_attribute_error():
    assert not hasattr(sonde, "NoSuchThing")
