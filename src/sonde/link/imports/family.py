"""The interface of a language family; the defaults fit a language without imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.link.space import Space
from sonde.link.tables import Entry, FileEntry
from sonde.model import TYPE_KINDS, Import

if TYPE_CHECKING:
    from sonde.link.names import Names, Target


class Family:
    """The rules of one family."""

    root = ""  # receiver of names that are looked up outside all namespaces and types
    supers = frozenset({"super"})  # receivers that mean what a type inherits
    implicit_self = False  # members of the enclosing type are visible without a receiver
    calls_self = False  # a method is called without a receiver on `self` only
    nested_types = False  # types inside enclosing types are visible by their short name
    open_nesting = False  # enclosing types may define a name in any file
    literal_owners = False  # members of objects without a type, whose arrow functions keep `this`
    extends = False  # other files see members that a file adds to a type of another library
    extends_outside = False  # extensions may add members to types of other libraries
    aliases_extended = False  # an extension of an alias is one of the type that it stands for
    type_objects: frozenset[str] = (
        frozenset()
    )  # members of a type that give it as a value: `Row.class`
    maker = ""  # the member of a type that creates an instance of it
    keeping: frozenset[str] = frozenset()  # members of everything that give it back
    bases_apart = False  # a base may be declared away from its type
    constructors: tuple[str, ...] = ()  # member names that calling a type runs
    names_call = False  # a method's name alone calls it
    methods_apart = False  # a method and a field may share a name; calls mean the method
    tags_apart = False  # a function and a structure may share a name; only the function is called
    call_methods: tuple[str, ...] = ()  # member names that calling an instance runs
    decorator_suffix = ""  # what the name of a decorator's type may have and its use leaves out
    everywhere: frozenset[str] = frozenset()  # names every file sees without import

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        """What one import binds; OUTSIDE if it is not in the workspace, None if unknown."""
        return None

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        """What a name means if the file neither defines it nor imports it by name."""
        return None

    def exported(self, names: Names, file: FileEntry, name: str) -> Target | None:
        """What a name means to importers of a file."""
        return names.top(file, name)

    def value_member(self, names: Names, file: FileEntry, value: Entry, name: str) -> Target | None:
        """What a name means on a value or function itself, regardless of its type."""
        return None

    def extension(self, names: Names, owner: Entry, name: str) -> Entry | None:
        """A member that another type declares for this one."""
        return None

    def of_arity(self, names: Names, type_: Entry, given: int) -> Entry:
        """The type of that name and so many type arguments, where they tell types apart."""
        return type_

    def of_another(self, names: Names, owner: Entry, member: Entry) -> bool:
        """Whether a member of that name belongs to another type of its owner's name."""
        return False

    def called(self, names: Names, file: FileEntry, target: Entry) -> Entry | None:
        """What calling something other than a function or type means; None if not callable."""
        return target

    def qualified(self, names: Names, file: FileEntry, receiver: str, name: str) -> Target | None:
        """What a name written with its full namespace means if its first part is unknown."""
        return None

    def outermost(self, names: Names, file: FileEntry, name: str) -> Target | None:
        """What a name after the root means."""
        return names.top(file, name)

    def packages_named(self, file: FileEntry) -> bool:
        """Whether a small name may begin a chain as that of a package: `json.read(x).save()`."""
        return False

    def makes(self, names: Names, target: Entry, name: str) -> bool:
        """Whether a member that no type declares returns an instance of its type."""
        return bool(name) and name == self.maker

    def sees(self, names: Names, file: FileEntry, extension: Entry) -> bool:
        """Whether a file may use what an extension declares."""
        there = names.tables.file_of(extension)
        hidden = extension.visibility == "private" and there.id != file.id
        return there.language == file.language and not hidden

    def inside(self, names: Names, space: Space, name: str) -> Target | None:
        """What a name means in a package or folder."""
        return None

    def principal(self, names: Names, space: Space) -> Entry | None:
        """The module that represents a package imported as a whole."""
        return None

    def absolute(self, names: Names, file: FileEntry, dotted: str) -> Target | None:
        """What a fully qualified name means in a language that needs no import for it."""
        return None

    def made_base(self, names: Names, owner: Entry, text: str) -> Entry | None:
        """What a function among the bases of a type makes for it."""
        return None

    def parts(self, names: Names, owner: Entry, file: FileEntry) -> tuple[Entry, ...]:
        """A type of `file` and its other parts."""
        return (owner,)

    def belongs(self, names: Names, owner: Entry, file: FileEntry, member: Entry) -> bool:
        """Whether a member written in another file belongs to a type of this name in `file`."""
        return False

    def has_type(self, names: Names, file: FileEntry, qualname: str) -> bool:
        """Whether a file has a type of that name, to which its members of such a type belong."""
        named = names.tables.qualified(qualname)
        return any(each.file == file.id and each.kind in TYPE_KINDS for each in named)

    def shares_functions(self, names: Names, file: FileEntry, other: Entry) -> bool:
        """Whether a function in another file can overload one of the same name in `file`."""
        return False
