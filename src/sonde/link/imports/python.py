"""Python: packages are folders; any name in a module can be imported from it."""

from __future__ import annotations

import builtins
import sys
from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.space import OUTSIDE, Space
from sonde.link.tables import FileEntry, folder_of
from sonde.model import Import

if TYPE_CHECKING:
    from sonde.link.names import Names, Target
    from sonde.link.recorder import Recorder

_STANDARD = sys.stdlib_module_names
_INIT = "__init__.py"


class Python(Family):
    """Absolute imports from source roots, relative ones from the file's folder."""

    supers = frozenset({"super()", "super"})
    constructors = ("__init__", "__new__")
    call_methods = ("__call__",)
    everywhere = frozenset(dir(builtins))

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        if not item.name:
            bound = item.module
            if item.alias == bound.partition(".")[0]:
                bound = item.alias  # `import a.b` binds a
            return self._module(names, file, bound, item.level)
        module = self._module(names, file, item.module, item.level)
        if module is None or module is OUTSIDE:
            return module
        return names.member(module, item.name)

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        for item in names.wholesale(file) if not name.startswith("_") else ():
            module = self._module(names, file, item.module, item.level)
            if module is not None and module is not OUTSIDE:
                found = names.member(module, name)
                if found is not None and found is not OUTSIDE:
                    return found
        return OUTSIDE if name in self.everywhere else None

    def exported(self, names: Names, file: FileEntry, name: str) -> Target | None:
        found = names.top(file, name)
        if (found is None or found is OUTSIDE) and file.path.endswith(_INIT):
            return _module_at(names.tables, _below(folder_of(file.path), name)) or found
        return found

    def inside(self, names: Names, space: Space, name: str) -> Target | None:
        return _module_at(names.tables, _below(space.name, name))

    def _module(self, names: Names, file: FileEntry, dotted: str, level: int) -> Target | None:
        key = (file.id, level, dotted)
        if key not in names.modules:
            folder = folder_of(file.path)
            names.modules[key] = names.tables.shared(
                ("python", folder, level, dotted),
                lambda tables: _find_module(tables, folder, dotted, level),
            )
        return names.modules[key]


def _find_module(tables: Recorder, folder: str, dotted: str, level: int) -> Target | None:
    """The module that an import in a file of this folder refers to."""
    tail = dotted.replace(".", "/")
    if level:
        for _ in range(level - 1):
            folder = folder_of(folder)
        return _module_at(tables, _below(folder, tail) if tail else folder)
    return _absolute(tables, folder, tail)


def _below(folder: str, tail: str) -> str:
    return f"{folder}/{tail}" if folder else tail


def _module_at(tables: Recorder, path: str) -> Target | None:
    found = tables.file(f"{path}/{_INIT}" if path else _INIT) or tables.file(path + ".py")
    found = found or tables.file(path + ".pyi")
    if found is not None:
        return tables.module(found)
    if tables.folder(path):
        return Space("python", path)
    return None


def _absolute(tables: Recorder, folder: str, tail: str) -> Target | None:
    root = folder
    while root and tables.file(f"{root}/{_INIT}"):
        root = folder_of(root)
    standard = tail.partition("/")[0] in _STANDARD
    # A script sees its own folder; a module inside a package does not.
    found = None if standard else _module_at(tables, _below(root, tail))
    if found is None:
        found = tables.shared(
            ("python roots", tail), lambda asked: _under_roots(asked, tail, standard)
        )
    if found is not None:
        return found
    if standard or "/" not in tail:
        return OUTSIDE
    return _by_suffix(tables, tail)


def _under_roots(tables: Recorder, tail: str, standard: bool) -> Target | None:
    """The module in the first source root that has it.

    Looked up by its name: a monorepo has hundreds of roots, and with each of them asked for each
    import of each folder, two workers that linked one of 7,700 files took 1.7 GB each.
    """
    places = [*tables.folders(tail)]
    for ending in (tail + ".py", tail + ".pyi"):
        places += [file.path.rpartition(".")[0] for file in tables.suffix(ending)]
    there = {place.removesuffix(tail).removesuffix("/") for place in places}
    roots = [root for root in tables.layout().python_roots if root in there] if there else []
    for root in roots:
        found = _module_at(tables, _below(root, tail))
        # A folder without modules of its own must not hide the standard library.
        if found is not None and not (standard and isinstance(found, Space)):
            return found
    return None


def _by_suffix(tables: Recorder, tail: str) -> Target | None:
    """A module under a source root that no manifest names; only if there is exactly one."""
    packages = [tables.file(f"{folder}/{_INIT}") for folder in tables.folders(tail)]
    files = [*tables.suffix(tail + ".py"), *filter(None, packages)]
    return tables.module(files[0]) if len(files) == 1 else OUTSIDE


FAMILY = Python()
