"""JavaScript and TypeScript: relative paths, tsconfig aliases, workspace packages, barrels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sonde.link.imports.family import Family
from sonde.link.space import OUTSIDE
from sonde.link.tables import Entry, FileEntry, folder_of
from sonde.model import CALLABLE_KINDS, Import, Kind

if TYPE_CHECKING:
    from sonde.link.manifests import Alias
    from sonde.link.names import Names, Target

_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".d.ts", ".vue")
_COMPONENTS = (".svelte", ".astro")  # never left out
_GLOBALS = """
Array Object String Number Boolean Date Math JSON Promise Map Set WeakMap WeakSet Symbol Error
TypeError RangeError RegExp Function Proxy Reflect Intl console process window document fetch
setTimeout setInterval clearTimeout clearInterval require module exports parseInt parseFloat isNaN
Buffer URL URLSearchParams describe it test expect beforeEach afterEach beforeAll afterAll jest vi
Record Partial Readonly Required Pick Omit Exclude Extract ReturnType NonNullable Parameters
"""
_HABITUAL = {"@": ("src/", ""), "~": ("src/", ""), "$lib": ("src/lib/",)}
_KIND_CLASS = Kind.CLASS  # bound once: reading a member off its enum is slow
_VALUES = frozenset({Kind.VARIABLE, Kind.CONSTANT})
_OF_CLASSES = frozenset({Kind.METHOD, Kind.PROPERTY, Kind.FIELD, Kind.CONSTRUCTOR})
_WHOLE = "module.exports"
_JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs")


class EcmaScript(Family):
    """Names are followed through re-exports to the file that defines them."""

    constructors = ("constructor",)
    literal_owners = True
    everywhere = frozenset(_GLOBALS.split())

    def imported(self, names: Names, file: FileEntry, item: Import) -> Target | None:
        if not item.module:  # an export under another name, for importers of the file
            return None
        there = self._module(names, file, item.module)
        if there is None:
            return None if item.module.startswith(".") else OUTSIDE
        if item.name == "":
            return self._whole(names, there) or names.tables.module(there)
        if item.name == "*":
            return names.tables.module(there)
        if item.name == "default":
            return self._default(names, there, item.alias)
        return self.exported(names, there, item.name)

    def _default(self, names: Names, there: FileEntry, alias: str) -> Target | None:
        named = names.imported(there, "default") or self._offered(names, there, "default")
        named = named or self._whole(names, there)
        if named is not None:
            return named
        stem = there.path.rpartition("/")[2].partition(".")[0]
        if stem == "index":
            stem = folder_of(there.path).rpartition("/")[2]
        for name in ("default", alias, stem):
            found = names.in_file(there.id, name)
            if found is not None:
                return found
        return names.tables.module(there)

    def _whole(self, names: Names, there: FileEntry) -> Target | None:
        """The one function, class or value that `require` returns for a file."""
        key = (there.id, 0, _WHOLE)
        if key not in names.modules:
            names.modules[key] = None  # two files that export each other
            found: Target | None = names.in_file(there.id, _WHOLE)
            found = found or names.imported(there, _WHOLE)
            names.modules[key] = found or self._offered(names, there, _WHOLE)
        return names.modules[key]

    def _offered(self, names: Names, file: FileEntry, name: str) -> Target | None:
        """What a file exports under a name other than its own."""
        for item in names.tables.imports(file):
            if item.alias == name and not item.module:
                return names.top(file, item.name)
        return None

    def exported(self, names: Names, file: FileEntry, name: str) -> Target | None:
        found = self._offered(names, file, name)
        found = found or names.in_file(file.id, name) or names.top(file, name)
        if found is not None and found is not OUTSIDE:
            return found
        for item in names.tables.imports(file):
            if item.name == "*" and item.reexport and item.alias in ("", "*"):
                there = self._module(names, file, item.module)
                if there is None or there.id == file.id:
                    continue
                found = names.member(names.tables.module(there), name)
                if isinstance(found, Entry):
                    return found
        return None

    def value_member(self, names: Names, file: FileEntry, value: Entry, name: str) -> Target | None:
        found: Target | None = names.in_file(file.id, f"{value.qualname}.{name}")
        if found is None and self._whole(names, file) == value:  # exports = module.exports = value
            found = names.in_file(file.id, name)
        return found

    def made_base(self, names: Names, owner: Entry, text: str) -> Entry | None:
        """The class in a mixin, a function from a class to one; the function, if it has no name."""
        found = names.meaning(owner, text)
        if isinstance(found, Entry) and found.kind in _VALUES and found.returns.endswith("()"):
            found = names.meaning(found, found.returns[:-2])  # const Mixed = Timestamped(Base)
        if not isinstance(found, Entry) or found.kind not in CALLABLE_KINDS:
            return None
        members = names.tables.members(found)
        classes = [each for each in members if each.kind is _KIND_CLASS]
        if len(classes) == 1:
            return classes[0]
        unnamed = not classes and any(each.kind in _OF_CLASSES for each in members)
        return found if unnamed else None

    def visible(self, names: Names, file: FileEntry, name: str) -> Target | None:
        for item in names.tables.imports(file):
            if item.name == "*" and item.reexport and item.alias in ("", "*"):
                there = self._module(names, file, item.module)
                if there is not None and there.id != file.id:
                    found = names.top(there, name)
                    if isinstance(found, Entry):
                        return found
        return OUTSIDE if name in self.everywhere else None

    def _module(self, names: Names, file: FileEntry, text: str) -> FileEntry | None:
        key = (file.id, 0, text)
        if key not in names.modules:
            there = _find(names, file, text)
            names.modules[key] = names.tables.module(there) if there is not None else None
        found = names.modules[key]
        return names.tables.file_of(found) if isinstance(found, Entry) else None


def _find(names: Names, file: FileEntry, text: str) -> FileEntry | None:
    if text.startswith("."):
        return _relative(names, _joined(folder_of(file.path), text))
    layout = names.tables.layout()
    for alias in layout.aliases:
        if _below(file.path, alias.folder):
            found = _aliased(names, alias, text)
            if found is not None:
                return found
    if text.startswith("#"):
        return _subpath(names, file, text)
    for folder, base in layout.base_urls:
        if _below(file.path, folder):
            found = _at(names, f"{base}/{text}".strip("/"))
            if found is not None:
                return found
    return _package(names, text) or _habitual(names, file, text)


def _habitual(names: Names, file: FileEntry, text: str) -> FileEntry | None:
    """What tools without a tsconfig take `@/cart`, `~/cart` and `$lib/cart` for, in the package
    around a file. No package can be called so."""
    first, _, rest = text.partition("/")
    for package in names.tables.layout().packages if first in _HABITUAL else ():
        if _below(file.path, package.folder):
            places = (f"{package.folder}/{each}{rest}".strip("/") for each in _HABITUAL[first])
            if found := _first(names, places):
                return found
    return None


def _aliased(names: Names, alias: Alias, text: str) -> FileEntry | None:
    head, star, tail = alias.pattern.partition("*")
    if text == alias.pattern or (star and text.startswith(head) and text.endswith(tail)):
        middle = text[len(head) : len(text) - len(tail)] if star else ""
        return _first(names, (target.replace("*", middle) for target in alias.targets))
    return None


def _subpath(names: Names, file: FileEntry, text: str) -> FileEntry | None:
    """What the imports of the nearest package.json call so: `import db from '#server/db'`."""
    for folder, own in names.tables.layout().subpaths:
        if _below(file.path, folder):
            return next(filter(None, (_aliased(names, each, text) for each in own)), None)
    return None


def _relative(names: Names, path: str) -> FileEntry | None:
    """A file, or what the package.json of a folder names: `require('..')`."""
    for package in names.tables.layout().packages:
        if package.folder == path:
            found = _first(names, package.entries)
            if found is not None:
                return found
    return _at(names, path)


def _package(names: Names, text: str) -> FileEntry | None:
    for name, folder, entries, exports in names.tables.layout().packages:
        if not name or not text.startswith(name):
            continue
        offered = (_aliased(names, each, text) for each in exports)
        found = next(filter(None, offered), None)
        if found is not None:
            return found
        if text == name:
            places = [*entries, f"{folder}/src/index".strip("/"), f"{folder}/index".strip("/")]
        elif text.startswith(name + "/"):
            tail = text[len(name) + 1 :]
            places = [f"{folder}/{tail}".strip("/"), f"{folder}/src/{tail}".strip("/")]
        else:
            continue
        found = _first(names, places)
        if found is not None:
            return found
    return None


def _first(names: Names, places: Iterable[str]) -> FileEntry | None:
    return next((found for place in places if (found := _at(names, place)) is not None), None)


def _at(names: Names, path: str) -> FileEntry | None:
    """The file that an import path without extension refers to."""
    tables = names.tables
    if path.endswith(_ENDINGS + _COMPONENTS):
        found = tables.file(path)
        if found is not None:
            return found
        if path.endswith(_JAVASCRIPT):  # TypeScript is imported by its output's name
            path = path.rpartition(".")[0]
    for ending in _ENDINGS:
        found = tables.file(path + ending)
        if found is not None:
            return found
    for ending in _ENDINGS:
        found = tables.file(f"{path}/index{ending}".lstrip("/"))
        if found is not None:
            return found
    return None


def _below(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _joined(folder: str, tail: str) -> str:
    parts = folder.split("/") if folder else []
    for part in tail.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


FAMILY = EcmaScript()
