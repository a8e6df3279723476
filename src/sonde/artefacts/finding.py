"""All artefacts of some folders: read from the files the project has, and from `.sonde/`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from sonde.artefacts import rules, runbook
from sonde.artefacts.artefact import Artefact
from sonde.store.source import Stale, read_source

_LARGEST = 400_000  # bytes of a file; a longer one is not written for people
_WORKFLOWS = 12
_ONLY_AT_ROOT = (".github/copilot-instructions.md", ".github/CONTRIBUTING.md")
_GRADLE = ("build.gradle", "build.gradle.kts")
_GRADLE_ROOT = ("settings.gradle", "settings.gradle.kts")
_RULES = (rules.OWN_CONSTITUTION, rules.OWN_GOTCHAS, *rules.FOR_AGENTS, *rules.FOR_PEOPLE)


def folders_of(paths: Iterable[str]) -> list[str]:
    """The folders around some files up to the root, which is "", outermost first."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return sorted(found, key=lambda folder: (folder.count("/") + bool(folder), folder))


def find_artefacts(root: Path, folders: Sequence[str]) -> list[Artefact]:
    """Rules, pitfalls and commands of these folders, each in the scope of its folder."""
    found: list[Artefact] = []
    for folder in folders:
        listed = _listing(root, folder)
        beside = listed | _lock_above(root, folder, listed)
        for name in _present(root, folder, listed):
            path = f"{folder}/{name}" if folder else name
            if folder and path in _ONLY_AT_ROOT:
                continue  # it holds for all, and was read with the root
            data = read_source(str(root), path, most=_LARGEST + 1)
            if not isinstance(data, Stale) and len(data) <= _LARGEST:
                found += _parsed(path, data, folder, beside, name in _RULES)
    return _distinct(found)


def _present(root: Path, folder: str, beside: frozenset[str]) -> list[str]:
    """Names, relative to the folder, of the files worth reading."""
    wanted = [
        name for name in (*_RULES, *runbook.READERS) if not folder or name not in _ONLY_AT_ROOT
    ]
    present = []
    for name in wanted:
        first, _, rest = name.partition("/")
        if name in _GRADLE and _is_subproject(root, folder, beside):
            continue
        if first in beside and (not rest or os.path.isfile(os.path.join(root, folder, name))):
            present.append(name)
    return present + (_workflows(root) if not folder and ".github" in beside else [])


def _is_subproject(root: Path, folder: str, beside: frozenset[str]) -> bool:
    """Whether a folder is built by what an outer one begins: its commands are run there."""
    if not folder or not beside.isdisjoint(_GRADLE_ROOT):
        return False
    outer = folders_of([folder])
    return any(not _listing(root, each).isdisjoint(_GRADLE_ROOT) for each in outer)


def _lock_above(root: Path, folder: str, beside: frozenset[str]) -> frozenset[str]:
    """The lock file of the workspace that a package is part of, if it has none of its own."""
    if not folder or "package.json" not in beside or not beside.isdisjoint(runbook.LOCKS):
        return frozenset()
    above = (_listing(root, each) & runbook.LOCKS for each in reversed(folders_of([folder])))
    return next(filter(None, above), frozenset())


def _workflows(root: Path) -> list[str]:
    listed = sorted(_listing(root, ".github/workflows"))
    names = [name for name in listed if name.endswith((".yml", ".yaml"))]
    return [f".github/workflows/{name}" for name in names[:_WORKFLOWS]]


def _listing(root: Path, folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(os.path.join(root, folder)))
    except OSError:
        return frozenset()


@lru_cache(maxsize=256)
def _parsed(
    path: str, data: bytes, folder: str, beside: frozenset[str], is_rules: bool
) -> list[Artefact]:
    text = data.decode("utf-8", "replace")
    if is_rules:
        return rules.rules_of(path, text, folder)
    return runbook.commands_of(path, text, folder, beside)


def _distinct(found: Iterable[Artefact]) -> list[Artefact]:
    """Each rule once, and of each command the one whose file comes first in its scope, and those
    that are for some languages only."""
    kept: dict[tuple[str, ...], Artefact] = {}
    for each in found:
        said = each.name if each.name else each.text.casefold()
        source = runbook.source_of(each) if each.name else ""
        kept.setdefault((each.kind, each.scope, said, source), each)
    return list(kept.values())
