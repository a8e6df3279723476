"""Short ways to say what a walk found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sonde.discover import DiscoverRules, discover
from sonde.model import FileKind, SkipReason


def rules(**changes: Any) -> DiscoverRules:
    """Default rules without the excludes file of whoever runs the tests."""
    return DiscoverRules(**{"excludes_file": None, **changes})


def paths(root: Path, **changes: Any) -> list[str]:
    """Paths of the files taken."""
    return [file.path for file in discover(root, rules(**changes)).files]


def reasons(root: Path, **changes: Any) -> dict[str, SkipReason]:
    """Path → reason of the files left out."""
    return {skip.path: skip.reason for skip in discover(root, rules(**changes)).skipped}


def kinds(root: Path, **changes: Any) -> dict[str, FileKind]:
    """Path → kind of the files taken."""
    return {file.path: file.kind for file in discover(root, rules(**changes)).files}


def languages(root: Path) -> dict[str, str]:
    """Path → language of the files taken."""
    return {file.path: file.language for file in discover(root, rules()).files}
