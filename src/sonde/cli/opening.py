"""The engine of the workspace that a command is about."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.cli.console import Console, safe
from sonde.cli.outcome import Failure, answered
from sonde.cli.progress import ProgressBar

if TYPE_CHECKING:
    from sonde.config import Settings
    from sonde.engine import Engine
    from sonde.sync.report import SyncReport


def folder_of(arguments: argparse.Namespace) -> Path:
    """The folder that --repo names."""
    folder = Path(arguments.repo)
    if not folder.is_dir():
        raise Failure(f"--repo: there is no folder '{safe(arguments.repo)}'")
    return folder


def settings_of(arguments: argparse.Namespace) -> tuple[Path, Settings]:
    """The root of the workspace around --repo, and its settings."""
    from sonde.config import ConfigProblem, load_settings
    from sonde.engine import workspace_root

    root = workspace_root(folder_of(arguments))
    settings = load_settings(root)
    if isinstance(settings, ConfigProblem):
        raise Failure(settings.message)
    return root, settings


@contextmanager
def engine_of(arguments: argparse.Namespace, console: Console) -> Iterator[Engine]:
    """An engine whose index equals the disk; bringing it there is shown if it takes long."""
    with unsynced_engine_of(arguments) as engine:
        synced(engine, arguments, console)
        yield engine


@contextmanager
def unsynced_engine_of(arguments: argparse.Namespace) -> Iterator[Engine]:
    """An engine that has not looked at the disk."""
    from sonde.engine import Engine

    with Engine(*settings_of(arguments)) as engine:
        yield engine


def synced(engine: Engine, arguments: argparse.Namespace, console: Console) -> SyncReport:
    """Bring the index up to date, showing how far it is."""
    if arguments.quiet or arguments.json:
        return answered(engine.sync())
    bar = ProgressBar(console.errors)
    try:
        return answered(engine.sync(bar))
    finally:
        bar.end()
