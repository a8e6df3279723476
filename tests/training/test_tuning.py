"""How a task is read: learned from questions, the same each time, better than before."""

from __future__ import annotations

from pathlib import Path

import numpy
from bench.data import SymbolTask
from training.tasks import Place
from training.tuning import Question, Repository, _found, _repository, _start, tune

from sonde.meaning.matrix import Matrix
from sonde.meaning.table import table

SIZE = 400


def repository(seed: int) -> Repository:
    """Code that lies where the words of its questions point, but for one word that misleads."""
    chance = numpy.random.default_rng(seed)
    known, start = table(), _start()
    rows = numpy.arange(200, 200 + SIZE)
    words = known.vectors[rows].astype(numpy.float32) * known.scales[rows, None]
    vectors = words @ start.turn
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    misleading = 10
    questions = [
        Question(
            numpy.array([rows[at], misleading]),
            numpy.array([1.0, 6.0], numpy.float32),
            numpy.array([at]),
            1,
        )
        for at in chance.permutation(SIZE)[:40].tolist()
    ]
    return Repository(f"shop-{seed}", vectors, questions)


def test_a_word_that_misleads_counts_less_and_more_is_found_where_it_was_not_learned() -> None:
    learned, other = [repository(seed) for seed in range(3)], [repository(9)]
    reading = tune(learned)
    assert reading.gates[10] < -0.1
    assert _found(other, reading) > _found(other, _start())


def test_the_same_questions_give_the_same_numbers() -> None:
    first, again = (tune([repository(1), repository(2)]) for _ in range(2))
    assert first.turn.tobytes() == again.turn.tobytes()
    assert first.gates.tobytes() == again.gates.tobytes()


def test_what_was_mined_depended_on_the_order_in_which_files_were_indexed(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    for name in ("till", "cart"):
        (folder / f"{name}.py").write_text(f"def open_{name}():\n    return '{name}'\n")
    case = SymbolTask("1", "shop", "", "open the till", "", ("till.py::open_till",))
    with Place(folder, tmp_path) as view:
        mined = _repository("shop", [case], view)
        parts = [(part[0].tobytes(), part[1].tobytes()) for part in _by_symbol(view.meanings)]
        view.__dict__["meanings"] = Matrix(parts[::-1])
        again = _repository("shop", [case], view)
    assert len(parts) == 2
    assert mined.vectors.tolist() == again.vectors.tolist()
    assert mined.questions[0].right.tolist() == again.questions[0].right.tolist() == [1]


def _by_symbol(matrix: Matrix) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
    return [
        (matrix.symbols[at : at + 1], numpy.asarray(matrix.rows)[at : at + 1])
        for at in range(len(matrix.symbols))
    ]


def test_the_shipped_gates_are_one_for_each_word() -> None:
    known = table()
    assert len(known.gates) == len(known.scales)
    assert (known.gates > 0).all()
