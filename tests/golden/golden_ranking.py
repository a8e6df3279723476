"""The ranking of our own fixture repositories, as text that is reviewed in diffs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sonde.answers.results import RankAnswer
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"
QUERIES = HERE / "queries.jsonl"
GOLDEN = HERE / "ranking.txt"

_SHOWN = 5
_DEPTH = 100
_HEADER = """\
# The first five symbols for each query of queries.jsonl; * marks what a person called relevant.
# recall@k counts the relevant ones among the first k, of as many as fit; MRR looks 100 deep.
# Written by `make golden`; review the difference before committing it.
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, what a person calls relevant ("path::Qualified.name"), and what Sonde said."""

    id: str
    repo: str
    kind: str
    query: str
    relevant: tuple[str, ...]
    ranked: tuple[str, ...] = ()

    def recall(self, depth: int) -> float:
        """Relevant symbols among the first ones, of as many as fit there."""
        found = len(set(self.ranked[:depth]) & set(self.relevant))
        return found / min(depth, len(self.relevant))

    def reciprocal_rank(self) -> float:
        """1 / place of the first relevant symbol, 0 when there is none."""
        places = (at for at, name in enumerate(self.ranked, 1) if name in self.relevant)
        return 1.0 / next(places, float("inf"))


def queries() -> list[Asked]:
    """The queries with the answers expected by hand."""
    rows = [json.loads(line) for line in QUERIES.read_text("utf-8").splitlines()]
    return [
        Asked(row["id"], row["repo"], row["kind"], row["query"], tuple(row["relevant"]))
        for row in rows
    ]


@contextmanager
def fixture_engine(repo: str, scratch: Path) -> Iterator[Engine]:
    """An engine over a copy of a fixture, which here is a workspace of its own."""
    root = scratch / repo
    shutil.copytree(FIXTURES / repo, root)
    settings = Settings(scratch / "cache", DiscoverRules(excludes_file=None), workers=1)
    with Engine(root, settings) as engine:
        yield engine


def ask_all(scratch: Path) -> list[Asked]:
    """Every query with its ranking."""
    asked = []
    by_repo: dict[str, list[Asked]] = {}
    for one in queries():
        by_repo.setdefault(one.repo, []).append(one)
    for repo, group in by_repo.items():
        with fixture_engine(repo, scratch) as engine:
            for one in group:
                answer = engine.rank(one.query, _DEPTH)
                assert isinstance(answer, RankAnswer), answer
                names = tuple(f"{r.symbol.file}::{r.symbol.qualname}" for r in answer.ranked)
                asked.append(
                    Asked(one.id, one.repo, one.kind, one.query, one.relevant, ranked=names)
                )
    return asked


def golden_text(asked: Sequence[Asked]) -> str:
    """The golden file: figures first, then each query with its first symbols."""
    parts = [_HEADER, _figures("all", asked)]
    for repo in sorted({one.repo for one in asked}):
        parts.append(_figures(repo, [one for one in asked if one.repo == repo]))
    parts.extend(_block(one) for one in asked)
    return "".join(parts)


def _figures(name: str, asked: Sequence[Asked]) -> str:
    count = len(asked)
    first = sum(one.recall(1) for one in asked) / count
    five = sum(one.recall(_SHOWN) for one in asked) / count
    mean = sum(one.reciprocal_rank() for one in asked) / count
    return f"{name}: {count} queries, recall@1 {first:.3f}, recall@5 {five:.3f}, MRR {mean:.3f}\n"


def _block(one: Asked) -> str:
    title = one.query.splitlines()[0]
    lines = [f"\n{one.id} ({one.kind}) {title}"]
    for at, name in enumerate(one.ranked[:_SHOWN], 1):
        lines.append(f"{'*' if name in one.relevant else ' '} {at} {name}")
    for name in one.relevant:
        if name not in one.ranked[:_SHOWN]:
            place = one.ranked.index(name) + 1 if name in one.ranked else "absent"
            lines.append(f"  missed: {name} ({place})")
    return "\n".join(lines) + "\n"
