"""How far a method of Ruby is seen: sections of a class, and calls that name it."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.spec import Node
    from sonde.extract.text_of import SourceText

_SECTION = re.compile(
    rb"^([ \t]*)(?:(private|protected|public)[ \t]*(?:#.*)?|(?:class|module)\b.*"
    rb"|[A-Z]\w* = (?:Struct|Class|Module|Data)\.\w+.*\bdo\b.*)$",
    re.MULTILINE,
)
_NAMING = re.compile(
    rb"^[ \t]*(private|protected|public)(_class_method|_constant)?[ (][ \t]*"
    rb"(:\w+[?!=]?(?:\s*,\s*:\w+[?!=]?)*)",
    re.MULTILINE,
)
_FORMS = {"singleton_method": b"_class_method", "assignment": b"_constant"}
_WORDS = frozenset({b"private", b"protected"})


def visibility(node: Node, name: str, source: SourceText) -> str:
    """What a call after a definition says of its name, else a word before it or its section."""
    if node.type == "simple_symbol" and node.parent is not None and node.parent.parent is not None:
        node = node.parent.parent  # the call that defines it
    if (named := _named(node, name, source)) is not None:
        return named
    row, indent = node.start_point
    words = source.data[source.line_start(row + 1) : node.start_byte].split()
    if words:
        given = {word.rstrip(b"(").partition(b"_class_method")[0] for word in words} & _WORDS
        return min(given).decode() if given else "public"
    if node.type not in ("method", "call"):
        return "public"
    starts, sections = _sections(source.data)
    for at in range(bisect_left(starts, node.start_byte) - 1, -1, -1):
        depth, section = sections[at]
        if section and depth in (indent, indent - 2):
            return section
        if not section and depth < indent:
            break
    return "public"


@lru_cache(maxsize=2)
def _sections(data: bytes) -> tuple[list[int], list[tuple[int, str]]]:
    """Where `private` and the like appear alone, and where classes begin: (indent, word)."""
    found = [
        (m.start(), (len(m.group(1)), (m.group(2) or b"").decode()))
        for m in _SECTION.finditer(data)
    ]
    return [start for start, _ in found], [what for _, what in found]


def _named(node: Node, name: str, source: SourceText) -> str | None:
    """The last word on a name in the body around its definition: `private :name`."""
    namings = _namings(source.data).get((_FORMS.get(node.type, b""), name))
    if namings is None or (body := node.parent) is None:  # in this order: a parent is slow to find
        return None
    inside = [word for at, word in namings if node.end_byte <= at < body.end_byte]
    return inside[-1] if inside else None


@lru_cache(maxsize=2)
def _namings(data: bytes) -> dict[tuple[bytes, str], list[tuple[int, str]]]:
    """Where calls name what they hide, by what they hide and its name."""
    found: dict[tuple[bytes, str], list[tuple[int, str]]] = {}
    for match in _NAMING.finditer(data):
        for name in match[3].decode("utf-8", "replace").split(","):
            key = (match[2] or b"", name.strip().lstrip(":"))
            found.setdefault(key, []).append((match.start(), match[1].decode()))
    return found
