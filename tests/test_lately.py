"""A dictionary that makes what it is asked for and forgets what was not used lately."""

from __future__ import annotations

import pytest

from sonde.lately import Lately, forget_remembered, remembered


def test_what_was_used_lately_is_not_made_again_and_the_rest_is_forgotten() -> None:
    made: list[int] = []

    def make(key: int) -> str:
        made.append(key)
        return str(key)

    known = Lately(3, make)
    assert [known[key] for key in (1, 2, 3)] == ["1", "2", "3"]
    for other in range(4, 40):
        assert known[1] == "1"  # in use all the time
        assert known[other] == str(other)
    assert made == list(range(1, 40))
    assert known[2] == "2"
    assert made[-1] == 2


def test_it_never_holds_more_than_twice_its_measure() -> None:
    known = Lately(5, str)
    for key in range(1_000):
        assert known[key % 70] == str(key % 70)
        assert len(known) + len(known._before) <= 10


def test_what_cannot_be_made_is_not_remembered() -> None:
    def fail(key: int) -> int:
        raise LookupError(key)

    known = Lately(2, fail)
    with pytest.raises(LookupError):
        known[1]
    assert not known


def test_several_are_made_together_and_only_where_they_are_new() -> None:
    made: list[list[int]] = []

    def make(keys: list[int]) -> dict[int, str]:
        made.append(keys)
        return {key: str(key) for key in keys if key != 9}

    known = Lately(4, lambda key: f"alone {key}")
    assert known.several([1, 2, 1], make) == ["1", "2", "1"]
    assert known.several([2, 3, 9], make) == ["2", "3", "alone 9"]
    assert known.several([5, 6], make) == ["5", "6"]
    assert known.several([1, 6, 3], make) == ["1", "6", "3"]
    assert made == [[1, 2, 1], [3, 9], [5, 6]]
    assert known.several([], make) == []


def test_several_never_hold_more_than_twice_its_measure() -> None:
    known = Lately(5, str)
    for first in range(100):
        keys = list(range(first % 7, first % 7 + first % 9))
        assert known.several(keys, lambda new: {key: str(key) for key in new}) == list(
            map(str, keys)
        )
        assert len(known) + len(known._before) <= 10


def test_at_rest_nothing_is_kept() -> None:
    made: list[int] = []
    squares = Lately(2, lambda number: made.append(number) or number**2)
    for number in (1, 2, 3):
        assert squares[number] == number**2
    squares.rest()
    assert not squares
    assert [squares[number] for number in (1, 3)] == [1, 9]
    assert made == [1, 2, 3, 1, 3]


def test_what_functions_remember_is_forgotten_at_rest() -> None:
    made: list[int] = []

    @remembered(10)
    def square(number: int) -> int:
        made.append(number)
        return number**2

    assert [square(3), square(3)] == [9, 9]
    assert made == [3]
    forget_remembered()
    assert square(3) == 9
    assert made == [3, 3]
