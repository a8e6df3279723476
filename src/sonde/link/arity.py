"""How many type arguments tell definitions of one name apart: `Row` and `Row<T>` of C# are two."""

from __future__ import annotations

import re

from sonde.link.chain import closing, split
from sonde.link.tables import Entry
from sonde.model import Reference

_BEFORE_NAME = re.compile(r"\bfun\s*<")  # Kotlin
_PARAMETER = re.compile(r"(?:\[.*\]\s*)?(?:(?:in|out|reified|const|each)\s+)*(\w+)")


def taken(type_: Entry) -> int:
    """How many type parameters a type declares: 2 for "<K,V:Row>Base<K>"."""
    declared = type_.returns[1:].partition(">")[0] if type_.returns[:1] == "<" else ""
    return declared.count(",") + 1 if declared else 0


def type_params(signature: str, name: str) -> tuple[str, ...]:
    """The type parameters of a function: K, V of `Row Get<K, V>(K key)`, of `fun <K, V> get()`."""
    before = _BEFORE_NAME.search(signature)
    if before is not None:
        return _named(signature, before.end() - 1)
    start = signature.find(f"{name}<")
    while start >= 0:
        opening = start + len(name)
        end = closing(signature, opening)
        if signature[end : end + 1] == "(":  # else the type that it returns has its name
            return _named(signature, opening)
        start = signature.find(f"{name}<", opening)
    return ()


def _named(signature: str, opening: int) -> tuple[str, ...]:
    """The names of the type parameters in the brackets that open there."""
    declared = split(signature[opening + 1 : closing(signature, opening) - 1], ",")
    found = (_PARAMETER.match(each.strip()) for each in declared)
    return tuple(each[1] for each in found if each is not None)


def given_to(text: str, name: str) -> int:
    """How many type arguments a text gives to the type of a name in it."""
    last = name.rpartition(".")[2]
    start = text.find(f"{last}<") + len(last)
    end = closing(text, start) if start >= len(last) else -1
    return len(split(text[start + 1 : end - 1], ",")) if end > 0 else 0


def given_to_base(type_: Entry, base: str) -> int:
    """How many type arguments a type gives to one of its bases."""
    return given_to(type_.returns.partition(">")[2], base)


def without_arity(reference: Reference) -> tuple[Reference, int]:
    """A reference as other languages have it, and the number of type arguments it gives."""
    args, mark, given = reference.args.rpartition("<")
    if not mark or not given.endswith(">"):
        return reference, 0
    return reference._replace(args=args), int(given[:-1])
