"""C#: `using` opens a namespace, enclosing namespaces are open, partial types have many parts."""

from __future__ import annotations

from sonde.link.imports.namespaces import Namespaces

_SYSTEM = """
Console String Object Int32 Int64 Math Exception Task List Dictionary IEnumerable IList Guid
DateTime TimeSpan Func Action Nullable ArgumentException ArgumentNullException Convert
InvalidOperationException NotImplementedException IDisposable Type Enum Array Environment nameof
"""


class CSharp(Namespaces):
    """Types of a namespace are found from every file that opens it."""

    implicit_self = True
    parents_visible = True
    parts_share_a_type = True
    everywhere = frozenset(_SYSTEM.split())


FAMILY = CSharp()
