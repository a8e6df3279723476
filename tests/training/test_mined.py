"""Mining goes by repository, in the order of the cases, and numbers symbols the same each time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from bench.corpus import Corpus
from bench.data import SymbolTask
from training.mined import by_repository
from training.tasks import Place


def case(repo: str, number: int) -> SymbolTask:
    return SymbolTask(f"{repo}-{number}", repo, "", "", "", ())


def slow_for_the_first(cases: Sequence[SymbolTask], _: Corpus) -> Iterator[str]:
    if cases[0].repo == "a/shop":
        time.sleep(0.3)
    yield from (f"{each.id} of {len(cases)}" for each in cases)


def test_what_is_mined_comes_in_the_order_of_the_cases(tmp_path: Path) -> None:
    cases = [case("a/shop", 1), case("b/bank", 1), case("a/shop", 2), case("c/farm", 1)]
    found = list(by_repository(slow_for_the_first, cases, Corpus.at(str(tmp_path), None)))
    assert found == ["a/shop-1 of 2", "a/shop-2 of 2", "b/bank-1 of 1", "c/farm-1 of 1"]


def test_symbols_were_numbered_as_workers_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    folder = tmp_path / "shop"
    folder.mkdir()
    for number in range(80):
        body = "".join(f"def open_{number}_{each}(): pass\n" for each in range(300 - 3 * number))
        (folder / f"till_{number:02}.py").write_text(body)
    with Place(folder, tmp_path) as view:
        paths = [view.index.files()[at].path for at in range(80)]
        first = [view.index.ids_in_file(path)[0] for path in paths]
    assert paths == sorted(paths)
    assert first == sorted(first)
