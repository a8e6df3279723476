"""The engine of the workspace that a command is about."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.cli.borrowed import lent_engine, path_of
from sonde.cli.console import Console, safe
from sonde.cli.outcome import Failure
from sonde.cli.progress import ProgressBar

if TYPE_CHECKING:
    from sonde.config import Settings
    from sonde.engine import Engine
    from sonde.store.errors import Problem
    from sonde.sync.report import ProgressCallback, SyncReport
    from sonde.sync.update import Synchronizer


def folder_of(arguments: argparse.Namespace) -> Path:
    """The folder that --repo names."""
    try:
        folder = path_of(arguments.repo).absolute()
    except FileNotFoundError:
        raise Failure("the current folder is gone: go to another, or give --repo DIR") from None
    if not folder.is_dir():
        raise Failure(f"--repo: there is no folder '{safe(arguments.repo)}'")
    return folder


def files_of(arguments: argparse.Namespace) -> list[str]:
    """The files that were named: those of the current folder, as a shell completes them, or else
    as answers print them, from the root of the workspace."""
    from sonde.discover import is_inside
    from sonde.store.location import workspace_root

    root = str(workspace_root(folder_of(arguments)))
    found = []
    for written in arguments.files or ():
        here = os.path.realpath(path_of(written)) if "\0" not in written else ""
        meant = is_inside(root, here) and (written.startswith("..") or os.path.exists(here))
        found.append(here if meant else written)
    return found


def from_here(arguments: argparse.Namespace, command: str) -> str:
    """A command that is meant for the root of the workspace, to be run in a folder inside it."""
    from sonde.discover import is_inside
    from sonde.store.location import workspace_root

    root = os.path.realpath(workspace_root(folder_of(arguments)))
    here = os.path.realpath(path_of("."))
    if here == root or not is_inside(root, here):
        return command
    return f"(cd {os.path.relpath(root, here)} && {command})"


def settings_of(arguments: argparse.Namespace) -> tuple[Path, Settings]:
    """The root of the workspace around --repo, and its settings."""
    from sonde.config import ConfigProblem, load_settings
    from sonde.store.location import workspace_root

    root = workspace_root(folder_of(arguments))
    settings = load_settings(root)
    if isinstance(settings, ConfigProblem):
        raise Failure(settings.message)
    return root, settings


@contextmanager
def engine_of(
    arguments: argparse.Namespace, console: Console, *, lasting: bool = False
) -> Iterator[Engine]:
    """The engine of the workspace around --repo; shows the progress of long indexing.

    A `lasting` one reads the settings again when they change.
    """
    from sonde.engine import Engine

    root, settings = settings_of(arguments)
    lent = lent_engine()
    if lent is not None:
        yield lent
        return
    given = None if lasting else settings
    if arguments.quiet or arguments.json:
        with Engine(root, given) as engine:
            yield engine
        return
    bar = ProgressBar(console.errors)
    with Engine(root, given, _shown_by(bar)) as engine:
        yield engine


def _shown_by(bar: ProgressBar) -> Callable[..., Synchronizer]:
    """A synchronizer that shows its syncs, as a question may have to wait for a first index."""
    from sonde.sync.update import Synchronizer

    class Shown(Synchronizer):
        def sync(
            self, progress: ProgressCallback = bar, patience: float | None = None
        ) -> SyncReport | Problem:
            bar.begin()
            try:
                return super().sync(bar, patience)
            finally:
                bar.end()

    return Shown
