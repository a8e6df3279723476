"""Random edits against an index from scratch: `python -m bench.soak REPO [--rounds N] [--seed N]`.

A copy of the repository is edited for as many rounds as asked, by a warm process that keeps its
index up to date; after each round the index must equal one built from nothing.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.fuzz import mutated
from sonde.discover import DiscoverRules, discover
from sonde.store.dump import dump
from sonde.store.errors import Problem
from sonde.store.index import Index
from sonde.store.location import Workspace, workspace
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer, sync

_EDITS = 12  # maximum between two comparisons
_SHOWN = 5  # differing lines


def edit(root: Path, chance: random.Random) -> None:
    """Delete, rename, copy, move down or mutate some indexed file."""
    paths = [root / file.path for file in discover(root, DiscoverRules()).files]
    path, other = chance.choice(paths), chance.choice(paths)
    match chance.randrange(8):
        case 0:
            path.unlink()
        case 1:
            path.rename(path.with_name(f"r{chance.randrange(99)}{path.name}"))
        case 2:
            shutil.copy(path, other.parent / f"c{chance.randrange(99)}{path.name}")
        case 3:
            path.write_bytes(b"\n\n" + path.read_bytes())
        case 4:
            other.write_bytes(other.read_bytes() + b"\n" + path.read_bytes())
        case 5:
            moved = root / f"moved{chance.randrange(9)}" / path.parent.name
            moved.mkdir(parents=True, exist_ok=True)
            path.rename(moved / path.name)
        case _:
            path.write_bytes(mutated(path.read_bytes(), chance))


def lines_of(place: Workspace) -> list[str]:
    """The index of a workspace without ids."""
    index = Index.open(place)
    if isinstance(index, Problem):
        raise SystemExit(index.message)
    try:
        return dump(index)
    finally:
        index.close()


def difference(place: Workspace, scratch: Path) -> list[str]:
    """Lines that only one of the two indexes has."""
    fresh = workspace(place.root, scratch)
    report = sync(fresh)
    if not isinstance(report, SyncReport):
        raise SystemExit(report.message)
    ours, theirs = set(lines_of(place)), set(lines_of(fresh))
    shutil.rmtree(scratch)
    grown = [f"only after edits: {line}" for line in sorted(ours - theirs)]
    return grown + [f"only from scratch: {line}" for line in sorted(theirs - ours)]


def main() -> int:
    """Edit and compare; 1 at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repo", metavar="REPO", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with TemporaryDirectory(prefix="soak-") as folder:
        root = Path(folder, "repo")
        shutil.copytree(options.repo, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        keeper = Synchronizer(workspace(root, Path(folder, "cache")))
        try:
            for number in range(1, options.rounds + 1):
                for _ in range(chance.randrange(1, _EDITS)):
                    edit(root, chance)
                report = keeper.sync()
                if not isinstance(report, SyncReport):
                    raise SystemExit(report.message)
                lines = difference(workspace(root, Path(folder, "cache")), Path(folder, "scratch"))
                if lines:
                    print(f"round {number} of seed {options.seed}: {len(lines)} lines differ")
                    print("\n".join(lines[:_SHOWN]))
                    return 1
        finally:
            keeper.close()
    print(f"{options.rounds} rounds of edits: equal to the index from scratch after each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
