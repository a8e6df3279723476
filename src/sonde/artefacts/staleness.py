"""Signs that an artefact is out of date: it names files or targets that do not exist."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from sonde.artefacts.artefact import Artefact, ArtefactKind
from sonde.discover import is_inside
from sonde.store.source import Stale, read_source

_CODE = re.compile(r"`([^`\n]{2,200})`")
_PATH = re.compile(r"(?:\./)?[\w.@-]+(?:/[\w.@-]+)+/?|[\w-]+\.(?:py|js|ts|go|rs|rb|java|md|toml)")
_MAKE = re.compile(r"\bmake ([a-z][\w-]*)(?![\w./:%$=-])")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_RULE = re.compile(r"^([^\s:=#][^:=#\n]{0,500}?)[ \t]*:(?!=)", re.M)
_INCLUDE = re.compile(r"^[-s]?include[ \t]", re.M)
_LARGEST = 400_000  # bytes of a makefile


def stale_reason(artefact: Artefact, root: Path, everything: Sequence[Artefact]) -> str:
    """Why an artefact may be out of date; "" when nothing suggests it."""
    if artefact.kind is ArtefactKind.RUNBOOK:
        return _missing_target(artefact.text, artefact, root, everything)
    for written in _CODE.findall(artefact.text):
        path = written.strip()
        if missing := _missing_target(path, artefact, root, everything):
            return missing
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


def _missing_target(
    said: str, artefact: Artefact, root: Path, everything: Sequence[Artefact]
) -> str:
    """A command that makes a target which no makefile has."""
    match = _MAKE.search(said)
    if match is None or artefact.file.rpartition("/")[2].lower().endswith("makefile"):
        return ""
    targets = _targets(root, {"", artefact.scope, *(each.scope for each in everything)})
    if targets and not any(fnmatchcase(match[1], each.replace("%", "*")) for each in targets):
        return f"makes {match[1]}, which no makefile has"
    return ""


def _targets(root: Path, folders: Iterable[str]) -> set[str]:
    """Names and patterns that the makefiles of some folders make; none where they compute them."""
    found: set[str] = set()
    for folder in folders:
        for name in _MAKEFILES:
            data = read_source(str(root), f"{folder}/{name}" if folder else name, most=_LARGEST)
            if isinstance(data, Stale):
                continue
            text = data.decode("utf-8", "replace").replace("\\\n", " ")
            made = {target for rule in _RULE.findall(text) for target in rule.split()}
            if _INCLUDE.search(text) or any("$" in target for target in made):
                return set()
            found |= made
    return found
