"""Types that comments tell where the code does not: `@var Row[]`, `@param list<Row> $rows`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sonde.model import Param

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

_TYPE = r"(\??[\w\\|-]+(?:<[\w\\|, ?-]+>)?(?:\[\])?(?:\|null)?)"
_HELD = re.compile(rf"@(?:var|return)\s+{_TYPE}(?=\s|$)")
_GIVEN = re.compile(rf"@(?:phpstan-|psalm-)?param\s+{_TYPE}\s+&?\$(\w+)")
_VARIABLE = re.compile(rf"@var\s+{_TYPE}\s+\$(\w+)")
_NAME = re.compile(r"[A-Za-z_\\][\w\\]*")
# what is between the brackets; of two the last is the value
_FILLED = re.compile(r"([\w\\-]+)<(?:[\w\\|-]+,\s*)?([A-Za-z_\\][\w\\]*)>")
_COLLECTIONS = frozenset(
    {"array", "list", "iterable", "non-empty-array", "non-empty-list", "Iterator", "Traversable"}
    | {"\\Iterator", "\\Traversable", "\\Generator", "Generator"}
)
_VAGUE = frozenset({"", "array", "iterable", "?array", "?iterable"})  # does not say of what
_LONGEST = 4000  # bytes of a comment that are read


def comment_before(byte: int, source: SourceText) -> str:
    """The last block comment before a position, as written: a doc has lost what is in `<…>`."""
    end = source.data.rfind(b"*/", 0, byte)
    start = source.data.rfind(b"/**", max(0, end - _LONGEST), end) if end > 0 else -1
    return source.slice(start, end) if start >= 0 else ""


def told_type(declared: str, comment: str) -> str:
    """The type of what a comment describes, as the code declares it or else as the comment says."""
    if declared not in _VAGUE:
        return declared
    told = _HELD.search(comment)
    return (_plain(told[1]) if told is not None else "") or declared


def told_parameters(params: tuple[Param, ...], comment: str) -> tuple[Param, ...]:
    """Parameters with the types that the comment above their function says."""
    told = {name: _plain(type_) for type_, name in _GIVEN.findall(comment)}
    return tuple(
        param._replace(type=told[param.name])
        if param.type in _VAGUE and told.get(param.name)
        else param
        for param in params
    )


def told_variable(comment: str) -> Iterator[tuple[str, str, bool]]:
    """The variable whose type a comment inside a function says."""
    for type_, name in _VARIABLE.findall(comment):
        if plain := _plain(type_):
            yield name, plain, False


def _plain(told: str) -> str:
    """A class, or `Row[]` for what holds several; "" for anything else."""
    text = told.removeprefix("?").removeprefix("null|").removesuffix("|null")
    filled = _FILLED.fullmatch(text)
    if filled is not None and filled[1] in _COLLECTIONS:
        return f"{filled[2]}[]"
    text = filled[1] if filled is not None else text
    return text if _NAME.fullmatch(text.removesuffix("[]")) else ""
