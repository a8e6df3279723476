"""How well the table finds code by prose in repositories it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from scipy import sparse

from training.contrast import Examples, Floats

_MOST = 150  # pairs per repository
_SEED = 1


class Figures(NamedTuple):
    """Mean reciprocal rank over repositories: by words alone, by the table, by both."""

    source: str
    repositories: int
    lexical: float
    table: float
    both: float


def figures(repositories: Sequence[Examples], table: Floats, turn: Floats) -> list[Figures]:
    """The figures for documentation, for commit messages and for the titles of tests."""
    return [_figures(source, repositories, table, turn) for source in ("doc", "commit", "test")]


def _figures(source: str, repositories: Sequence[Examples], table: Floats, turn: Floats) -> Figures:
    rows = []
    for each in repositories:
        of_kind = numpy.flatnonzero(each.source == source)
        some = numpy.random.default_rng(_SEED).permutation(of_kind)[:_MOST]
        if len(some) < 20:
            continue
        code = each.bare_code if source == "doc" else each.code
        lexical = _lexical(each.prose[some], code)
        meant = _directions((each.prose[some] @ table) @ turn) @ _directions(code @ table).T
        about = each.about[some]
        scores = (lexical, meant, _standard(lexical) + _standard(meant))
        rows.append([_reciprocal_rank(score, about) for score in scores])
    means = numpy.mean(rows, axis=0) if rows else (0.0, 0.0, 0.0)
    return Figures(source, len(rows), *(round(float(mean), 3) for mean in means))


def _lexical(prose: sparse.csr_matrix, code: sparse.csr_matrix) -> NDArray[numpy.float32]:
    """Shared words, rare ones counting more, saturated as in BM25."""
    found = numpy.bincount(code.indices, minlength=code.shape[1])
    rarity = numpy.log(1.0 + code.shape[0] / (1.0 + found))
    saturated = code.copy()
    saturated.data = 1.0 / (1.0 + 0.5 / saturated.data)
    scores: NDArray[numpy.float32] = (prose @ sparse.diags(rarity) @ saturated.T).toarray()
    return scores


def _directions(vectors: Floats) -> Floats:
    directions: Floats = vectors / (numpy.linalg.norm(vectors, axis=1, keepdims=True) + 1e-8)
    return directions


def _standard(scores: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    spread = scores.std(axis=1, keepdims=True) + 1e-6
    standard: NDArray[numpy.float32] = (scores - scores.mean(axis=1, keepdims=True)) / spread
    return standard


def _reciprocal_rank(scores: NDArray[numpy.float32], about: NDArray[numpy.int64]) -> float:
    right = scores[numpy.arange(len(about)), about][:, None]
    before = (scores > right).sum(axis=1) + ((scores == right).sum(axis=1) - 1) / 2.0
    return float((1.0 / (before + 1.0)).mean())
