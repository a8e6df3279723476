"""What users think of answers, kept beside the index; sessions and their figures read it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

from sonde.answers.lookup import find_symbols, not_found
from sonde.answers.results import Refusal
from sonde.answers.state import State
from sonde.store.line_file import append_line

FILE = "feedback.jsonl"
_LARGEST = 4_000_000  # bytes; beyond that, older opinions are dropped
_LONGEST_NOTE = 2_000
_MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class Opinion:
    """Which symbols of a pack were useful, which were not, and which were missing."""

    pack: str
    useful: tuple[str, ...] = ()
    useless: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    note: str = ""


def keep_opinion(opinion: Opinion, state: State) -> int | Refusal:
    """Append an opinion, refusing names that no symbol has. Returns how many there are."""
    groups = (opinion.useful, opinion.useless, opinion.missing)
    if not opinion.note.strip() and not any(groups):
        return Refusal("an opinion names useful, useless or missing symbols, or says something")
    if sum(map(len, groups)) > _MOST_NAMES:
        return Refusal(f"an opinion names at most {_MOST_NAMES} symbols")
    rows = []
    for names in groups:
        places = []
        for name in names:
            found = find_symbols(state.view, name)
            if not found:
                return not_found(state.view, name)
            places += [[record.file, record.qualname] for record in found]
        rows.append(places)
    line = json.dumps([int(time.time()), opinion.pack, *rows, opinion.note[:_LONGEST_NOTE]])
    try:
        return append_line(state.view.index.workspace.home / FILE, line, _LARGEST)
    except OSError as error:
        return Refusal(f"the opinion cannot be kept: {error.strerror}")
