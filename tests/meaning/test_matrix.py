"""Nearness of vectors does not depend on where they stand."""

from __future__ import annotations

import numpy
import pytest

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


def test_a_direction_of_nothing_is_near_nothing() -> None:
    rows = numpy.ones((3, 128), numpy.int8)
    assert Directions(rows).cosines(numpy.zeros(128, numpy.float32)).tolist() == [0.0, 0.0, 0.0]
