"""Java, Kotlin and Scala: packages, wildcard and static imports, implicit this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.namespaces import Namespaces
from sonde.link.tables import Entry, FileEntry
from sonde.model import CALLABLE_KINDS

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

_LANG = """
String Object Integer Long Short Byte Double Float Boolean Character Void Math System Thread
Runnable Exception RuntimeException Error Throwable Iterable Class Enum Override Deprecated
SuppressWarnings FunctionalInterface IllegalArgumentException IllegalStateException
NullPointerException UnsupportedOperationException StringBuilder StringBuffer Comparable
CharSequence Number Process ProcessBuilder Runtime InterruptedException AutoCloseable Cloneable
Any Unit Nothing Int List Map Set Option Some None Seq println print require check error
listOf mapOf setOf mutableListOf mutableMapOf arrayOf lazy run let apply also with
"""


class Jvm(Namespaces):
    """One family, because the three import each other."""

    implicit_self = True
    constructors = ("<init>", "constructor", "init", "this")
    call_methods = ("invoke", "apply")
    everywhere = frozenset(_LANG.split())

    def value_member(self, names: Names, file: FileEntry, value: Entry, name: str) -> Target | None:
        """Scala calls a method without parameters by its name alone: `client.row.save()`."""
        if file.language != "scala" or value.kind not in CALLABLE_KINDS:
            return None
        result = names.result_of(value)
        return names.member(result, name) if result is not None else None


FAMILY = Jvm()
