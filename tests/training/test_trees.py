"""Trees as the library exports them → arrays: same scores, every level with its mean."""

from __future__ import annotations

from itertools import product

import numpy
import pytest
from training.tasks import COLUMNS, Judged
from training.trees import _ASKED, _DEPTH, RECIPES, _as_arrays, _asked

ASKED = ("size", "used", "named")
DEEP = {
    "splits": [
        {"float_feature_index": level % 3, "border": 0.1 * level} for level in range(_DEPTH)
    ],
    "leaf_values": [float((leaf * 7) % 11) for leaf in range(2**_DEPTH)],
    "leaf_weights": [1 + leaf % 3 for leaf in range(2**_DEPTH)],
}
SHALLOW = {
    "splits": [{"float_feature_index": 2, "border": 0.5}],
    "leaf_values": [-1.0, 4.0],
    "leaf_weights": [3, 1],
}
CANDIDATES = numpy.array(list(product((0.0, 0.15, 0.35, 1.0), repeat=3)))


def as_the_library_numbers_leaves(tree: dict[str, list], values: numpy.ndarray) -> float:
    """The first question is the lowest bit of a leaf's number."""
    answers = [values[each["float_feature_index"]] > each["border"] for each in tree["splits"]]
    return float(tree["leaf_values"][sum(answer << bit for bit, answer in enumerate(answers))])


def test_arrays_score_as_the_exported_trees_do_up_to_their_mean() -> None:
    found = _as_arrays({"oblivious_trees": [DEEP, SHALLOW]}, ASKED)
    mean = numpy.average(DEEP["leaf_values"], weights=DEEP["leaf_weights"]) + 0.25
    expected = [
        sum(as_the_library_numbers_leaves(tree, each) for tree in (DEEP, SHALLOW))
        for each in CANDIDATES
    ]
    assert found.scores(CANDIDATES) + mean == pytest.approx(expected, abs=1e-4)


def test_a_tree_with_fewer_questions_contributes_by_those_it_has() -> None:
    found = _as_arrays({"oblivious_trees": [SHALLOW]}, ASKED)
    parts = found.contributions(numpy.array([[9.0, 9.0, 0.0], [9.0, 9.0, 1.0]]))
    assert parts == pytest.approx(numpy.array([[0, 0, -1.25], [0, 0, 3.75]]))


def test_trees_are_not_shown_what_their_texts_are_not_asked_for() -> None:
    right = numpy.array([True, False])
    task = Judged("shop", numpy.ones((2, len(COLUMNS)), numpy.float32), right, ~right)
    unknown = [_ASKED.index(name) for name in ("whole-file", "numbered")]
    assert not _asked(task, RECIPES["request"])[:, unknown].any()
    assert _asked(task, RECIPES["report"]).all()
    assert _asked(task, RECIPES["request"]).sum() == 2 * (len(_ASKED) - len(unknown))
