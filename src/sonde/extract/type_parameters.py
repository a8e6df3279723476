"""The type parameters of a type, and the type arguments that it gives to its bases."""

from __future__ import annotations

import re

_OPENING, _CLOSING = "<[({", ">])}"
_PARAMETER = re.compile(
    r"(?:[+\-]|\b(?:in|out|const|reified|each)\s+|@\w+\s+)*([A-Za-z_]\w*)\s*(.*)"
)
_BOUND = re.compile(r"(?:extends|:|<:)\s*([\w.]+)")
_ALIAS = re.compile(  # `type Rows<T> = List<T>`, of one named type
    r"(?:\w+\s+)+\w+\s*(?:<[^;]*>|\[[^;]*\])?\s*=\s*"
    r"((?:\w+(?:::|\.))*\w+(?:[<\[][\w.:,<>\[\] ]*[>\]])?);?"
)
_LONGEST = 200  # characters that are kept


def type_parameters(name: str, signature: str, bases: tuple[str, ...]) -> str:
    """`class Rows<T extends Row> extends Base<T, Id>` as "<T:Row>Base<T,Id>"; "" if nothing is
    generic. Bases without arguments are left out."""
    at = signature.find(name)
    end = at + len(name)
    params = ""
    if at >= 0 and signature[end : end + 1] in ("<", "["):
        after = _closing(signature, end)
        params = ",".join(filter(None, map(_read, _split(signature[end + 1 : after - 1]))))
        end = after
    given = []
    for base in bases:
        # found by hand: an expression of its own for each base would have to be compiled
        opening = signature.find(base, end) + len(base)
        if opening >= end + len(base) and signature[opening : opening + 1] in ("<", "["):
            arguments = signature[opening + 1 : _closing(signature, opening) - 1]
            given.append(f"{base}<{','.join(map(str.strip, _split(arguments)))}>")
    text = f"<{params}>{';'.join(given)}" if params or given else ""
    return text if len(text) <= _LONGEST else ""


def aliased(signature: str) -> str:
    """The type that an alias stands for, if it is a single one with a name; "" if not."""
    found = _ALIAS.fullmatch(signature)
    return found[1] if found is not None and len(found[1]) <= _LONGEST else ""


def arguments_given(text: str) -> int:
    """How many type arguments a text begins with: 2 for "<K, List<V>>(x)"."""
    if text[:1] != "<":
        return 0
    return len(_split(text[1 : _closing(text, 0) - 1]))


def last_brackets(text: str) -> str:
    """The type arguments that a text ends with: "<K, List<V>>" of "rows.Of<K, List<V>>"."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ">") - (text[at] == "<")
        if not depth:
            return text[at:]
    return ""


def _read(param: str) -> str:
    found = _PARAMETER.match(param.strip())
    if found is None:
        return ""
    bound = _BOUND.match(found[2])
    return f"{found[1]}:{bound[1]}" if bound is not None else found[1]


def _closing(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`, or the end of the text."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING and text[at - 1] not in "-=")
        if not depth:
            return at + 1
    return len(text) + 1


def _split(text: str) -> list[str]:
    parts, depth = [""], 0
    for at, char in enumerate(text):
        depth += (char in _OPENING) - (char in _CLOSING and text[at - 1] not in "-=")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts
