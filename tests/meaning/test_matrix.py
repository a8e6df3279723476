"""Nearness of vectors does not depend on where they stand."""

from __future__ import annotations

import numpy
import pytest

from sonde.meaning.encode import directions
from sonde.meaning.matrix import Directions

_ROWS = 1500


@pytest.mark.parametrize("dimensions", [128, 384, 1024])
def test_cosines_are_the_same_bits_in_any_order(dimensions: int) -> None:
    random = numpy.random.default_rng(5)
    rows = random.integers(-128, 128, (_ROWS, dimensions)).astype(numpy.int8)
    direction = random.normal(size=dimensions)
    direction = (direction / numpy.linalg.norm(direction)).astype(numpy.float32)
    cosines = Directions(rows).cosines(direction)
    order = random.permutation(_ROWS)
    assert Directions(rows[order]).cosines(direction).tobytes() == cosines[order].tobytes()
    some = order[:77]
    assert Directions(rows).cosines(direction, some).tobytes() == cosines[some].tobytes()
    exact = rows.astype(numpy.float64) @ direction / numpy.linalg.norm(rows.astype(float), axis=1)
    assert numpy.abs(cosines - exact).max() < 2e-6


def test_of_very_many_the_likely_are_few_hold_the_nearest_and_are_the_same_in_any_order() -> None:
    random = numpy.random.default_rng(7)
    topics = random.normal(size=(150, 128))
    some = topics[random.integers(150, size=20_000)] + random.normal(size=(20_000, 128))
    rows = directions(some.astype(numpy.float32))
    many, order = Directions(rows, exact_up_to=5_000), random.permutation(len(rows))
    shuffled = Directions(rows[order], exact_up_to=5_000)
    found = []
    for asked in topics[:40] * random.normal(1.0, 1.0, size=(40, 128)):
        asked = (asked / numpy.linalg.norm(asked)).astype(numpy.float32)
        likely = many.likely(asked, 60)
        assert likely is not None
        assert len(likely) < 0.1 * len(rows)
        assert set(order[shuffled.likely(asked, 60)]) == set(likely)
        nearest = numpy.argsort(-many.cosines(asked))[:60]
        found.append(numpy.isin(nearest, likely).mean())
    assert numpy.mean(found) > 0.95


def test_few_are_all_looked_at() -> None:
    assert (
        Directions(numpy.ones((3, 128), numpy.int8)).likely(numpy.ones(128, numpy.float32), 9)
        is None
    )


def test_a_direction_of_nothing_is_near_nothing() -> None:
    rows = numpy.ones((3, 128), numpy.int8)
    assert Directions(rows).cosines(numpy.zeros(128, numpy.float32)).tolist() == [0.0, 0.0, 0.0]
