"""Relearn the trees that correct the sum of the rules: one set for requests, one for reports.

python -m training.trees --mirror DIR [--corpus DIR] [--cache FILE] [--held-out]
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy
from bench.corpus import Corpus
from bench.data import (
    FURTHER_TASKS,
    REPORTS,
    TASKS,
    load_localization,
    load_symbols,
    resolve,
)
from numpy.typing import NDArray

import sonde.rank
from sonde.rank.correction import OUTRIGHT
from sonde.rank.learned import learned
from sonde.rank.rules import ALL
from sonde.rank.trees import Trees
from training.mined import by_repository, kept, options
from training.ranker import trained_on
from training.tasks import COLUMNS, FOLDS, Judged, report_tasks, request_tasks

_DATA = Path(sonde.rank.__file__).with_name("data")
# There by choice, not to correct, or the same for all.
_UNSEEN = frozenset({"neural", OUTRIGHT, "base"})
_ASKED = tuple(name for name in COLUMNS if name not in _UNSEEN)
_DEPTH = 5
_LESS = 0.3  # what tasks count that are less like those that others ask us
_OUTSIDER = 2  # the wording of somebody who does not know the code
_KEPT = 100  # best candidates of a task by the sum: further down there is little to correct
_SETTINGS = {
    "loss_function": "QuerySoftMax",
    "depth": _DEPTH,
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


class Recipe(NamedTuple):
    """How the trees for one kind of text are learned."""

    mine: Callable[[Corpus], Iterator[Judged]]
    trees: int
    step: float
    heard: float  # share of what they say that is added to the sum
    unknown: tuple[str, ...] = ()  # rules that such texts are not asked for


def main() -> None:
    """Mine, fit, and write the trees, or report how they do on repositories left out."""
    chosen = options("trees", __doc__, "trees")
    corpus = Corpus.at(chosen.corpus, chosen.mirror)
    for texts, recipe in RECIPES.items():
        tasks = kept(f"{chosen.cache}-{texts}", partial(_mined, recipe, corpus))
        if chosen.held_out:
            print(f"{texts}: {_held_out(tasks, texts)}")
        else:
            trees = fit(tasks, recipe)
            numpy.savez(_DATA / f"{texts}_trees.npz", **trees._asdict())


def _mined(recipe: Recipe, corpus: Corpus) -> list[Judged]:
    return list(recipe.mine(corpus))


def _requests(corpus: Corpus) -> Iterator[Judged]:
    """Our tasks. Those written later count less, and all in the words of outsiders."""
    for weight, path in ((1.0, TASKS), (_LESS, FURTHER_TASKS)):
        cases = trained_on(load_symbols(path))
        for task in by_repository(partial(request_tasks, wordings=3), cases, corpus):
            yield task._replace(weight=weight if task.wording < _OUTSIDER else _LESS)


def _reports(corpus: Corpus) -> Iterator[Judged]:
    """Our own, and the issues of the development sets."""
    for path in (REPORTS, resolve("localization", None), resolve("multilang", None)):
        yield from by_repository(report_tasks, load_localization(path), corpus)


RECIPES = {
    "request": Recipe(
        _requests, trees=800, step=0.08, heard=1.0, unknown=("whole-file", "numbered")
    ),
    "report": Recipe(_reports, trees=300, step=0.05, heard=0.5),
}


def fit(tasks: Sequence[Judged], recipe: Recipe) -> Trees:
    """Trees that give candidates their share by what finding them is worth."""
    from catboost import CatBoost, Pool

    values, wanted, groups, weights = [], [], [], []
    for number, task in enumerate(tasks):
        gains = task.gains[:_KEPT]
        if gains.any():
            values.append(_asked(task, recipe)[:_KEPT])
            wanted.append(gains)
            groups += [number] * len(gains)
            weights += [task.weight] * len(gains)
    model = CatBoost({**_SETTINGS, "iterations": recipe.trees, "learning_rate": recipe.step})
    model.fit(
        Pool(
            numpy.vstack(values),
            numpy.concatenate(wanted),
            group_id=groups,
            group_weight=weights,
        )
    )
    with TemporaryDirectory() as scratch:
        exported = Path(scratch) / "model.json"
        model.save_model(str(exported), format="json")
        trees = _as_arrays(json.loads(exported.read_text()), _ASKED)
    return trees._replace(value=recipe.heard * trees.value)


def _asked(task: Judged, recipe: Recipe) -> Floats:
    values = task.values[:, [COLUMNS.index(name) for name in _ASKED]].astype(float)
    values[:, [_ASKED.index(name) for name in recipe.unknown]] = 0.0
    return values


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


def _held_out(tasks: Sequence[Judged], texts: str) -> str:
    """Recall in the first ten by the sum alone, and by trees of the other folds' repositories."""
    recipe = RECIPES[texts]
    weights = numpy.array([learned()[texts][rule.name] for rule in ALL])
    before, after = [], []
    for fold in range(FOLDS):
        trees = fit([task for task in tasks if task.fold != fold], recipe)
        for task in (task for task in tasks if task.fold == fold):
            sums = task.values[:, : len(ALL)].astype(float) @ weights
            before.append(task.recall(sums))
            after.append(task.recall(sums + trees.scores(_asked(task, recipe))))
    return f"{len(before)} texts: {numpy.mean(before):.3f} before, {numpy.mean(after):.3f} after"


if __name__ == "__main__":
    main()
