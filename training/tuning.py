"""Relearn how a task is read: how much each word counts, and how the sum is turned to meet code.

python -m training.tuning --mirror DIR [--corpus DIR] [--cache FILE] [--held-out]

The vectors of code stay as they are, so no index has to be written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy
from bench.corpus import Corpus, places
from bench.data import FURTHER_TASKS, TASKS, SymbolTask, load_symbols
from numpy.typing import NDArray

import sonde.meaning
from sonde.meaning.table import table
from sonde.model import FileKind
from sonde.retrieve.fulltext import query_words
from sonde.retrieve.view import View
from sonde.understand.query import understand
from training.mined import by_repository, kept, options
from training.ranker import trained_on
from training.tasks import Place

_DATA = Path(sonde.meaning.__file__).with_name("data")
_START = Path(__file__).with_name("turn.npy")  # learned with the table, from prose of repositories
_ROUNDS = 4
_SHARPNESS = 12.5
_LEFT_OUT = 0.25  # of a task's words, others each time
_OTHERS = 3_000  # functions and types of a repository that the right ones must stand out from
_TURN_STEP, _GATE_STEP = 5e-4, 0.1
_TURN_PULL, _GATE_PULL = 1e-4, 1e-3  # towards the start
_NEAREST = 60  # as many as the channel proposes

Floats = NDArray[numpy.float32]


class Question(NamedTuple):
    """The words of a task by row of the table, and the positions of the right vectors."""

    rows: NDArray[numpy.int64]
    weights: Floats
    right: NDArray[numpy.int64]
    needed: int  # symbols, with or without a vector


class Repository(NamedTuple):
    """The unit vectors of functions and types outside of tests, and what is asked about them."""

    repo: str
    vectors: Floats
    questions: list[Question]


class Reading(NamedTuple):
    """How tasks are read."""

    turn: Floats
    gates: Floats  # logarithms, by row of the table

    def direction(self, rows: NDArray[numpy.int64], weights: Floats) -> Floats:
        """The sum of a task's words, turned."""
        return _summed(rows, weights * numpy.exp(self.gates[rows])) @ self.turn


def main() -> None:
    """Mine, tune, and write the numbers, or report how they do on repositories left out."""
    chosen = options("tuning", __doc__, "questions")
    corpus = Corpus.at(chosen.corpus, chosen.mirror)
    sets = [load_symbols(path) for path in (TASKS, FURTHER_TASKS)]
    repositories = kept(
        chosen.cache, lambda: [each for one in sets for each in by_repository(_mine, one, corpus)]
    )
    trained = {case.repo for one in sets for case in trained_on(one)}
    reading = tune([each for each in repositories if each.repo in trained])
    if chosen.held_out:
        left_out = [each for each in repositories if each.repo not in trained]
        print(f"{_found(left_out, _start()):.3f} before, {_found(left_out, reading):.3f} after")
    else:
        numpy.save(_DATA / "turn.npy", reading.turn)
        numpy.save(_DATA / "gates.npy", numpy.exp(reading.gates).astype(numpy.float16))


def _mine(cases: Sequence[SymbolTask], corpus: Corpus) -> Iterator[Repository]:
    with TemporaryDirectory() as scratch, places(corpus, cases, Path(scratch)) as walk:
        for folder, group in walk:
            with Place(folder, Path(scratch)) as view:
                yield _repository(
                    group[0].repo, [c for c in group if isinstance(c, SymbolTask)], view
                )


def _repository(repo: str, cases: Sequence[SymbolTask], view: View) -> Repository:
    row = {id: at for at, id in enumerate(view.meanings.symbols.tolist())}
    # By place: ids, and the order of vectors, are another in each index of the same files.
    records = view.records(view.by_place(row))
    counted = [one for one in records if one.file_kind is not FileKind.TEST]
    stored = numpy.asarray(view.meanings.rows)[[row[one.id] for one in counted]]
    vectors = stored.astype(numpy.float32)
    vectors /= numpy.maximum(numpy.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    named: dict[str, list[int]] = {}
    for place, one in enumerate(counted):
        named.setdefault(f"{one.file}::{one.qualname}", []).append(place)
    questions = []
    for case in cases:
        right = sorted({place for name in case.truth for place in named.get(name, ())})
        for text in (case.query, *case.rewordings):
            words = query_words(understand(text), expand=False)
            known = [(table().rows[word], weight) for word, weight in words.items()]
            rows = numpy.array([row for row, _ in known if row >= 0], numpy.int64)
            weights = numpy.array([weight for row, weight in known if row >= 0], numpy.float32)
            questions.append(Question(rows, weights, numpy.array(right, int), len(case.truth)))
    return Repository(repo, vectors, questions)


def _start() -> Reading:
    return Reading(numpy.load(_START), numpy.zeros(len(table().scales), numpy.float32))


def _summed(rows: NDArray[numpy.int64], weights: Floats) -> Floats:
    known = table()
    scaled = known.vectors[rows].astype(numpy.float32) * known.scales[rows, None]
    return weights @ scaled


def tune(repositories: Sequence[Repository]) -> Reading:
    """Bring tasks nearer to the code that they need than to the rest of its repository.

    Softmax over the cosines. Adam for the turn, slower towards the end; each gate takes steps of
    its own, smaller the more it has moved.
    """
    chance = numpy.random.default_rng(0)
    start = _start()
    reading = Reading(start.turn.copy(), start.gates.copy())
    moved = numpy.zeros_like(reading.gates)
    mean, square = numpy.zeros_like(reading.turn), numpy.zeros_like(reading.turn)
    steps = _ROUNDS * len(repositories)
    order = [number for _ in range(_ROUNDS) for number in chance.permutation(len(repositories))]
    for step, number in enumerate(order, 1):
        slope = _slope(repositories[number], reading, moved, chance)
        slope += _TURN_PULL * (reading.turn - start.turn)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        size = _TURN_STEP * min(1.0, 2.0 * (1.0 - step / (steps + 1)))
        spread = numpy.sqrt(square / (1 - 0.99**step)) + 1e-8
        reading.turn[:] -= size * mean / (1 - 0.9**step) / spread
    return reading


def _slope(
    repository: Repository, reading: Reading, moved: Floats, chance: numpy.random.Generator
) -> Floats:
    """The slope of the turn over a repository's questions; gates are moved at each of them."""
    usable = [each for each in repository.questions if len(each.right) and len(each.rows) > 1]
    others = numpy.arange(len(repository.vectors))
    if len(others) > _OTHERS:
        others = chance.choice(others, _OTHERS, replace=False)
    shown = numpy.unique(numpy.concatenate([others, *(each.right for each in usable)]))
    vectors = repository.vectors[shown]
    slope = numpy.zeros_like(reading.turn)
    for question in usable:
        kept = chance.random(len(question.rows)) > _LEFT_OUT
        kept = kept if kept.any() else numpy.ones(len(kept), bool)
        rows, weights = question.rows[kept], question.weights[kept]
        weights = weights * numpy.exp(reading.gates[rows])
        summed = _summed(rows, weights)
        turned = summed @ reading.turn
        length = float(numpy.linalg.norm(turned)) + 1e-9
        unit = turned / length
        scores = _SHARPNESS * (vectors @ unit)
        shares = numpy.exp(scores - scores.max())
        shares /= shares.sum()
        shares[shown.searchsorted(question.right)] -= 1.0 / len(question.right)
        pushed = _SHARPNESS * (shares @ vectors)
        pushed = (pushed - unit * (unit @ pushed)) / length
        slope += numpy.outer(summed, pushed) / len(usable)
        known = table()
        words = known.vectors[rows].astype(numpy.float32) * known.scales[rows, None]
        gated = weights * (words @ (reading.turn @ pushed)) + _GATE_PULL * reading.gates[rows]
        moved[rows] += gated**2
        reading.gates[rows] -= _GATE_STEP * gated / (numpy.sqrt(moved[rows]) + 1e-4)
    return slope


def _found(repositories: Sequence[Repository], reading: Reading) -> float:
    """The share of what is needed among the nearest, over all questions."""
    shares = []
    for repository in repositories:
        for question in repository.questions:
            near = repository.vectors @ reading.direction(question.rows, question.weights)
            nearest = numpy.argsort(-near, kind="stable")[:_NEAREST]
            shares.append(numpy.isin(question.right, nearest).sum() / question.needed)
    return float(numpy.mean(shares))


if __name__ == "__main__":
    main()
