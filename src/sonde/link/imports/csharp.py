"""C#: `using` opens a namespace, enclosing ones are open, partial types have several parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.namespaces import Namespaces
from sonde.link.tables import Entry, FileEntry

if TYPE_CHECKING:
    from sonde.link.names import Names

_SYSTEM = """
Console String Object Int32 Int64 Math Exception Task List Dictionary IEnumerable IList Guid
DateTime TimeSpan Func Action Nullable ArgumentException ArgumentNullException Convert
InvalidOperationException NotImplementedException IDisposable Type Enum Array Environment nameof
"""


class CSharp(Namespaces):
    """Types in a namespace are visible from every file that opens it."""

    supers = frozenset({"base"})
    implicit_self = True
    parents_visible = True
    parts_share_a_type = True
    relative_names = True
    methods_apart = True
    extends = True
    everywhere = frozenset(_SYSTEM.split())

    def called(self, names: Names, file: FileEntry, target: Entry) -> Entry | None:
        """`new Client()` beside a property `Client Client` means the type."""
        return None if target.returns.rstrip("?[]") == target.name else target

    def extension(self, names: Names, owner: Entry, name: str) -> Entry | None:
        """`static void Shout(this Client client)`: any class may declare one."""
        for entry in names.tables.owned(owner.name):
            if entry.name == name and names.tables.file_of(entry).language == "csharp":
                return entry
        return None


FAMILY = CSharp()
