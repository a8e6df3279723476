"""Facts by content: what is forgotten, and what never is."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.store.errors import ProblemKind, StoreError
from sonde.store.facts import FactStore


def _content(number: int) -> bytes:
    return number.to_bytes(16, "big")


@pytest.fixture
def few_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sonde.store.facts._FEWEST_KEPT", 4)


def test_pruning_forgets_the_oldest_that_no_file_has(tmp_path: Path, few_kept: None) -> None:
    store = FactStore(tmp_path / "facts.db", "1")
    store.add((_content(number), "python", b"data") for number in range(10))
    store.prune({(_content(0), "python")})
    kept = [number for number in range(10) if store.has(_content(number), "python")]
    assert kept == [0, 7, 8, 9]
    store.close()


def test_pruning_keeps_all_that_files_have_however_many(tmp_path: Path, few_kept: None) -> None:
    store = FactStore(tmp_path / "facts.db", "1")
    wanted = {(_content(number), "go") for number in range(20)}
    store.add((content, language, b"data") for content, language in sorted(wanted))
    store.prune(wanted)
    assert all(store.has(*each) for each in wanted)
    store.close()


def test_facts_of_another_extractor_are_forgotten(tmp_path: Path) -> None:
    old = FactStore(tmp_path / "facts.db", "1")
    old.add([(_content(1), "python", b"data")])
    new = FactStore(tmp_path / "facts.db", "2")
    new.add([(_content(2), "python", b"data")])
    new.prune(set())
    assert not old.has(_content(1), "python")
    assert new.has(_content(2), "python")
    old.close()
    new.close()


def test_damage_that_a_look_for_facts_finds_is_damage_of_the_facts(tmp_path: Path) -> None:
    """It was taken for damage of the index, which was rebuilt, and the sync failed."""
    path = tmp_path / "facts.db"
    store = FactStore(path, "1")
    store.add((_content(number), "python", b"data" * 100) for number in range(50))
    store.close()
    damaged = FactStore(path, "1")
    data = path.read_bytes()
    path.write_bytes(data[:1024] + b"\xff" * (len(data) - 1024))
    with pytest.raises(StoreError) as error:
        damaged.has(_content(1), "python")
    damaged.close()
    assert error.value.problem.kind is ProblemKind.CORRUPT_FACTS
