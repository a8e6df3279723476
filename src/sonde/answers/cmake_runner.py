"""The command that builds a CMake project and runs its tests with ctest."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from sonde.answers.folders import folders_above, holds, in_folder
from sonde.answers.package_runner import MOST_NODES
from sonde.answers.results import TestCase
from sonde.retrieve.view import View

_LISTS = "CMakeLists.txt"
_BUILD = "build"
_ENABLES = re.compile(rb"^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\s*\))", re.M | re.I)
# ctest knows a test by its own name only where the program is asked for them.
_ASKS = re.compile(rb"^\s*(?:\w+_discover_tests|gtest_add_tests)\s*\(", re.M | re.I)
_SPECIAL = re.compile(r"[][.^$*+?()|\\]")


def cmake_commands(view: View, cases: Sequence[TestCase]) -> list[str]:
    """One command for each project; none where ctest is not enabled."""
    chosen: dict[tuple[str, str], set[str]] = {}
    for case in cases:
        lists = [each for each in folders_above(case.file) if holds(view, each, _LISTS)]
        enabling = [each for each in lists if _says(view, each, _ENABLES)]
        if enabling:
            asks = any(_says(view, each, _ASKS) for each in lists)
            name = case.node if asks and case.node != case.file else ""
            chosen.setdefault((lists[-1], enabling[-1]), set()).add(name)
    return [_command(*key, chosen[key]) for key in sorted(chosen)]


def _says(view: View, folder: str, what: re.Pattern[bytes]) -> bool:
    return what.search(view.text(f"{folder}/{_LISTS}".lstrip("/"))) is not None


def _command(root: str, enabling: str, names: set[str]) -> str:
    """From the project's root; tests are listed below the folder that enables them."""
    tests = _BUILD + enabling[len(root) :] if root else f"{_BUILD}/{enabling}".rstrip("/")
    run = f"ctest --test-dir {shlex.quote(tests)} --output-on-failure"
    if "" not in names and len(names) <= MOST_NODES:  # "": a test that ctest may not know by name
        # Not the whole name: parameters and types are written before and behind it.
        pattern = "|".join(_SPECIAL.sub(r"\\\g<0>", name) for name in sorted(names))
        run += f" -R {shlex.quote(pattern)}"
    return in_folder(root, f"cmake -S . -B {_BUILD} && cmake --build {_BUILD} && {run}")
