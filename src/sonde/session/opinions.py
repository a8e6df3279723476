"""What the asker thought of this session's packs; it counts in this session only."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from sonde.answers.feedback import FILE
from sonde.session.memory import SessionRecord

_READ = 1_000_000  # bytes of the newest opinions


def opinions(folder: Path, record: SessionRecord) -> dict[str, float]:
    """Symbols praised (1) or blamed (-1) in opinions about the packs of one session."""
    own = {each.root for each in record.passes} | {record.id}
    found: dict[str, float] = {}
    for pack, useful, useless, missing in read_opinions(folder):
        if pack in own:
            found.update({f"{file}::{name}": -1.0 for file, name in useless})
            found.update({f"{file}::{name}": 1.0 for file, name in (*useful, *missing)})
    return found


Places = list[list[str]]


def read_opinions(folder: Path) -> Iterable[tuple[str, Places, Places, Places]]:
    """The newest opinions about a workspace: pack, useful, useless and missing symbols."""
    path = folder / FILE
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _READ))
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            _, pack, useful, useless, missing, *_ = json.loads(line)
        except (ValueError, TypeError):
            continue  # cut by the start of what is read, or torn
        yield str(pack), useful, useless, missing
