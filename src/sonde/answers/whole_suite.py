"""The command by which a project itself runs all its tests."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.answers.folders import in_folder
from sonde.artefacts.artefact import Artefact, ArtefactKind
from sonde.artefacts.finding import find_artefacts, folders_of
from sonde.artefacts.runbook import standing
from sonde.model import FileKind
from sonde.retrieve.view import View

# What runs all tests of a language whose projects need not name it.
_BARE = {"python": "pytest", "csharp": "dotnet test", "swift": "swift test"}
_FILES = 6  # of the change whose folders are looked at


def whole_suite(view: View, paths: Sequence[str]) -> str:
    """The command named "test" of the folders around some files, the deepest that fits the language
    of the first, or the usual one of its language; "" if none is known."""
    known = view.file_at(paths[0]) if paths else None
    language = known.language if known is not None else ""
    root = view.index.workspace.root
    found = [
        each
        for each in find_artefacts(root, folders_of(paths[:_FILES]))
        if each.kind is ArtefactKind.RUNBOOK and each.name == "test"
    ]

    def order(each: Artefact) -> tuple[bool, int, int]:
        unfit, place = standing(each, language)
        return unfit, -len(each.scope), place

    best = min(found, key=order, default=None)
    if best is None or (language and order(best)[0]):
        tested = any(
            each.language == language and each.kind is FileKind.TEST for each in view.files.values()
        )
        return _BARE.get(language, "") if tested else ""
    return in_folder(best.scope, best.text)
