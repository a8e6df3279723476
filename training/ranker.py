"""Relearn the weights of the rules: one set for requests, one for reports.

python -m training.ranker --mirror DIR [--corpus DIR] [--cache FILE] [--held-out]

The walk starts from what the weights of before liked best: run it twice, each time with nothing
kept, and the weights agree with the walks that they were learned from.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy
from bench.corpus import Corpus
from bench.data import (
    FURTHER_TASKS,
    TASKS,
    SymbolTask,
    load_localization,
    load_symbols,
    resolve,
)
from numpy.typing import NDArray

import sonde.rank
from sonde.rank.correction import OUTRIGHT
from sonde.rank.rules import ALL
from training.__main__ import sources
from training.mined import by_repository, kept, options
from training.tasks import COLUMNS, FIRST, FOLDS, Judged, commit_tasks, report_tasks, request_tasks

_DATA = Path(sonde.rank.__file__).with_name("data") / "weights.json"
_EVERY_SOURCE = 9  # every n-th repository of the table's sources contributes commits as well
_EVERY_REPORT = 4  # every n-th issue of the development sets
_PULL = 0.1  # towards the weights written in the rules
_SHARPNESS = 6.0
_STEPS, _STEP = 1_000, 0.01
_TELLING = 1e-3  # a rule whose values differ less over all tasks had no effect
_TENTH = 0.585  # of the best score, in the middle of all tasks: packs are cut by such shares
_FIRST_HELD, _HELD_OUT = 2, 5  # of the repositories of our tasks: these are never trained on
_NOT_LEARNED = {  # rules that a set does not see, with the weight they have in it
    # requests do not pay for reading whole files, and a number in one is seldom that of a place
    "request": {OUTRIGHT: 1.2, "whole-file": 0.0, "numbered": 0.0},
    "report": {OUTRIGHT: 0.0},  # a report names more than it means
}

Floats = NDArray[numpy.float64]


class Group(NamedTuple):
    """Tasks of one kind, and their total weight, however many there are."""

    tasks: Sequence[Judged]
    share: float

    def without(self, fold: int) -> Group:
        """The same without the repositories of a fold."""
        return Group([task for task in self.tasks if task.fold != fold], self.share)

    def blind(self, rules: Collection[str]) -> Group:
        """The same, with nothing known of some rules."""
        sees = numpy.array([name not in rules for name in COLUMNS])
        return Group([task._replace(values=task.values * sees) for task in self.tasks], self.share)


class Tasks(NamedTuple):
    """All tasks: our own requests, commits, and issues."""

    requests: list[Judged]
    commits: list[Judged]
    reports: list[Judged]

    @property
    def sets(self) -> dict[str, list[Group]]:
        """What each set of weights is learned from. The last group is what it is judged by."""
        groups = {
            "request": [Group(self.requests, 1.0)],
            "report": [
                Group(self.requests, 0.5),
                Group(self.commits, 1.0),
                Group(self.reports, 1.0),
            ],
        }
        return {
            name: [group.blind(_NOT_LEARNED[name]) for group in some]
            for name, some in groups.items()
        }


def main() -> None:
    """Mine, fit, and write the weights, or report how they do on held-out repositories."""
    chosen = options("ranker", __doc__, "tasks")
    tasks = kept(chosen.cache, lambda: _mine(chosen.mirror, chosen.corpus))
    for name, some in tasks._asdict().items():
        print(f"{len(some)} {name} of {len({task.repo for task in some})} repositories")
    if chosen.held_out:
        _tell_held_out(tasks)
        return
    learned = {
        name: _named(fit(groups)) | _NOT_LEARNED[name] for name, groups in tasks.sets.items()
    }
    _DATA.write_text(json.dumps(learned, indent=2) + "\n")


def _named(weights: Floats) -> dict[str, float]:
    return {rule.name: round(float(value), 3) for rule, value in zip(ALL, weights, strict=True)}


def _mine(mirror: str, corpus: str | None) -> Tasks:
    place = Corpus.at(corpus, mirror)
    own = [case for path in (TASKS, FURTHER_TASKS) for case in trained_on(load_symbols(path))]
    requests = list(by_repository(request_tasks, own, place))
    reports: list[Judged] = []
    for suite in ("localization", "multilang"):
        cases = load_localization(resolve(suite, None))[::_EVERY_REPORT]
        reports.extend(by_repository(report_tasks, cases, place))
    pins = {(source.repo, source.commit) for source in sources()[::_EVERY_SOURCE]}
    pins |= {(case.repo, case.commit) for case in own}
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        mined = pool.map(_commits, [(repo, commit, mirror) for repo, commit in sorted(pins)])
        commits = [task for some in mined for task in some]
    return Tasks(requests, commits, reports)


def _commits(job: tuple[str, str, str]) -> list[Judged]:
    repo, commit, mirror = job
    return commit_tasks(repo, commit, Corpus.at(None, mirror).mirror(repo))


def trained_on(cases: Sequence[SymbolTask]) -> list[SymbolTask]:
    """The tasks, except those of every fifth repository, by which what is learned is judged."""
    repositories = list(dict.fromkeys(case.repo for case in cases))
    held = set(repositories[_FIRST_HELD::_HELD_OUT])
    return [case for case in cases if case.repo not in held]


def _tell_held_out(tasks: Tasks) -> None:
    """Recall in the top ten by the rules' weights, and by a fit without that repository."""
    fixed = _fixed()
    for name, groups in tasks.sets.items():
        before: list[float] = []
        after: list[float] = []
        for fold in range(FOLDS):
            weights = fit([group.without(fold) for group in groups])
            left_out = [task for task in groups[-1].tasks if task.fold == fold]
            before.extend(_recall(task, fixed) for task in left_out)
            after.extend(_recall(task, weights) for task in left_out)
        print(f"{name}: {numpy.mean(before):.3f} before, {numpy.mean(after):.3f} after")


def _recall(task: Judged, weights: Floats) -> float:
    return task.recall(task.values[:, : len(ALL)] @ weights)


def _fixed() -> Floats:
    return numpy.array([rule.weight for rule in ALL])


def fit(groups: Sequence[Group]) -> Floats:
    """Weights that give the right candidates of each task the largest share.

    Adam on the listwise softmax loss, pulled towards the weights in the rules. A rule that no task
    says anything about keeps its weight; the others are scaled until scores spread as far as by
    the rules' own weights, so that all stay comparable, and levelled.
    """
    fixed = _fixed()
    weights = fixed.copy()
    mean, square = numpy.zeros_like(weights), numpy.zeros_like(weights)
    packed = [(_Packed.of(group.tasks), group.share) for group in groups if group.tasks]
    for _ in range(_STEPS):
        slope = sum(share * tasks.slope(weights) for tasks, share in packed)
        slope = slope - _PULL * _SHARPNESS * (weights - fixed)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        weights = weights + _STEP * mean / (numpy.sqrt(square) + 1e-8)
    values = numpy.vstack([tasks.values for tasks, _ in packed])
    told = values.std(axis=0) > _TELLING
    stretch = (values @ fixed).std() / (values @ weights).std()
    return _levelled(numpy.where(told, weights * stretch, fixed), [group for group, _ in packed])


def _levelled(weights: Floats, packed: Sequence[_Packed]) -> Floats:
    """The same order, with the tenth candidate as near to the first as seeds and packs expect it.

    Every candidate has exactly one kind, so adding a number to all kinds changes no order; but
    seeds are weighted by their share of the best score. `base`, which is heard after them, does the
    same for packs.
    """
    levelled = weights.copy()
    kinds = [_place(name) for name in ("type", "callable", "data", "module")]
    levelled[kinds] += _step(packed, levelled, _tenth(packed, _fixed(), 0.0))
    levelled[_place("base")] = _step(packed, levelled, _TENTH)
    return levelled


def _place(name: str) -> int:
    return next(at for at, rule in enumerate(ALL) if rule.name == name)


def _step(packed: Sequence[_Packed], weights: Floats, aim: float) -> float:
    """What to add to all scores for the tenth to have this share of the best."""
    steps: list[float] = numpy.arange(-0.5, 0.5, 0.01).tolist()
    return min(steps, key=lambda step: abs(_tenth(packed, weights, step) - aim))


def _tenth(packed: Sequence[_Packed], weights: Floats, step: float) -> float:
    """The tenth candidate's score as a share of the best, median over tasks."""
    shares = []
    for tasks in packed:
        for scores in numpy.split(tasks.values @ weights, tasks.starts[1:]):
            ordered = numpy.sort(scores)[::-1] + step
            if len(ordered) >= FIRST and ordered[0] > 0.0:
                shares.append(ordered[FIRST - 1] / ordered[0])
    return float(numpy.median(shares)) if shares else 0.0


class _Packed(NamedTuple):
    """The tasks of a group, stacked."""

    values: Floats
    wanted: Floats  # share of each candidate among the right ones of its task
    task: NDArray[numpy.int64]
    starts: NDArray[numpy.int64]

    @classmethod
    def of(cls, tasks: Sequence[Judged]) -> _Packed:
        lengths = [len(task.right) for task in tasks]
        return cls(
            numpy.vstack([task.values[:, : len(ALL)] for task in tasks]).astype(numpy.float64),
            numpy.concatenate([task.gains / task.gains.sum() for task in tasks]),
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
