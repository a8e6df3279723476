"""Unsaved buffers over the disk: files in another folder stand in for the workspace's."""

from __future__ import annotations

import os
from operator import attrgetter
from pathlib import Path

from sonde.discover.classify import classify
from sonde.discover.language import named
from sonde.model import Discovery, SkippedFile, SourceFile


def with_overlay(discovery: Discovery, overlay: Path) -> Discovery:
    """What a walk would have found if the overlay's files lay in the workspace."""
    files = {each.path: each for each in discovery.files}
    skipped = {each.path: each for each in discovery.skipped}
    for path in buffered(overlay):
        if path not in files and _is_left_out(path, skipped):
            continue
        location = overlay / path
        try:
            status = location.stat()
        except OSError:
            continue  # closed since it was listed
        name = path.rpartition("/")[2]
        found = classify(str(location), path, named(name), status.st_size, status.st_mtime_ns)
        files.pop(path, None)
        if found.reason is None:
            files[path] = SourceFile(path, found.language, found.kind, found.size, found.mtime_ns)
        else:
            skipped[path] = SkippedFile(path, found.reason, "", found.size, found.mtime_ns)
    by_path = attrgetter("path")
    return Discovery(
        tuple(sorted(files.values(), key=by_path)), tuple(sorted(skipped.values(), key=by_path))
    )


def buffered(overlay: Path) -> list[str]:
    """Paths of all files below the overlay."""
    found = []
    for folder, _, names in os.walk(overlay):
        below = os.path.relpath(folder, overlay).replace(os.sep, "/")
        found += [name if below == "." else f"{below}/{name}" for name in names]
    return sorted(found)


def _is_left_out(path: str, skipped: dict[str, SkippedFile]) -> bool:
    """Whether the walk left out the file or a folder around it."""
    parts = path.split("/")
    return any("/".join(parts[:count]) in skipped for count in range(1, len(parts) + 1))
