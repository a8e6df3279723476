"""What a file contributes to the lookup tables, key by key: the basis of exact relinking.

A file is relinked if a key it consulted has changed, and a key has changed if the fingerprint of
some file's contribution to it has. Start lines are left out on purpose: an edit that only moves
code down must not relink its users.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from sonde.link.arity import type_params
from sonde.link.contracts import contract_rows
from sonde.link.manifests import ProjectConfig
from sonde.link.similarity import sketches
from sonde.link.tables import OVERLOADING, FileEntry, entries_of, family, folder_of
from sonde.model import TYPE_KINDS, FileFacts, Kind

# Bound once: in Python 3.11 reading a member off its enum costs 15 times as much.
_KIND_METHOD = Kind.METHOD

_SEPARATOR = "\x1f"
_HEADS_COUNT = frozenset({"kotlin", "scala"})  # they say what brackets behind a type run


def _digest(parts: Sequence[str]) -> int:
    text = _SEPARATOR.join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)


def table_keys(file: FileEntry, facts: FileFacts, ids: Sequence[int]) -> dict[str, int]:
    """For each key under which the file can be found, a stable fingerprint of what is there."""
    whole = f"{file.id} {file.path} {file.language} {file.package} {file.kind} {file.module}"
    found: dict[str, list[str]] = {}
    qualnames = {id: symbol.qualname for id, symbol in zip(ids, facts.symbols, strict=True)}
    for entry in entries_of(file.id, facts.symbols, ids):
        head = f"{entry.id} {entry.kind}"
        found.setdefault("n:" + entry.name, [whole]).append(head)
        full = (
            f"{head} {entry.parent} {entry.owner} {entry.bases} {entry.returns} {entry.visibility}"
            f" {entry.static} {entry.declared}"
        )
        found.setdefault("q:" + entry.qualname, [whole]).append(full)
        if entry.parent:
            key = member_key(file.path, qualnames[entry.parent])
            found.setdefault(key, [whole]).append(entry.name + " " + full)
        if entry.owner:
            found.setdefault("o:" + entry.owner, [whole]).append(entry.qualname + " " + full)
    folder = folder_of(file.path)
    for key in (
        "f:" + file.path,
        "d:" + folder,
        "y:" + folder.rpartition("/")[2],
        "x:" + file.path.rpartition("/")[2],
        f"p:{family(file.language)} {file.package}",
    ):
        found[key] = [whole]
    found["i:" + file.path] = [repr(each) for each in map(_placeless, facts.imports)]
    for bucket, sketch in sketches(facts, ids):
        found.setdefault(f"s:{bucket}", []).append(f"{sketch.symbol} {sketch.words.hex()}")
    for word, id, methods in contract_rows(facts, ids):
        found.setdefault("k:" + word, [whole]).append(f"{id} {methods}")
    if file.language == "go":
        for id, symbol in zip(ids, facts.symbols, strict=True):
            if symbol.kind is _KIND_METHOD:
                types = [param.type for param in symbol.params]
                found.setdefault("a:" + symbol.qualname, []).append(f"{id} {types}")
    elif file.language in OVERLOADING:
        for id, symbol in zip(ids, facts.symbols, strict=True):
            if symbol.kind in TYPE_KINDS and file.language in _HEADS_COUNT:
                found.setdefault("h:" + symbol.qualname, []).append(f"{id} {symbol.signature}")
            generic = type_params(symbol.signature, symbol.name)
            if symbol.params or generic:
                params = [*map(tuple, symbol.params), *generic]
                found.setdefault("a:" + symbol.qualname, []).append(f"{id} {params}")
    return {key: _digest(parts) for key, parts in found.items()}


def config_keys(config: ProjectConfig) -> dict[str, int]:
    """The fingerprints of what the manifests contribute."""
    keys = {"c:": _digest([repr(config.layout)]), "w:": _digest([repr(config.owners)])}
    for path, dependencies in config.dependencies:
        keys["e:" + path] = _digest([repr(dependencies)])
    return keys


def member_key(path: str, qualname: str) -> str:
    """The key under which the members of a type are looked up."""
    return f"m:{path} {qualname}"


def _placeless(each: tuple[object, ...]) -> tuple[object, ...]:
    module, name, alias, level, _line, reexport = each
    return (module, name, alias, level, reexport)
