"""What a pass is about: the symbols the editor is at, and what retrieval found."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.answers.files import file_symbols
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Frame, SymbolRecord
from sonde.retrieve.view import View
from sonde.session.editor import Editor
from sonde.session.retrieval import Retrieved

_OF_FILE = 12  # definitions of the current file that stand for it when nothing is selected
_OF_RANKING = 4


@dataclass(frozen=True, slots=True)
class Subject:
    """The material of the sources."""

    view: View
    editor: Editor
    retrieved: Retrieved | None
    frames: tuple[Frame, ...] = ()
    chosen: tuple[SymbolRecord, ...] = ()  # selected, or else of the current file

    @property
    def about(self) -> list[SymbolRecord]:
        """The symbols whose surroundings matter: chosen by the user, else ranked best."""
        if self.chosen or self.retrieved is None:
            return list(self.chosen)
        return [one.symbol for one in self.retrieved.findings.definitions[:_OF_RANKING]]


def kept_symbol(view: View, key: str) -> SymbolRecord | None:
    """The symbol that a session remembers by a key; None when it is gone."""
    path, _, name = key.partition("::")
    records = view.records(view.index.ids_qualified(name))
    return next((record for record in records if record.file == path), None)


def chosen_symbols(view: View, editor: Editor) -> tuple[SymbolRecord, ...]:
    """The definitions that the selection touches, else those the current file is known by."""
    path = editor.current_file
    if not path or view.index.file_record(path) is None:
        return ()
    if editor.selection is not None:
        touched = at_lines(view, path, *editor.selection)
        if touched:
            return tuple(touched)
    return tuple(one.symbol for one in file_symbols(view, [path])[:_OF_FILE])


def at_lines(view: View, path: str, first: int, last: int) -> list[SymbolRecord]:
    """The smallest functions and types that some lines touch, in order of appearance."""
    records = [
        record
        for record in view.records(view.index.ids_in_file(path))
        if record.kind in CALLABLE_KINDS | TYPE_KINDS
        and record.start_line <= last
        and record.end_line >= first
    ]
    return [record for record in records if not any(map(record.holds, records))]
