"""Signs that an artefact is out of date: it names files or targets that do not exist."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from sonde.artefacts.artefact import Artefact, ArtefactKind
from sonde.discover import is_inside

_CODE = re.compile(r"`([^`\n]{2,200})`")
_PATH = re.compile(r"(?:\./)?[\w.@-]+(?:/[\w.@-]+)+/?|[\w-]+\.(?:py|js|ts|go|rs|rb|java|md|toml)")
_MAKE = re.compile(r"\bmake ([a-z][\w-]*)")


def stale_reason(artefact: Artefact, root: Path, everything: Sequence[Artefact]) -> str:
    """Why an artefact may be out of date; "" when nothing suggests it."""
    if artefact.kind is ArtefactKind.RUNBOOK:
        return _missing_target(artefact, everything)
    for written in _CODE.findall(artefact.text):
        path = written.strip()
        if _PATH.fullmatch(path) and not _exists(root, artefact.scope, path):
            return f"names {path}, which is not there"
    return ""


def _exists(root: Path, scope: str, path: str) -> bool:
    for base in dict.fromkeys((scope, "")):
        full = os.path.normpath(os.path.join(root, base, path))
        if is_inside(str(root), full) and os.path.lexists(full):
            return True
    # A bare name, or a path within a folder that is not at the top, may be meant anywhere.
    first, below, _ = path.removeprefix("./").partition("/")
    return not below or not any((root / base / first).is_dir() for base in (scope, ""))


def _missing_target(artefact: Artefact, everything: Sequence[Artefact]) -> str:
    """A command that makes a target which no makefile has."""
    match = _MAKE.search(artefact.text)
    if match is None or artefact.file.rpartition("/")[2].lower().endswith("makefile"):
        return ""
    targets = {
        each.text.removeprefix("make ")
        for each in everything
        if each.file.rpartition("/")[2].lower().endswith("makefile")
    }
    if targets and match[1] not in targets:
        return f"makes {match[1]}, which no makefile has"
    return ""
