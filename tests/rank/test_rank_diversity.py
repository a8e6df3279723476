"""The same name again and again steps back."""

from __future__ import annotations

import pytest

from sonde.model import FileKind, Kind, Ranked, SymbolRecord
from sonde.rank.diversity import RULE, spread


def ranked(name: str, score: float, file: str = "a.py") -> Ranked:
    symbol = SymbolRecord(
        hash((name, file)), file, "go", FileKind.SOURCE, name, name, Kind.METHOD,
        1, 2, 0, 9, 0, "", "", "public",
    )  # fmt: skip
    return Ranked(symbol, score, (("fulltext", score),))


def test_a_repeated_name_falls_behind_another_one() -> None:
    before = [ranked("open", 1.0), ranked("open", 0.98, "b.py"), ranked("close", 0.97)]
    assert [one.symbol.name for one in spread(before)] == ["open", "close", "open"]


def test_each_repetition_costs_more_than_the_one_before() -> None:
    after = spread([ranked("open", 1.0, f"{n}.py") for n in range(4)])
    lost = [1.0 - one.score for one in after]
    assert lost[0] == 0.0
    assert lost == sorted(lost)
    assert lost[2] == pytest.approx(2 * lost[1])


def test_what_is_lost_is_told_as_a_contribution() -> None:
    second = spread([ranked("open", 1.0), ranked("open", 0.9, "b.py")])[1]
    assert second.contributions[-1][0] == RULE
    assert sum(part for _, part in second.contributions) == pytest.approx(second.score)


def test_different_names_are_left_as_they_are() -> None:
    before = [ranked("open", 1.0), ranked("close", 0.9), ranked("read", 0.8)]
    assert spread(before) == before


def test_nothing_is_lost_and_nothing_added() -> None:
    before = [ranked("open", 1.0 - n / 1000, f"{n}.py") for n in range(300)]
    after = spread(before)
    assert len(after) == 300
    assert {one.symbol.file for one in after} == {one.symbol.file for one in before}
    assert spread([]) == []
