"""Reading a file whole, whatever its size was a moment ago."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from sonde.sync.reading import UNTRUSTED, Content, read_file

_LIMIT = 3_000_000


def _read_after(change: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Content | None:
    """What is read of a file of four bytes that changes once its size is known."""
    file = folder / "a.txt"
    file.write_bytes(b"four")
    os.utime(file, (1, 1))
    real = os.fstat

    def changing(descriptor: int) -> Any:
        status = real(descriptor)
        file.write_bytes(change)
        return status

    monkeypatch.setattr(os, "fstat", changing)
    return read_file(str(folder), "a.txt", _LIMIT)


@pytest.mark.parametrize("change", [b"", b"two", b"longer", b"x" * 2_500_000])
def test_a_file_that_changes_while_it_is_read_is_read_whole_and_not_trusted(
    change: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = _read_after(change, tmp_path, monkeypatch)
    assert content is not None
    assert (content.data, content.mtime_ns) == (change, UNTRUSTED)


def test_a_file_that_grows_over_the_limit_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _read_after(b"x" * (_LIMIT + 1), tmp_path, monkeypatch) is None


def test_an_empty_and_an_unchanged_file_are_read_and_trusted(tmp_path: Path) -> None:
    for name, data in (("empty", b""), ("some", b"data")):
        (tmp_path / name).write_bytes(data)
        os.utime(tmp_path / name, (1, 1))
        content = read_file(str(tmp_path), name, _LIMIT)
        assert content == Content(data, len(data), 1_000_000_000)
