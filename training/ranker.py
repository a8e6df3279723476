"""Learn the weights for reports again.

python -m training.ranker --mirror DIR [--corpus DIR] [--cache FILE] [--held-out]
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order: the same weights again

import numpy
from bench.corpus import Corpus
from bench.data import load_localization, resolve
from numpy.typing import NDArray

import sonde.rank
from sonde.rank.rules import ALL
from training.__main__ import Source, sources
from training.tasks import Judged, commit_tasks, report_tasks

_DATA = Path(sonde.rank.__file__).with_name("data") / "weights.json"
_EVERY_SOURCE = 2  # each so-many-th repository of the sources gives commits
_EVERY_REPORT = 4  # each so-many-th issue of the development sets
_PULL = 0.1  # towards the weights that stand in the rules
_SHARPNESS = 6.0
_STEPS, _STEP = 120, 0.015
_FOLDS = 5
_FIRST = 10

Floats = NDArray[numpy.float64]


class Tasks(NamedTuple):
    """What was mined: tasks from commits, and tasks from issues."""

    commits: list[Judged]
    reports: list[Judged]


def main() -> None:
    """Mine, fit, and write the weights, or tell how they do on repositories left out."""
    parser = argparse.ArgumentParser(prog="python -m training.ranker", description=__doc__)
    parser.add_argument("--mirror", required=True, help="folder of bare clones, owner+name")
    parser.add_argument("--corpus", help="folder of materialised commits")
    parser.add_argument("--cache", default=".training/tasks", help="where mined tasks are kept")
    parser.add_argument("--held-out", action="store_true", help="measure, write nothing")
    options = parser.parse_args()
    kept = Path(options.cache)
    if not kept.exists():
        tasks = _mine(options.mirror, options.corpus)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(tasks))
    tasks = pickle.loads(kept.read_bytes())
    repositories = {task.repo for task in tasks.commits}
    print(f"{len(tasks.commits)} commits of {len(repositories)}, {len(tasks.reports)} issues")
    if options.held_out:
        _tell_held_out(tasks)
        return
    weights = fit([tasks.commits, tasks.reports])
    table = {rule.name: round(float(value), 2) for rule, value in zip(ALL, weights, strict=True)}
    _DATA.write_text(json.dumps(table, indent=2) + "\n")


def _mine(mirror: str, corpus: str | None) -> Tasks:
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        jobs = [(source, mirror) for source in sources()[::_EVERY_SOURCE]]
        commits = [task for some in pool.map(_commits, jobs) for task in some]
    place = Corpus.at(corpus, mirror)
    reports: list[Judged] = []
    for suite in ("localization", "multilang"):
        cases = load_localization(resolve(suite, None))[::_EVERY_REPORT]
        reports.extend(report_tasks(cases, place))
    return Tasks(commits, reports)


def _commits(job: tuple[Source, str]) -> list[Judged]:
    source, mirror = job
    return commit_tasks(source.repo, source.commit, Corpus.at(None, mirror).mirror(source.repo))


def _tell_held_out(tasks: Tasks) -> None:
    """Recall among the first ten by the rules' weights, and by a fit without that repository."""
    fixed = _fixed()
    for name, some in (("commits", tasks.commits), ("issues", tasks.reports)):
        before = [_recall(task, fixed) for task in some]
        after: list[float] = []
        for fold in range(_FOLDS):
            weights = fit([[t for t in group if _fold(t) != fold] for group in tasks])
            after.extend(_recall(task, weights) for task in some if _fold(task) == fold)
        print(f"{name}: {numpy.mean(before):.3f} before, {numpy.mean(after):.3f} after")


def _fold(task: Judged) -> int:
    return crc32(task.repo.encode()) % _FOLDS


def _recall(task: Judged, weights: Floats) -> float:
    first = numpy.argsort(-(task.values @ weights), kind="stable")[:_FIRST]
    return float(task.right[first].sum() / min(task.right.sum(), _FIRST))


def _fixed() -> Floats:
    return numpy.array([rule.weight for rule in ALL])


def fit(groups: Sequence[Sequence[Judged]]) -> Floats:
    """Weights that give the right candidates the largest share, each group counting the same.

    The gradient of the listwise softmax loss, pulled towards the weights in the rules, by Adam.
    """
    fixed = _fixed()
    weights = fixed.copy()
    mean, square = numpy.zeros_like(weights), numpy.zeros_like(weights)
    packed = [_Packed.of(group) for group in groups if group]
    for _ in range(_STEPS):
        slope = sum(group.slope(weights) for group in packed)
        slope = slope - _PULL * _SHARPNESS * (weights - fixed)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        weights = weights + _STEP * mean / (numpy.sqrt(square) + 1e-8)
    return weights


class _Packed(NamedTuple):
    """The tasks of a group below each other."""

    values: Floats
    wanted: Floats  # share of each candidate among the right ones of its task
    task: NDArray[numpy.int64]
    starts: NDArray[numpy.int64]

    @classmethod
    def of(cls, tasks: Sequence[Judged]) -> _Packed:
        lengths = [len(task.right) for task in tasks]
        return cls(
            numpy.vstack([task.values for task in tasks]).astype(numpy.float64),
            numpy.concatenate([task.right / task.right.sum() for task in tasks]),
            numpy.repeat(numpy.arange(len(tasks)), lengths),
            numpy.concatenate(([0], numpy.cumsum(lengths)[:-1])),
        )

    def slope(self, weights: Floats) -> Floats:
        scores = _SHARPNESS * (self.values @ weights)
        shares = numpy.exp(scores - numpy.maximum.reduceat(scores, self.starts)[self.task])
        shares /= numpy.add.reduceat(shares, self.starts)[self.task]
        step: Floats = _SHARPNESS * (self.values.T @ (self.wanted - shares)) / len(self.starts)
        return step


if __name__ == "__main__":
    main()
