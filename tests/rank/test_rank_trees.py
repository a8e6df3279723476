"""Trees: evaluated at once, split by feature without a rest."""

from __future__ import annotations

import numpy
import pytest

from sonde.rank.correction import OUTRIGHT
from sonde.rank.rules import ALL
from sonde.rank.standing import FEATURES
from sonde.rank.trees import Trees, learned_trees

# Is it long? Then, is it named? Node 1 is the root, 2 and 3 the first level, 4 to 7 the leaves.
TREES = Trees(
    ("named", "long"),
    numpy.array([[1, 0]], numpy.int16),
    numpy.array([[10.0, 0.5]], numpy.float32),
    numpy.array([[0, 0, -1, 3, -2, 1, 2, 5]], numpy.float32),
)
CANDIDATES = numpy.array([[0.0, 5.0], [1.0, 5.0], [0.0, 50.0], [1.0, 50.0]])


def test_a_candidate_gets_the_value_of_the_leaf_that_its_answers_lead_to() -> None:
    assert TREES.scores(CANDIDATES).tolist() == [-2.0, 1.0, 2.0, 5.0]


def test_a_value_on_the_border_is_not_above_it() -> None:
    assert TREES.scores(numpy.array([[0.5, 10.0]])).tolist() == [-2.0]


def test_a_feature_contributes_the_steps_of_the_levels_that_ask_for_it() -> None:
    assert TREES.contributions(CANDIDATES).tolist() == [[-1, -1], [2, -1], [-1, 3], [2, 3]]


@pytest.mark.parametrize("texts", ["request", "report"])
def test_the_learned_trees_ask_for_known_features_and_their_parts_sum(texts: str) -> None:
    trees = learned_trees(texts)
    known = {rule.name for rule in ALL} | {feature.name for feature in FEATURES}
    assert set(trees.names) <= known - {OUTRIGHT}
    assert trees.names == learned_trees("request").names  # they are asked with the same values
    some = numpy.random.default_rng(1).normal(size=(50, len(trees.names)))
    scores = trees.scores(some)
    assert scores.std() > 0.1
    assert trees.contributions(some).sum(axis=1) == pytest.approx(scores, abs=1e-5)


def test_parts_of_the_trees_evaluated_one_after_the_other_sum_to_the_same() -> None:
    trees = learned_trees("request")
    many = numpy.random.default_rng(2).normal(size=(700, len(trees.names)))
    alone = [float(trees.scores(one[None])[0]) for one in many]  # all trees at once
    assert trees.scores(many).tolist() == alone


def test_bug_requests_were_judged_feature_by_feature_for_one_that_only_reports_are_asked_for() -> (
    None
):
    assert "whole-file" in learned_trees("request").names
    assert "whole-file" not in learned_trees("request").used
    assert "whole-file" in learned_trees("report").used
