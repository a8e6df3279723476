"""Boosted trees that correct the sum of the rules, learned from tasks with known answers.

All nodes of a level ask the same question, so a tree is a list of questions and a table of values,
and all trees are evaluated at once. Values are kept for every level: what a feature contributes is
the sum of the steps between levels that ask for it, so that contributions sum to the score.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

_DATA = Path(__file__).with_name("data") / "trees.npz"

Floats = NDArray[numpy.float64]
Nodes = NDArray[numpy.int32]


class Trees(NamedTuple):
    """One row per tree. A node's children are at 2n and 2n + 1; the root, node 1, has value 0."""

    names: tuple[str, ...]  # of the features, as questions number them
    feature: NDArray[numpy.int16]  # of each level
    border: NDArray[numpy.float32]  # of each level: a feature above it goes to 2n + 1
    value: NDArray[numpy.float32]  # of each node

    def scores(self, features: Floats) -> Floats:
        """The sum over all trees for each candidate; features have a row per candidate."""
        nodes = self._roots(features)
        for answers in self._answers(features):
            nodes += nodes
            nodes += answers
        scores: Floats = self._values(nodes).sum(axis=0)
        return scores

    def contributions(self, features: Floats) -> Floats:
        """The same, split by feature: a row per candidate, a column per feature."""
        found = numpy.zeros((len(self.names), len(features)))
        nodes = self._roots(features)
        before = self._values(nodes)
        for level, answers in enumerate(self._answers(features)):
            nodes = 2 * nodes + answers
            after = self._values(nodes)
            numpy.add.at(found, self.feature[:, level], after - before)
            before = after
        return found.T

    def _roots(self, features: Floats) -> Nodes:
        """The root of each tree, a row per tree, for each candidate, a column each."""
        return numpy.ones((len(self.feature), len(features)), numpy.int32)

    def _answers(self, features: Floats) -> Iterator[NDArray[numpy.bool_]]:
        """For each level, which candidates are above the border of each tree."""
        # A row per feature: the questions of a level are then copies of whole rows.
        rows = numpy.ascontiguousarray(features.T, numpy.float32)
        for feature, border in zip(self.feature.T, self.border.T, strict=True):
            yield rows[feature] > border[:, None]

    def _values(self, nodes: Nodes) -> Floats:
        trees, each = self.value.shape
        starts = numpy.arange(trees, dtype=numpy.int32) * each
        values: Floats = self.value.ravel().take(nodes + starts[:, None]).astype(numpy.float64)
        return values


@cache
def learned_trees() -> Trees:
    """The trees that come with the package."""
    with numpy.load(_DATA) as data:
        return Trees(tuple(data["names"].tolist()), data["feature"], data["border"], data["value"])
