"""Learn vectors by contrast: prose must be nearer to its own code than to other code.

The other code is from the same repository: telling two projects apart is easy and useless.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from scipy import sparse

from sonde.meaning.table import DIMENSIONS

EPOCHS = 8
_BATCH, _OTHERS = 512, 512
_SMALLEST = 48  # a smaller batch contrasts too little
MOST = 6_000  # pairs per repository and epoch, so that none dominates
_SHARPNESS = 1 / 0.06
_RATE, _RATE_OF_TURN, _RATE_FALL = 0.05, 0.0025, 0.8
# Share of words dropped from prose and code at each step, so that no single word decides. Combined
# with BM25 over the words, recall in the first 50 on 657 wordings: +.004 [-.005, +.013]; with names
# +.019 [+.009, +.028]. A larger share is no better, and dropping on one side only gains half.
_LEFT_OUT = 0.25
_SEED = 7
_EXCLUDED = -1e9

Floats = NDArray[numpy.float32]


class Examples(NamedTuple):
    """One repository: its code, with and without the words prose took from it, and that prose."""

    name: str
    code: sparse.csr_matrix
    bare_code: sparse.csr_matrix
    prose: sparse.csr_matrix
    about: NDArray[numpy.int64]  # which code each prose is about
    source: NDArray[numpy.str_]  # of each prose: "doc", "name", "commit" or "test"
    text: NDArray[numpy.int64]  # a number for each distinct prose
    most: int = MOST


class Learner:
    """The table during training, with the step sizes of its rows."""

    def __init__(self, words: int) -> None:
        self._random = numpy.random.default_rng(_SEED)
        start = self._random.standard_normal((words, DIMENSIONS)) / numpy.sqrt(DIMENSIONS)
        self.table: Floats = start.astype(numpy.float32)
        self.turn: Floats = numpy.eye(DIMENSIONS, dtype=numpy.float32)
        self._table_steps = numpy.full(words, 1e-6, numpy.float32)
        self._turn_steps = numpy.full((DIMENSIONS, DIMENSIONS), 1e-6, numpy.float32)

    def learn(self, repositories: Sequence[Examples], epochs: int = EPOCHS) -> list[float]:
        """Go through the pairs; returns the mean loss of each round."""
        losses = []
        for epoch in range(epochs):
            rate = _RATE * (1.0 - _RATE_FALL * epoch / epochs)
            batches = self._batches(repositories)
            total = sum(self._step(repositories[at], some, rate) for at, some in batches)
            losses.append(total / sum(len(some) for _, some in batches))
        return losses

    def _batches(self, repositories: Sequence[Examples]) -> list[tuple[int, NDArray[numpy.int64]]]:
        batches = []
        for at, each in enumerate(repositories):
            order = self._random.permutation(len(each.about))[: each.most]
            parts = (order[start : start + _BATCH] for start in range(0, len(order), _BATCH))
            batches += [(at, part) for part in parts if len(part) >= min(_SMALLEST, len(order))]
        self._random.shuffle(batches)
        return batches

    def _step(self, examples: Examples, some: NDArray[numpy.int64], rate: float) -> float:
        """One gradient step on the softmax over all code in the batch; returns its loss."""
        others = self._random.integers(0, examples.code.shape[0], _OTHERS)
        code, prose = map(self._thinned, _batch(examples, some, others))
        rows = numpy.unique(numpy.concatenate([code.indices, prose.indices]))
        code, prose = _narrowed(code, rows), _narrowed(prose, rows)
        table = self.table[rows]
        said = prose @ table
        asked, asked_length = _unit(said @ self.turn)
        found, found_length = _unit(code @ table)
        likely = _likelihood(asked, found, examples, some, others)
        right = numpy.arange(len(some))
        loss = float(-numpy.log(likely[right, right] + 1e-9).sum())
        likely[right, right] -= 1.0
        likely *= _SHARPNESS / len(some)
        asked_slope = _through_unit(likely @ found, asked, asked_length)
        found_slope = _through_unit(likely.T @ asked, found, found_length)
        turn_slope = said.T @ asked_slope
        slope = prose.T @ (asked_slope @ self.turn.T) + code.T @ found_slope
        self._table_steps[rows] += (slope * slope).mean(axis=1)
        self.table[rows] -= rate * slope / numpy.sqrt(self._table_steps[rows])[:, None]
        self._turn_steps += turn_slope * turn_slope
        self.turn -= rate * (_RATE_OF_TURN / _RATE) * turn_slope / numpy.sqrt(self._turn_steps)
        return loss

    def _thinned(self, matrix: sparse.csr_matrix) -> sparse.csr_matrix:
        """The same texts with some of their words dropped."""
        stay = self._random.random(len(matrix.data), numpy.float32) >= _LEFT_OUT
        return sparse.csr_matrix(
            (matrix.data * stay, matrix.indices, matrix.indptr), shape=matrix.shape
        )


def _batch(
    examples: Examples, some: NDArray[numpy.int64], others: NDArray[numpy.int64]
) -> tuple[sparse.csr_matrix, sparse.csr_matrix]:
    """Code and prose of a batch. Code is shown without its own doc or name if that is the prose."""
    about = examples.about[some]
    both = sparse.vstack([examples.bare_code[about], examples.code[about]]).tocsr()
    shown = numpy.arange(len(some)) + numpy.where(_is_own(examples.source[some]), 0, len(some))
    return sparse.vstack([both[shown], examples.code[others]]).tocsr(), examples.prose[some]


def _is_own(source: NDArray[numpy.str_]) -> NDArray[numpy.bool_]:
    own: NDArray[numpy.bool_] = numpy.isin(source, ("doc", "name"))
    return own


def _narrowed(matrix: sparse.csr_matrix, rows: NDArray[numpy.int32]) -> sparse.csr_matrix:
    columns = numpy.searchsorted(rows, matrix.indices)
    return sparse.csr_matrix(
        (matrix.data, columns, matrix.indptr), shape=(matrix.shape[0], len(rows))
    )


def _likelihood(
    asked: Floats,
    found: Floats,
    examples: Examples,
    some: NDArray[numpy.int64],
    others: NDArray[numpy.int64],
) -> Floats:
    """For each prose, how likely each code is; other right answers are excluded."""
    scores = (asked @ found.T) * numpy.float32(_SHARPNESS)
    about = examples.about[some]
    also_right = numpy.concatenate([about, others])[None, :] == about[:, None]
    text = examples.text[some]
    also_right[:, : len(some)] |= text[None, :] == text[:, None]
    numpy.fill_diagonal(also_right, val=False)
    scores[also_right] = _EXCLUDED
    scores -= scores.max(axis=1, keepdims=True)
    numpy.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    likely: Floats = scores
    return likely


def _unit(vectors: Floats) -> tuple[Floats, Floats]:
    length = numpy.sqrt((vectors * vectors).sum(axis=1, keepdims=True)) + numpy.float32(1e-8)
    return vectors / length, length


def _through_unit(slope: Floats, unit: Floats, length: Floats) -> Floats:
    """The gradient with respect to a vector, given that with respect to its direction."""
    through: Floats = (slope - unit * (slope * unit).sum(axis=1, keepdims=True)) / length
    return through
