"""Relearn the trees that correct the sum of the rules.

python -m training.trees --mirror DIR [--corpus DIR] [--cache FILE] [--held-out]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy
from bench.corpus import Corpus
from bench.data import TASKS, load_symbols
from numpy.typing import NDArray

import sonde.rank
from sonde.rank.correction import OUTRIGHT
from sonde.rank.learned import learned
from sonde.rank.rules import ALL
from sonde.rank.trees import Trees
from training.mined import kept, options
from training.ranker import trained_on
from training.tasks import COLUMNS, Judged, request_tasks

_DATA = Path(sonde.rank.__file__).with_name("data") / "trees.npz"
_UNSEEN = frozenset({"whole-file", "neural", OUTRIGHT})  # costly, there by choice, not to correct
_COUNT, _DEPTH = 400, 5
_STEP = 0.08
_KEPT = 100  # best candidates of a task by the sum: further down there is little to correct
_SETTINGS = {
    "loss_function": "QuerySoftMax",
    "iterations": _COUNT,
    "depth": _DEPTH,
    "learning_rate": _STEP,
    "l2_leaf_reg": 10,
    "rsm": 0.5,  # share of the features that a tree may ask for
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
    "border_count": 32,
    "random_seed": 1,
    "thread_count": 1,  # fixed order of sums: the same trees each time
    "allow_writing_files": False,
    "verbose": False,
}

Floats = NDArray[numpy.float64]


def main() -> None:
    """Mine, fit, and write the trees, or report how they do on repositories left out."""
    chosen = options("trees", __doc__, "trees")
    corpus = Corpus.at(chosen.corpus, chosen.mirror)
    tasks = kept(chosen.cache, lambda: list(request_tasks(load_symbols(TASKS), corpus)))
    trained = {case.repo for case in trained_on(load_symbols(TASKS))}
    trees = fit([task for task in tasks if task.repo in trained])
    if chosen.held_out:
        _tell([task for task in tasks if task.repo not in trained], trees)
    else:
        numpy.savez(_DATA, **trees._asdict())


def fit(tasks: Sequence[Judged]) -> Trees:
    """Trees that give the right candidates of each task the largest share."""
    from catboost import CatBoost, Pool

    asked = [name for name in COLUMNS if name not in _UNSEEN]
    columns = [COLUMNS.index(name) for name in asked]
    values, right, groups = [], [], []
    for number, task in enumerate(tasks):
        best = numpy.argsort(-_sums(task), kind="stable")[:_KEPT]
        if task.right[best].any():
            values.append(task.values[best][:, columns])
            right.append(task.right[best].astype(float))
            groups += [number] * len(best)
    model = CatBoost(_SETTINGS)
    model.fit(Pool(numpy.vstack(values), numpy.concatenate(right), group_id=groups))
    with TemporaryDirectory() as scratch:
        exported = Path(scratch) / "model.json"
        model.save_model(str(exported), format="json")
        return _as_arrays(json.loads(exported.read_text()), asked)


def _as_arrays(model: dict[str, Any], asked: Sequence[str]) -> Trees:
    trees = model["oblivious_trees"]
    feature = numpy.zeros((len(trees), _DEPTH), numpy.int16)
    border = numpy.full((len(trees), _DEPTH), numpy.inf, numpy.float32)
    value = numpy.zeros((len(trees), 2 ** (_DEPTH + 1)), numpy.float32)
    for row, tree in enumerate(trees):
        splits = tree["splits"] or ()
        for level, split in enumerate(splits):
            feature[row, level] = split["float_feature_index"]
            border[row, level] = split["border"]
        value[row] = _node_values(tree, len(splits))
    return Trees(tuple(asked), feature, border, value)


def _node_values(tree: dict[str, Any], depth: int) -> Floats:
    """The mean of the leaves below each node, by how many candidates reached them, less the root's.

    The library numbers leaves with the first question as the lowest bit; here it is the highest.
    """
    leaves = numpy.arange(2**_DEPTH)
    theirs = sum(((leaves >> (_DEPTH - 1 - level)) & 1) << level for level in range(depth))
    values = numpy.zeros(2 ** (_DEPTH + 1))
    reached = numpy.zeros(2 ** (_DEPTH + 1))
    values[2**_DEPTH :] = numpy.array(tree["leaf_values"])[theirs]
    reached[2**_DEPTH :] = numpy.array(tree["leaf_weights"])[theirs] + 1e-9
    for node in range(2**_DEPTH - 1, 0, -1):
        below = [2 * node, 2 * node + 1]
        reached[node] = reached[below].sum()
        values[node] = values[below] @ reached[below] / reached[node]
    centred: Floats = values - values[1]
    return centred


def _sums(task: Judged) -> Floats:
    weights = learned()["request"]
    by_rule = numpy.array([weights[rule.name] for rule in ALL])
    sums: Floats = task.values[:, : len(ALL)].astype(float) @ by_rule
    return sums


def _tell(tasks: Sequence[Judged], trees: Trees) -> None:
    """Recall in the first ten by the sum alone, and corrected."""
    columns = [COLUMNS.index(name) for name in trees.names]
    before, after = [], []
    for task in tasks:
        sums = _sums(task)
        before.append(_recall(task, sums))
        after.append(_recall(task, sums + trees.scores(task.values[:, columns].astype(float))))
    print(f"{len(tasks)} wordings: {numpy.mean(before):.3f} before, {numpy.mean(after):.3f} after")


def _recall(task: Judged, scores: Floats) -> float:
    first = numpy.argsort(-scores, kind="stable")[:10]
    return float(task.right[first].sum() / min(task.right.sum(), 10))


if __name__ == "__main__":
    main()
