"""Names by their numbers of words, letters and owners."""

from __future__ import annotations

from dataclasses import replace

import numpy

from sonde.retrieve.name_shapes import NameShapes
from sonde.retrieve.view import View


def test_shapes_are_the_same_when_some_were_asked_for_before(view: View) -> None:
    named = [view.ids_named(name)[0] for name in ("transitive_callers", "allow", "ratelimiter")]
    ids = numpy.array(named, numpy.int64)
    records = view.records(named)
    words, owners = [2.0, 1.0, 2.0], [0.0, 1.0, 0.0]
    letters = [float(len(record.name)) for record in records]
    alone = view.name_shapes.of(ids[1:2], records[1:2])
    assert alone.tolist() == [[1.0], [5.0], [1.0]]
    for _ in range(2):
        assert view.name_shapes.of(ids, records).tolist() == [words, letters, owners]


def test_an_endless_name_counts_as_a_very_long_one(view: View) -> None:
    (record,) = view.records(view.ids_named("allow"))
    endless = replace(record, name="x" * 70_000)
    shapes = NameShapes(record.id + 1).of(numpy.array([record.id], numpy.int64), [endless])
    assert shapes[1].tolist() == [32_767.0]
