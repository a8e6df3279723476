"""C#: `using` opens a namespace, enclosing ones are open, partial types have several parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.arity import taken
from sonde.link.imports.namespaces import Namespaces
from sonde.link.tables import Entry, FileEntry
from sonde.model import TYPE_KINDS

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
    decorator_suffix = "Attribute"
    everywhere = frozenset(_SYSTEM.split())

    def of_arity(self, names: Names, type_: Entry, given: int) -> Entry:
        """`Row` and `Row<T>` of one namespace."""
        if type_.kind not in TYPE_KINDS or taken(type_) == given:
            return type_
        file = names.tables.file_of(type_)
        for each in names.tables.qualified(type_.qualname):
            fits = each.kind in TYPE_KINDS and taken(each) == given
            if fits and (each.file == type_.file or self.shares_functions(names, file, each)):
                return each
        return type_

    def of_another(self, names: Names, owner: Entry, member: Entry) -> bool:
        """Whether `Row<T>` has the member, and `Row` is asked for it."""
        if member.parent == owner.id:
            return False
        types = names.tables.qualified(owner.qualname)
        return any(each.id == member.parent and taken(each) != taken(owner) for each in types)

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
