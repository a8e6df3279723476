"""What a file sees through the files it imports as a whole, directly or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sonde.link.tables import Entry, FileEntry

if TYPE_CHECKING:
    from sonde.link.names import Names

_MOST = 300  # files that one file reaches


class Reach(NamedTuple):
    """The files, the one that is asked for among them, and names that they leave to others."""

    files: frozenset[int]
    announced: frozenset[str]  # `class Row;` of C++, wherever it is defined


def reach(names: Names, file: FileEntry) -> Reach:
    """What a file reaches, looked up once."""
    known = names.reaches.get(file.id)
    if known is not None:
        return known
    seen = {file.id}
    announced: set[str] = set()
    queue = [file]
    for each in queue:
        family = names.family(each.language)
        for item in names.tables.imports(each):
            if not item.module:
                announced.add(item.name)
                continue
            found = family.imported(names, each, item)
            if isinstance(found, Entry) and found.file not in seen:
                seen.add(found.file)
                queue.append(names.tables.file_of(found))
        if len(seen) > _MOST:
            break
    known = names.reaches[file.id] = Reach(frozenset(seen), frozenset(announced))
    return known
