"""Real indexes of small repositories, as retrieval and ranking look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from example_repository import EXAMPLE, write

from sonde.discover import DiscoverRules
from sonde.model import Intent, Query
from sonde.retrieve.channel import Hit
from sonde.retrieve.view import View
from sonde.store.errors import Problem
from sonde.store.index import Index
from sonde.store.location import workspace
from sonde.sync.report import SyncReport
from sonde.sync.update import sync

# The example of the engine's tests, and what the channels need beyond it.
REPOSITORY = {
    **EXAMPLE,
    **{
        f"plugins/p{number:02}.py": (
            f"class Plugin{number}:\n"
            f'    """Plugin number {number}."""\n\n'
            f"    def handle(self, event):\n        return event\n"
        )
        for number in range(30)
    },
    "app/main.py": 'def main():\n    """Start here."""\n    return prepare()\n\n\n'
    "def prepare():\n    return 1\n",
    "app/limits.py": '''\
"""Who may ask how often."""


class RateLimiter:
    """Counts what each client asked for."""

    def allow(self, client):
        return True


def blast_radius(name):
    """Everything a change may break."""
    return transitive_callers(name)


def transitive_callers(name):
    seen = set()
    return seen
''',
    "billing/report.py": '''\
class Invoice:
    """What a customer owes."""

    def total(self):
        raise AmountError("the amount owed cannot be negative")


class AmountError(ValueError):
    pass
''',
    "tests/conftest.py": "def database_client():\n    return 1\n",
    "tests/test_flamingo.py": "".join(
        f"def test_flamingo_{number}():\n    assert flamingo\n\n\n" for number in range(60)
    ),
    "app/zoo.py": 'def feed_birds():\n    """Feed every flamingo."""\n    return 1\n',
}


@contextmanager
def view_over(
    files: Mapping[str, str], scratch: Path, *, first: tuple[str, ...] = ()
) -> Iterator[View]:
    """A view of an index; files named `first` were indexed before the others existed."""
    root = scratch / "work"
    place = workspace(root, scratch / "cache")
    rules = DiscoverRules(excludes_file=None)
    for part in ([{path: files[path] for path in first}] if first else []) + [dict(files)]:
        write(root, part)
        report = sync(place, rules, workers=1)
        assert isinstance(report, SyncReport), report
    index = Index.open(place)
    assert not isinstance(index, Problem), index
    try:
        yield View(index)
    finally:
        index.close()


def asked(text: str = "", **parts: Any) -> Query:
    """A query of exactly these parts."""
    return Query(text, Intent.BUG_FIX, 0.5, **parts)


def names_of(hits: list[Hit], view: View) -> list[str]:
    """The qualified names of hits, in their order."""
    return [record.qualname for record in view.records([hit.id for hit in hits])]


def reasons(hits: list[Hit], view: View) -> dict[str, str]:
    """Why each symbol was proposed."""
    records = view.records([hit.id for hit in hits])
    return {record.qualname: hit.reason for record, hit in zip(records, hits, strict=True)}
