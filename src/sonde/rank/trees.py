"""Boosted trees that correct the sum of the rules, learned from tasks with known answers.

All nodes of a level ask the same question, so a tree is a list of questions and a table of values,
and many trees are evaluated at once. Values are kept for every level: what a feature contributes is
the sum of the steps between levels that ask for it, so that contributions sum to the score.
"""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

_DATA = Path(__file__).with_name("data")
# Cells of the tables that are made on the way. With 8 bytes each they stay below what a server has
# outside of its heap (`serve/memory.py`), where new memory costs more than what is done in it: 400
# trees at once, of 300 candidates, took 3.2 instead of 0.5 ms there. Elsewhere too, 800 trees of
# 500 candidates take 1.2 ms with 30,000 cells, 0.8 with 20,000 and 0.85 with 15,000.
_AT_ONCE = 20_000

Floats = NDArray[numpy.float64]
Numbers = NDArray[numpy.intp]


class _Arrays(NamedTuple):
    """One row per tree. A node's children are at 2n and 2n + 1; the root, node 1, has value 0."""

    names: tuple[str, ...]  # of the features, as questions number them
    feature: NDArray[numpy.int16]  # of each level
    border: NDArray[numpy.float32]  # of each level: a feature above it goes to 2n + 1
    value: NDArray[numpy.float32]  # of each node


class _Questions(NamedTuple):
    """The questions of all trees, each once: 800 trees of five levels have 1,181."""

    feature: Numbers
    border: NDArray[numpy.float32]
    place: Numbers  # among them, a row per level and a column per tree


class Trees(_Arrays):
    """Trees of at most eight levels, so that a byte tells the leaf; and how to evaluate them."""

    @cached_property
    def used(self) -> frozenset[str]:
        """The features that some question asks for."""
        return frozenset(self.names[at] for at in numpy.unique(self.feature).tolist())

    def scores(self, features: Floats) -> Floats:
        """The sum over all trees for each candidate; features have a row per candidate."""
        answers = self._answers(features)
        scores = numpy.zeros(len(features))
        leaves, each = self._leaves, self._leaves.shape[1]
        some = _rows_at_once(features)
        for start in range(0, len(leaves), some):
            first, *others = self._questions.place[:, start : start + some]
            reached = answers.take(first, axis=0)
            for level in others:
                reached += reached
                reached += answers.take(level, axis=0)
            places = reached + numpy.arange(start, start + len(first))[:, None] * each
            scores += leaves.take(places).sum(axis=0)
        return scores

    def contributions(self, features: Floats) -> Floats:
        """The same, split by feature: a row per candidate, a column per feature."""
        found = numpy.zeros((len(self.names), len(features)))
        answers = self._answers(features)
        trees = numpy.arange(len(self.feature))[:, None]
        nodes = numpy.ones((len(self.feature), len(features)), numpy.intp)
        before = numpy.zeros(nodes.shape)
        for feature, level in zip(self.feature.T, self._questions.place, strict=True):
            nodes = 2 * nodes + answers[level]
            after = self.value[trees, nodes].astype(numpy.float64)
            numpy.add.at(found, feature, after - before)
            before = after
        return found.T

    def _answers(self, features: Floats) -> NDArray[numpy.uint8]:
        """For each question, 1 for the candidates that are above its border."""
        # A row per feature: questions are then asked of copies of whole rows.
        rows = numpy.ascontiguousarray(features.T, numpy.float32)
        asked = self._questions
        above = numpy.empty((len(asked.feature), len(features)), numpy.bool_)
        some = _rows_at_once(features)
        for start in range(0, len(above), some):
            part = slice(start, start + some)
            numpy.greater(rows.take(asked.feature[part], 0), asked.border[part], out=above[part])
        return above.view(numpy.uint8)

    @cached_property
    def _questions(self) -> _Questions:
        borders, rank = numpy.unique(self.border, return_inverse=True)
        numbers = self.feature.astype(numpy.intp) * len(borders) + rank.reshape(self.border.shape)
        once, place = numpy.unique(numbers, return_inverse=True)
        feature, border = numpy.divmod(once, len(borders))
        levels = numpy.ascontiguousarray(place.reshape(numbers.shape).T)
        return _Questions(feature, borders[border][:, None], levels)

    @cached_property
    def _leaves(self) -> Floats:
        """The values of the last level."""
        return self.value[:, self.value.shape[1] // 2 :].astype(numpy.float64)


def _rows_at_once(features: Floats) -> int:
    return max(1, _AT_ONCE // max(1, len(features)))


@cache
def learned_trees(texts: str) -> Trees:
    """The trees that come with the package, for a "request" or a "report"."""
    with numpy.load(_DATA / f"{texts}_trees.npz") as data:
        return Trees(tuple(data["names"].tolist()), data["feature"], data["border"], data["value"])
