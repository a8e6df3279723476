"""A parser that crashes, hangs or raises costs its file, not the run."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shop_workspace import opened, write

from sonde.link.links import FileLinks
from sonde.link.tables import FileEntry
from sonde.model import SkipReason
from sonde.store.errors import Problem, ProblemKind, StoreError
from sonde.store.location import Workspace
from sonde.store.writer import Writer
from sonde.sync import pool
from sonde.sync.report import SyncReport
from sonde.sync.update import Synchronizer

Sync = Callable[[Workspace], SyncReport]

# Read by every Python that starts, so that the real workers meet a parser that misbehaves.
SABOTAGE = textwrap.dedent(
    """
    import sys

    if "sonde.sync.worker" in " ".join(sys.orig_argv):
        import os, signal, time
        import sonde.extract

        extract = sonde.extract.extract
        setitimer = signal.setitimer
        signal.setitimer = lambda which, seconds: setitimer(which, min(seconds, 0.5))

        def sabotaged(path, language, data):
            if b"please crash" in data:
                os.abort()
            if b"please hang" in data:
                time.sleep(60)
            if b"please compute" in data:
                while True:
                    pass
            if b"please raise" in data:
                raise ValueError("two\\nlines")
            return extract(path, language, data)

        sonde.extract.extract = sabotaged
    """
)


@pytest.fixture
def sabotaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "site", {"sitecustomize.py": SABOTAGE})
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"), prepend=os.pathsep)
    monkeypatch.setattr(pool, "_TIME_LIMIT", 1.0)


@pytest.mark.usefixtures("sabotaged")
def test_each_failure_is_a_skip_reason_and_the_rest_is_indexed(
    shop: Workspace, synced: Sync
) -> None:
    bad = {
        "a_crash.py": "# please crash\n",
        "shop/b_hang.py": "# please hang\n",
        "shop/c_long.py": "# please compute\n",
        "z_raise.py": "# please raise\n",
        "z_crash.py": "# please crash again\n",
    }
    write(shop.root, bad)
    report = synced(shop)
    assert report.failed == tuple(sorted(bad))
    reasons = {path: reason for path, reason, _ in opened(shop).skipped()}
    assert reasons == {
        "a_crash.py": SkipReason.PARSER_CRASH,
        "shop/b_hang.py": SkipReason.PARSER_TIMEOUT,
        "shop/c_long.py": SkipReason.PARSER_TIMEOUT,
        "z_raise.py": SkipReason.PARSER_CRASH,
        "z_crash.py": SkipReason.PARSER_CRASH,
    }
    assert len(opened(shop).files()) == 6
    assert not synced(shop).changed  # not tried again before the file changes
    write(shop.root, {"a_crash.py": "def mended(): pass\n"})
    synced(shop)
    assert opened(shop).ids_named("mended")


@pytest.mark.usefixtures("sabotaged")
def test_a_file_that_starts_to_break_its_parser_leaves_the_index(
    shop: Workspace, synced: Sync
) -> None:
    synced(shop)
    write(shop.root, {"shop/price.py": "# please crash\n"})
    assert synced(shop).failed == ("shop/price.py",)
    assert opened(shop).ids_named("total") == []


@pytest.mark.usefixtures("sabotaged")
def test_files_that_break_their_parser_were_counted_as_indexed(
    shop: Workspace, synced: Sync
) -> None:
    all_well = synced(shop).files
    write(shop.root, {"shop/price.py": "# please crash\n", "shop/more.py": "# please raise\n"})
    assert synced(shop).files == all_well - 1
    again = synced(shop)
    assert not again.changed
    assert again.files == all_well - 1


def test_a_file_that_could_not_be_linked_was_silent_or_failed_every_sync(
    shop: Workspace, synced: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sonde.sync import relink

    link_file = relink.link_file

    def failing(entry: FileEntry, *rest: Any) -> FileLinks:
        if entry.path == "shop/price.py":
            raise RecursionError
        return link_file(entry, *rest)

    monkeypatch.setattr(relink, "link_file", failing)
    first = synced(shop)
    assert first.unlinked == ("shop/price.py",)
    assert opened(shop).status().unlinked == ("shop/price.py",)
    monkeypatch.setattr(relink, "link_file", link_file)
    write(shop.root, {"shop/price.py": "def total(lines): return 0\n"})
    assert synced(shop).unlinked == ()
    assert opened(shop).status().unlinked == ()
    monkeypatch.setattr(relink, "link_file", failing)
    write(shop.root, {"shop/price.py": "def total(lines): return 1\n"})
    assert synced(shop).unlinked == ("shop/price.py",)
    assert opened(shop).status().unlinked == ("shop/price.py",)
    assert opened(shop).ids_named("total")


def test_workers_end_with_their_synchronizer(shop: Workspace) -> None:
    synchronizer = Synchronizer(shop, workers=2)
    synchronizer.sync()
    processes = [worker.process for worker in synchronizer._pool._workers]
    assert processes
    synchronizer.close()
    assert all(process.returncode == 0 for process in processes)


def test_answers_that_a_failed_sync_left_behind_do_not_reach_the_next(
    shop: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next sync waited 20 s for answers that were lost, and gave up a file it could read."""
    monkeypatch.setattr(pool, "_TIME_LIMIT", 2.0)
    synchronizer = Synchronizer(shop, workers=1)
    write(shop.root, {f"shop/f{n}.py": "" for n in range(12)})
    assert isinstance(synchronizer.sync(), SyncReport)
    write(shop.root, {f"shop/f{n}.py": f"def new{n}(): ...\n" for n in range(12)})
    with monkeypatch.context() as full_disk:
        full_disk.setattr(Writer, "put_file", _no_space)
        problem = synchronizer.sync()
    assert isinstance(problem, Problem)
    assert problem.kind is ProblemKind.DISK_FULL
    report = synchronizer.sync()
    synchronizer.close()
    assert isinstance(report, SyncReport)
    assert (len(report.modified), report.failed) == (12, ())


def _no_space(*_: object) -> None:
    raise StoreError(ProblemKind.DISK_FULL, "no space left")


def test_bug_workers_of_a_process_that_gives_way_itself_were_put_before_it(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from sonde.sync.pool import _GIVING_WAY, _Worker\n"
        "worker = _Worker(('/', sys.argv[1], 1, ''))\n"
        "worker.give_way()\n"
        "own, given = (os.getpriority(os.PRIO_PROCESS, p) for p in (0, worker.process.pid))\n"
        "worker.end(kill=True)\n"
        "assert given == min(own + _GIVING_WAY, 19), (own, given)\n"
    )
    command = ["nice", "-n", "7", sys.executable, "-c", program, str(tmp_path / "facts.db")]
    subprocess.run(command, check=True)
