"""Python: packages are folders, any name of a module can be imported from it."""

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

_STANDARD = sys.stdlib_module_names
_INIT = "__init__.py"


class Python(Family):
    """Absolute imports from source roots, relative ones from the file's folder."""

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
        for item in names.tables.imports(file):
            if item.name == "*" and not name.startswith("_"):
                module = self._module(names, file, item.module, item.level)
                if module is not None and module is not OUTSIDE:
                    found = names.member(module, name)
                    if found is not None and found is not OUTSIDE:
                        return found
        return OUTSIDE if name in self.everywhere else None

    def exported(self, names: Names, file: FileEntry, name: str) -> Target | None:
        found = names.top(file, name)
        if (found is None or found is OUTSIDE) and file.path.endswith(_INIT):
            return _module_at(names, _below(folder_of(file.path), name)) or found
        return found

    def inside(self, names: Names, space: Space, name: str) -> Target | None:
        return _module_at(names, _below(space.name, name))

    def _module(self, names: Names, file: FileEntry, dotted: str, level: int) -> Target | None:
        key = (file.id, level, dotted)
        if key not in names.modules:
            names.modules[key] = self._find_module(names, file, dotted, level)
        return names.modules[key]

    def _find_module(self, names: Names, file: FileEntry, dotted: str, level: int) -> Target | None:
        tail = dotted.replace(".", "/")
        if level:
            folder = file.path
            for _ in range(level):
                folder = folder_of(folder)
            return _module_at(names, _below(folder, tail) if tail else folder)
        return _absolute(names, file, tail)


def _below(folder: str, tail: str) -> str:
    return f"{folder}/{tail}" if folder else tail


def _module_at(names: Names, path: str) -> Target | None:
    tables = names.tables
    found = tables.file(f"{path}/{_INIT}" if path else _INIT) or tables.file(path + ".py")
    found = found or tables.file(path + ".pyi")
    if found is not None:
        return tables.module(found)
    if tables.folder(path):
        return Space("python", path)
    return None


def _absolute(names: Names, file: FileEntry, tail: str) -> Target | None:
    folder = folder_of(file.path)
    root = folder
    while root and names.tables.file(f"{root}/{_INIT}"):
        root = folder_of(root)
    first = tail.partition("/")[0]
    standard = first in _STANDARD
    # A script sees its own folder; a module inside a package does not.
    roots = [*names.tables.layout().python_roots] if standard else [root]
    if not standard:
        roots += names.tables.layout().python_roots
    for each in dict.fromkeys(roots):
        found = _module_at(names, _below(each, tail))
        # A folder without modules of its own must not hide the standard library.
        if found is not None and not (standard and isinstance(found, Space)):
            return found
    if standard or "/" not in tail:
        return OUTSIDE
    return _by_suffix(names, tail)


def _by_suffix(names: Names, tail: str) -> Target | None:
    """A module under a source root that no manifest names: only when there is just one."""
    files = [*names.tables.suffix(tail + ".py"), *names.tables.suffix(f"{tail}/{_INIT}")]
    return names.tables.module(files[0]) if len(files) == 1 else OUTSIDE


FAMILY = Python()
