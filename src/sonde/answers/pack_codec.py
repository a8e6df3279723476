"""An answer as JSON and back, for the cache on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping
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
    """Dataclasses as JSON objects; enums and tuples are left to the JSON encoder."""
    return dict(zip(value.__match_args__, value.__getstate__(), strict=True))


def decode_answer(text: str) -> Answer:
    """What `encode_answer` wrote; a ValueError, KeyError or TypeError for anything else."""
    data = json.loads(text)
    return Answer(
        _pack(data["pack"]),
        data["text"],
        tuple(data["notes"]),
        tuple(data["rests_on"]),
        tuple(data["named"]),
    )


def _pack(data: Mapping[str, Any]) -> Pack:
    return Pack(
        **{
            **data,
            "intent": Intent(data["intent"]),
            "sections": tuple(_section(each) for each in data["sections"]),
            "edges": tuple(PackEdge(**each) for each in data["edges"]),
            "statistics": tuple((name, value) for name, value in data["statistics"]),
            "stale": tuple(data["stale"]),
        }
    )


def _section(data: Mapping[str, Any]) -> Section:
    items = tuple(_item(each) for each in data["items"])
    return Section(data["name"], items, tuple(data["lines"]))


def _item(data: Mapping[str, Any]) -> Item:
    symbol = data["symbol"]
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
