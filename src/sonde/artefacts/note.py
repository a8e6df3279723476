"""Notes that the user asks to keep, written into the workspace."""

from __future__ import annotations

import os
from pathlib import Path

from sonde.artefacts.artefact import ArtefactKind
from sonde.artefacts.items import LONGEST
from sonde.artefacts.rules import OWN_CONSTITUTION, OWN_GOTCHAS
from sonde.artefacts.runbook import OWN_RUNBOOK
from sonde.discover import is_inside
from sonde.store.whole_file import replace_file

FILES = {
    ArtefactKind.CONSTITUTION: OWN_CONSTITUTION,
    ArtefactKind.GOTCHA: OWN_GOTCHAS,
    ArtefactKind.RUNBOOK: OWN_RUNBOOK,
}


def add_note(root: Path, kind: ArtefactKind, text: str, folder: str = "") -> Path | str:
    """Append a note to its file below `.sonde/`; returns the file, or why it was not written."""
    said = " ".join(text.split())
    if not said:
        return "the note is empty: say it in a sentence"
    if len(said) > LONGEST:
        return f"the note has {len(said)} characters: keep it below {LONGEST}"
    if kind is ArtefactKind.RUNBOOK and ":" not in said:
        return "a runbook note is NAME: COMMAND, such as 'test: make test'"
    path = Path(os.path.normpath(root / folder / FILES[kind]))
    if not is_inside(str(root), os.path.realpath(path)):
        return f"{folder!r} lies outside the workspace"
    if not os.path.isdir(root / folder):
        return f"there is no folder {folder!r} in the workspace"
    try:
        before = path.read_bytes().decode() if path.is_file() else f"# {kind.capitalize()}\n\n"
        end = "\r\n" if "\r\n" in before else "\n"
        if f"- {said}{end}" in before:
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        replace_file(path, before + end * (not before.endswith("\n")) + f"- {said}{end}", mode)
    except OSError as error:
        return f"cannot write {path}: {error.strerror}"
    except UnicodeError:
        return f"cannot add to {path}: it is not UTF-8"
    return path
