"""Candidates nobody wants: bodies of test doubles, fixtures, names too short to mean anything."""

from __future__ import annotations

from collections.abc import Collection

from sonde.lately import remembered
from sonde.model import FileKind, Kind, SymbolRecord

FILTER = "noise"
_MODULE = Kind.MODULE  # bound once, as reading a member off its enum is slow
_NO_CODE = (FileKind.TEXT, FileKind.CONFIG)
_SHORT_NAMES_KEPT = frozenset({"id", "ok", "db", "ip", "io", "go", "do", "os", "fs", "ui", "vm"})
_FIXTURE_MARKS = (
    "conftest.py",
    "/fixtures/",
    "/fixture/",
    "/testdata/",
    "/testutil",
    "test_helper",
)


def is_noise(record: SymbolRecord, about_tests: bool, marked: Collection[str] = ()) -> bool:
    """Whether a symbol would only displace a better one; `marked` names never do."""
    if record.kind is _MODULE:
        return record.file_kind in _NO_CODE
    if marked and (record.name in marked or record.qualname in marked):
        return False
    if len(record.name) <= 2 and record.name.lower() not in _SHORT_NAMES_KEPT:
        return True
    if about_tests:
        return False
    return _is_fixture(record.file)


@remembered(2_000)
def _is_fixture(file: str) -> bool:
    path = f"/{file.lower()}"
    return any(mark in path for mark in _FIXTURE_MARKS)
