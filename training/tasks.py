"""Tasks with known answers: the value of each rule for every candidate, and which were right.

Three sources: requests with the symbols they need; commits, asked by their message on the
repository as it was long before them; and issues, asked by their text on the commit that their
fix started from. What a commit or fix changed is not all that it needed: the functions, types and
bases which that code uses are told too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zlib import crc32

import numpy
from bench.corpus import Corpus, places
from bench.data import Case, LocalizationCase, SymbolTask
from bench.metrics import canonical, normal_place, strict_match
from numpy.typing import NDArray

from bench import snapshot
from sonde.git import GitFailure
from sonde.history.log import Commit, read_log
from sonde.history.refresh import refresh
from sonde.history.store import History
from sonde.model import SymbolRecord
from sonde.rank import correction, titles
from sonde.rank.pipeline import rank_query
from sonde.rank.rule import Field
from sonde.rank.rules import ALL
from sonde.rank.rules.neighbours import uses_among
from sonde.rank.standing import FEATURES
from sonde.rank.table import Table
from sonde.retrieve.view import View
from sonde.store.index import Index
from sonde.store.location import workspace
from sonde.sync.update import sync
from sonde.understand.query import understand

FOLDS = 5  # of repositories, each left out once to tell what a fit is worth
FIRST = 10  # candidates by which recall is told
_EARLIER = 400  # first-parent commits between the index and the last task
_TASKS = 15  # per repository, so that no large one dominates
_MOST_CHANGED = 6  # functions; a commit that changes more says little about each
_LEAST_WORDS = 4
_KEPT = 150  # best candidates of a task; the rest is more of the same noise
_RELIED = 0.1  # what a symbol is worth that changed code relies on, beside one that was changed
_HISTORY_SECONDS = 90.0
_CHORES = re.compile(
    r"^(?:merge|bump|release|version|chore|style|ci|build|revert|docs?|test)\b", re.I
)
_TRAILER = re.compile(
    r"^\s*(?:signed-off|co-authored|reviewed|closes?|fixes|refs?)\b.*$", re.I | re.M
)
_BODY = 600  # characters


COLUMNS = (*(rule.name for rule in ALL), *(feature.name for feature in FEATURES))


class Judged(NamedTuple):
    """One task: the values of `COLUMNS` and which candidates were right, a row each, best first."""

    repo: str
    values: NDArray[numpy.float32]
    right: NDArray[numpy.bool_]
    relied: NDArray[numpy.bool_]  # on by what was changed; none of a request, which names them
    weight: float = 1.0  # in a fit, beside other tasks
    wording: int = 0  # of a request: as it was written, in close words, in those of an outsider

    @property
    def gains(self) -> NDArray[numpy.float64]:
        """What finding each candidate is worth."""
        return self.right + _RELIED * self.relied

    @property
    def fold(self) -> int:
        """Which of the folds has the task's repository."""
        return crc32(self.repo.encode()) % FOLDS

    def recall(self, scores: NDArray[numpy.float64]) -> float:
        """The share of the right candidates that are among the first by their scores."""
        first = numpy.argsort(-scores, kind="stable")[:FIRST]
        return float(self.right[first].sum() / min(self.right.sum(), FIRST))


def commit_tasks(repo: str, commit: str, git_dir: Path) -> list[Judged]:
    """Later commits of a repository, asked on a commit from well before them."""
    arguments = ("rev-list", "--first-parent", f"--skip={_EARLIER}", "-n1", commit)
    earlier = snapshot.git(git_dir, *arguments).decode().strip()
    if not earlier:
        return []
    log = read_log(git_dir, f"{earlier}..{commit}", 0, 3 * _EARLIER, 120.0)
    if isinstance(log, GitFailure):
        return []
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "work"
        snapshot.materialise(git_dir, earlier, folder)
        with Place(folder, Path(scratch)) as view:
            found = (_commit_task(repo, each, view) for each in log.commits)
            return [task for task, _ in zip(filter(None, found), range(_TASKS), strict=False)]


def report_tasks(cases: Sequence[LocalizationCase], corpus: Corpus) -> Iterator[Judged]:
    """Issues, each asked on the commit that its fix started from."""
    with TemporaryDirectory() as scratch, places(corpus, cases, Path(scratch)) as walk:
        for folder, group in walk:
            with Place(folder, Path(scratch)) as view:
                yield from filter(None, (_report_task(case, view) for case in group))


def request_tasks(
    cases: Sequence[SymbolTask], corpus: Corpus, wordings: int = 2
) -> Iterator[Judged]:
    """Requests, each in so many wordings, of which its own is the first."""
    with TemporaryDirectory() as scratch, places(corpus, cases, Path(scratch)) as walk:
        for folder, group in walk:
            with Place(folder, Path(scratch)) as view:
                for case in group:
                    assert isinstance(case, SymbolTask)
                    texts = (case.query, *case.rewordings)[:wordings]
                    yield from _request_task(case, texts, view)


class Place:
    """A view of a folder, with its history."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self._folder, self._scratch = folder, scratch

    def __enter__(self) -> View:
        place = workspace(self._folder, self._scratch / "cache")
        sync(place, workers=1)  # several finish in any order, by which symbols would be numbered
        index = Index.open(place)
        assert isinstance(index, Index), index
        self._index = index
        self._history = History(self._scratch / f"{self._folder.name}.db")
        refresh(self._folder, self._history, _HISTORY_SECONDS)
        return View(index, self._history)

    def __exit__(self, *_: object) -> None:
        self._history.close()
        self._index.close()


def _commit_task(repo: str, commit: Commit, view: View) -> Judged | None:
    if _CHORES.match(commit.subject) or len(commit.subject.split()) < _LEAST_WORDS:
        return None
    changed = set()
    for path, names in commit.touched:
        for name in names:
            defined = [id for id in view.named_in(path, name) if not view.is_test(id)]
            if len(defined) == 1:
                changed.add(defined[0])
    if not 1 <= len(changed) <= _MOST_CHANGED:
        return None
    text = f"{commit.subject}\n\n{_TRAILER.sub('', commit.body)[:_BODY]}"
    return _judged(repo, text, view, lambda symbol: symbol.id in changed)


def _request_task(case: SymbolTask, texts: Sequence[str], view: View) -> Iterator[Judged]:
    placed = [name for name in case.truth if "::" in name and "." in name.partition("::")[0]]
    exact = {name.replace("::", "\0", 1) for name in placed}
    names = [canonical(name).lower() for name in case.truth]

    def is_right(symbol: SymbolRecord) -> bool:
        if exact:  # "path.ext::Owner.name" tells homonyms apart
            return f"{symbol.file}\0{symbol.qualname}" in exact
        own = canonical(symbol.qualname).lower()
        return any(strict_match(own, name) for name in names)

    for wording, text in enumerate(texts):
        judged = _judged(case.repo, text, view, is_right)
        if judged is not None:
            yield judged._replace(wording=wording, relied=numpy.zeros_like(judged.right))


def _report_task(case: Case, view: View) -> Judged | None:
    assert isinstance(case, LocalizationCase)
    wanted = {normal_place(name) for name in case.symbols}
    return _judged(
        case.repo,
        case.query,
        view,
        lambda symbol: normal_place(f"{symbol.file}::{symbol.qualname}") in wanted,
    )


def _judged(
    repo: str, text: str, view: View, is_right: Callable[[SymbolRecord], bool]
) -> Judged | None:
    ranking = rank_query(understand(text), view, frozenset({correction.RULE, titles.RULE}))
    field = ranking.field
    every = Table.of(replace(field, weights={}), ALL, frozenset())  # also those that weigh nothing
    table = every._replace(weights=numpy.array([field.weights[name] for name in every.names]))
    values = correction.features(field, table, COLUMNS).astype(numpy.float32)
    right = numpy.array([is_right(record) for record in field.records], bool)
    if not right.any():
        return None
    order = numpy.argsort(-table.totals, kind="stable")
    kept = numpy.concatenate((order[:_KEPT], order[_KEPT:][right[order[_KEPT:]]]))
    return Judged(repo, values[kept], right[kept], _relied(field, right)[kept])


def _relied(field: Field, right: NDArray[numpy.bool_]) -> NDArray[numpy.bool_]:
    """What the right ones call, name as a type or extend, and is not right itself."""
    uses = uses_among(field)
    relied = numpy.zeros_like(right)
    relied[uses.used[right[uses.user]]] = True
    return relied & ~right
