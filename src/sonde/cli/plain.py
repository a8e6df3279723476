"""Answers as JSON: dataclasses by their fields, symbols as programs address them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any

from sonde.model import Evidence, SymbolRecord, Unresolved
from sonde.store.errors import Problem

if TYPE_CHECKING:
    from sonde.history.kept import Kept
    from sonde.history.store import Unread
    from sonde.neural.embed import Embedded


def definition(record: SymbolRecord) -> dict[str, Any]:
    """A symbol as programs read it, with its name qualified inside its file."""
    return {
        "name": record.qualname,
        "kind": record.kind.value,
        "file": record.file,
        "start_line": record.start_line,
        "end_line": record.end_line,
        "signature": record.signature,
    }


def plain(value: Any) -> Any:
    """A value of an answer as JSON; ids inside the index are left out."""
    if isinstance(value, SymbolRecord):
        return definition(value)
    if isinstance(value, Unresolved):
        return {"name": value.name, "receiver": value.receiver, "line": value.line}
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Evidence):
        return {name: plain(each) for name, each in value._asdict().items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return round(value, 6)
    return value


def embedded(told: Embedded | Problem | None) -> dict[str, Any] | None:
    """How much of an index is embedded, or why that is not known; null without a model."""
    if isinstance(told, Problem):
        return {"problem": told.message}
    if told is None:
        return None
    return {"done": told.done, "total": told.total, "share": plain(told.share)}


def history(told: Kept | Unread | None) -> dict[str, Any] | None:
    """How many commits have been read, or why none is heard; null without git."""
    from sonde.history.store import Unread

    if isinstance(told, Unread):
        return {"problem": told.message}
    return None if told is None else plain(told)


def pairs(rows: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    """Named figures as an object."""
    return {name: plain(value) for name, value in rows}
