"""How a finished task judges its session: what of the sent symbols its change touched."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from sonde.answers.changes import ChangeSet, changes_in
from sonde.answers.diff import parse_diff
from sonde.model import Kind
from sonde.retrieve.view import View
from sonde.session.context_pack import PassKind, key_of
from sonde.session.memory import SessionRecord
from sonde.store.line_file import append_line

FILE = "outcomes.jsonl"
_LARGEST = 2_000_000  # bytes; the older half goes when it is reached
_FIRST = 10
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Figures of one task; those on relevance are None where nothing shows what was relevant."""

    session: str
    command: str
    ended: float
    passes: int
    iterations: int  # failures that came back
    tokens: int
    sent: int
    precision: float | None = None  # of the first ten pieces
    recall: float | None = None
    reciprocal_rank: float | None = None
    utilisation: float | None = None  # share of the pieces that the change touched or named
    artefacts: tuple[str, ...] = ()


def outcome(
    record: SessionRecord, now: float, view: View, patch: str, opinions: dict[str, float]
) -> Outcome:
    """What the final diff, and what the asker said, tell about a session."""
    order = _in_order(record)
    touched, words = _touched(view, patch)
    praised = {key for key, value in opinions.items() if value > 0}
    relevant = touched | praised
    used = [key for key in order if key in relevant or key.rpartition(".")[2] in words]
    iterations = sum(each.kind is PassKind.FAILURE for each in record.passes)
    basic = (record.task.command, now, len(record.passes), iterations)
    tokens = sum(each.tokens for each in record.passes)
    if not relevant:
        return Outcome(record.id, *basic, tokens, len(order), artefacts=record.artefacts)
    hits = [place for place, key in enumerate(order, 1) if key in relevant]
    first = order[:_FIRST]
    return Outcome(
        record.id,
        *basic,
        tokens,
        len(order),
        _share(sum(key in relevant for key in first), len(first)),
        _share(sum(_is_sent(record, key) for key in relevant), len(relevant)),
        1.0 / hits[0] if hits else 0.0,
        _share(len(used), len(order)),
        record.artefacts,
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _in_order(record: SessionRecord) -> list[str]:
    """Everything sent, in the order of passes and, inside them, of rank."""
    return list(dict.fromkeys(key for each in record.passes for key in each.keys))


def _is_sent(record: SessionRecord, key: str) -> bool:
    """Whether a symbol was sent, itself or inside its owner's source."""
    return key in record.sent or record.inside(key) is not None


def _touched(view: View, patch: str) -> tuple[set[str], set[str]]:
    """Symbols that a diff changes, and the words of its new lines."""
    if not patch.strip():
        return set(), set()
    changed = changes_in(view, patch=patch)
    keys: set[str] = set()
    if isinstance(changed, ChangeSet):
        keys = {
            key_of(each.symbol) for each in changed.symbols if each.symbol.kind is not Kind.MODULE
        }
    added = (text for change in parse_diff(patch) for _, text in change.added)
    return keys, {word for text in added for word in _WORD.findall(text)}


def keep(folder: Path, ended: Outcome) -> None:
    """Append an outcome to the workspace's own file."""
    with suppress(OSError):  # figures that cannot be kept must not spoil the end of a task
        append_line(folder / FILE, json.dumps(asdict(ended)), _LARGEST)


def read(folder: Path) -> Iterable[Outcome]:
    """All outcomes of a workspace, oldest first."""
    try:
        lines: Sequence[bytes] = (folder / FILE).read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            row = json.loads(line)
            yield Outcome(**{**row, "artefacts": tuple(row["artefacts"])})
        except (ValueError, TypeError, KeyError):
            continue  # torn, or of another version
