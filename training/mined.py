"""What all trainings share: their options, mining by repository, and what was mined, kept."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from bench.corpus import Corpus
from bench.data import Case

_Mined = TypeVar("_Mined")
_Asked = TypeVar("_Asked", bound=Case)


def options(name: str, text: str | None, cache: str) -> argparse.Namespace:
    """The options of `python -m training.<name>`; `cache` is where its data is kept."""
    parser = argparse.ArgumentParser(prog=f"python -m training.{name}", description=text)
    parser.add_argument("--mirror", required=True, help="folder of bare clones, owner+name")
    parser.add_argument("--corpus", help="folder of materialised commits")
    parser.add_argument("--cache", default=f".training/{cache}", help="where mined data is kept")
    parser.add_argument("--held-out", action="store_true", help="measure, write nothing")
    return parser.parse_args()


def kept(place: str, mine: Callable[[], _Mined]) -> _Mined:
    """What was mined before, or what is mined now and kept there."""
    path = Path(place)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(mine()))
    found: _Mined = pickle.loads(path.read_bytes())
    return found


def by_repository(
    mine: Callable[[Sequence[_Asked], Corpus], Iterable[_Mined]],
    cases: Sequence[_Asked],
    corpus: Corpus,
) -> Iterator[_Mined]:
    """What each repository's cases bring, in their order, as many at once as there are cores."""
    groups: dict[str, list[_Asked]] = {}
    for case in cases:
        groups.setdefault(case.repo, []).append(case)
    listed = partial(_listed, mine, corpus)
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        for repo, found in zip(groups, pool.map(listed, groups.values()), strict=True):
            print(f"{repo}: {len(found)} mined", file=sys.stderr)
            yield from found


def _listed(
    mine: Callable[[Sequence[_Asked], Corpus], Iterable[_Mined]],
    corpus: Corpus,
    cases: Sequence[_Asked],
) -> list[_Mined]:
    return list(mine(cases, corpus))
