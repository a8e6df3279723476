"""A session as JSON and back, for its file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sonde.session.context_pack import Detail, PassKind
from sonde.session.editor import Diagnosis, Editor, GitState
from sonde.session.memory import Pass, Sent, SessionRecord
from sonde.session.task import TaskSpec


def encode(record: SessionRecord) -> str:
    """The record as one JSON document."""
    return json.dumps(record, default=_plain, separators=(",", ":"), sort_keys=True)


def _plain(value: Any) -> Any:
    """Dataclasses as objects, sets as lists; the rest is what JSON makes of it."""
    if isinstance(value, frozenset):
        return sorted(value)
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def decode(text: str) -> SessionRecord:
    """What `encode` wrote; else a ValueError, KeyError, TypeError or AttributeError."""
    data = json.loads(text)
    return SessionRecord(
        **{
            **data,
            "task": _task(data["task"]),
            "editor": _editor(data["editor"]),
            "without": frozenset(data["without"]),
            "passes": tuple(_pass(each) for each in data["passes"]),
            "sent": {key: _sent(each) for key, each in data["sent"].items()},
            "accesses": {key: tuple(each) for key, each in data["accesses"].items()},
            "artefacts": tuple(data["artefacts"]),
        }
    )


def _task(data: Mapping[str, Any]) -> TaskSpec:
    lists = {name: tuple(data[name]) for name in ("acceptance", "constraints")}
    return TaskSpec(**{**data, **lists})


def _editor(data: Mapping[str, Any]) -> Editor:
    git, selection = data["git"], data["selection"]
    return Editor(
        **{
            **data,
            "selection": (selection[0], selection[1]) if selection else None,
            "open_files": tuple(data["open_files"]),
            "diagnostics": tuple(Diagnosis(**each) for each in data["diagnostics"]),
            "git": GitState(**{**git, "modified": tuple(git["modified"])}) if git else None,
        }
    )


def _pass(data: Mapping[str, Any]) -> Pass:
    return Pass(**{**data, "kind": PassKind(data["kind"]), "keys": tuple(data["keys"])})


def _sent(data: Mapping[str, Any]) -> Sent:
    return Sent(**{**data, "detail": Detail(data["detail"])})
