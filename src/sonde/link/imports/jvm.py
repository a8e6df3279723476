"""Java, Kotlin and Scala: packages, wildcard and static imports, implicit this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.imports.accessors import accessed
from sonde.link.imports.namespaces import Namespaces
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry, family
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Import, Kind

if TYPE_CHECKING:
    from sonde.link.names import Names, Target

_COMPANION = "Companion"  # what a companion object is called that has no name
_KIND_ENUM = Kind.ENUM
_KIND_PROPERTY = Kind.PROPERTY  # bound once: reading a member off its enum is slow
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
    """One family, because the three languages import each other."""

    implicit_self = True
    type_objects = frozenset({"class"})
    constructors = ("<init>", "constructor", "init", "this")
    call_methods = ("invoke", "apply")
    methods_apart = True
    extends = True
    extends_outside = True
    aliases_extended = True
    keeping = frozenset({"also", "apply", "takeIf", "takeUnless"})  # of Kotlin
    everywhere = frozenset(_LANG.split())

    def called(self, names: Names, file: FileEntry, target: Entry) -> Entry | None:
        """In Java only methods are called, and `val date = date("x")` does not call itself."""
        if names.tables.file_of(target).language == "java":
            return target if target.kind is _KIND_PROPERTY else None  # the accessor of a record
        return None if target.returns.startswith(f"{target.name}(") else target

    def extension(self, names: Names, owner: Entry, name: str) -> Entry | None:
        if name == _COMPANION and names.tables.file_of(owner).language == "kotlin":
            return owner  # whose members are those of the type
        return accessed(names, owner, name)

    def makes(self, names: Names, target: Entry, name: str) -> bool:
        """`Status.valueOf("PAID")`"""
        return name == "valueOf" and target.kind is _KIND_ENUM

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        """Kotlin: `import shop.Cart.Companion.of`, or by the name that the companion has."""
        found = super().imported(names, file, item)
        if found is None or found is OUTSIDE:
            type_, _, _ = item.module.rpartition(".")
            holder = self.absolute(names, file, type_) if "." in type_ else None
            if isinstance(holder, Entry) and holder.kind in TYPE_KINDS:
                for member in names.tables.qualified(f"{holder.qualname}.{item.name}"):
                    if member.static and member.file == holder.file:
                        return member
        return found

    def sees(self, names: Names, file: FileEntry, extension: Entry) -> bool:
        """Kotlin: what a type declares for its own members extends nothing elsewhere."""
        elsewhere = file.language == "kotlin" and extension.file != file.id
        around = names.tables.entry(extension.parent) if elsewhere and extension.parent else None
        inside = around is not None and extension.qualname != f"{around.qualname}.{extension.name}"
        if around is not None and around.kind in TYPE_KINDS and inside:  # not merely of that type
            return extension.static and any(
                item.name == extension.name and around.name in item.module.split(".")
                for item in names.tables.imports(file)
            )
        return super().sees(names, file, extension)

    def _in_package(
        self, names: Names, file: FileEntry, package: str, qualname: str
    ) -> Entry | None:
        """Scala: members of `package object json` are in the package json."""
        found = super()._in_package(names, file, package, qualname)
        if found is None and package and file.language == "scala":
            outer, _, last = package.rpartition(".")
            found = super()._in_package(names, file, outer, f"{last}.{qualname}")
        return found

    def qualified(self, names: Names, file: FileEntry, receiver: str, name: str) -> Target | None:
        """`json.read(x)` of Scala, where json is nothing else: a function of that package."""
        scala = file.language == "scala" and receiver.isidentifier()
        if scala and names.tables.package(family(file.language), receiver):
            return self.absolute(names, file, f"{receiver}.{name}")
        return super().qualified(names, file, receiver, name)

    def packages_named(self, file: FileEntry) -> bool:
        return file.language == "scala"

    def value_member(self, names: Names, file: FileEntry, value: Entry, name: str) -> Target | None:
        """Scala calls a method without parameters by its name alone: `client.row.save()`."""
        if file.language != "scala" or value.kind not in CALLABLE_KINDS:
            return None
        result = names.result_of(value)
        return names.member(result, name) if result is not None else None


FAMILY = Jvm()
