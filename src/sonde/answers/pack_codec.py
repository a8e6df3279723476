"""An answer as JSON and back, for the cache on disk: values as rows, whose names the code knows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sonde.answers.results import Answer
from sonde.model import (
    Fidelity,
    FileKind,
    Intent,
    Item,
    Kind,
    Pack,
    PackEdge,
    Param,
    Section,
    SymbolRecord,
)


def encode_answer(answer: Answer) -> str:
    """The answer as one JSON document."""
    return json.dumps(answer, default=_plain, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """Dataclasses as rows; enums and tuples are left to the JSON encoder."""
    return value.__getstate__()


def _named(kind: type, row: Sequence[Any]) -> dict[str, Any]:
    """The fields of a row that `_plain` made, by name."""
    fields: tuple[str, ...] = kind.__match_args__  # type: ignore[attr-defined]
    return dict(zip(fields, row, strict=True))


def decode_answer(text: str) -> Answer:
    """What `encode_answer` wrote; a ValueError, KeyError or TypeError for anything else."""
    data = _named(Answer, json.loads(text))
    return Answer(
        _pack(data["pack"]),
        data["text"],
        tuple(data["notes"]),
        tuple(data["rests_on"]),
        tuple(data["named"]),
    )


def _pack(row: Sequence[Any]) -> Pack:
    data = _named(Pack, row)
    return Pack(
        **{
            **data,
            "intent": Intent(data["intent"]),
            "sections": tuple(_section(each) for each in data["sections"]),
            "edges": tuple(PackEdge(*each) for each in data["edges"]),
            "statistics": tuple((name, value) for name, value in data["statistics"]),
            "stale": tuple(data["stale"]),
        }
    )


def _section(row: Sequence[Any]) -> Section:
    data = _named(Section, row)
    items = tuple(_item(each) for each in data["items"])
    return Section(data["name"], items, tuple(data["lines"]))


def _item(row: Sequence[Any]) -> Item:
    data = _named(Item, row)
    symbol = _named(SymbolRecord, data["symbol"])
    record = SymbolRecord(
        **{
            **symbol,
            "kind": Kind(symbol["kind"]),
            "file_kind": FileKind(symbol["file_kind"]),
            "decorators": tuple(symbol["decorators"]),
            "params": tuple(Param(*each) for each in symbol["params"]),
        }
    )
    return Item(
        **{
            **data,
            "symbol": record,
            "fidelity": Fidelity(data["fidelity"]),
            "members": tuple(data["members"]),
        }
    )
