"""The context pack: what one pass of a session hands to the agent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sonde.model import SymbolRecord
from sonde.session.editor import Diagnosis, GitState, Message
from sonde.session.task import TaskSpec


class PassKind(StrEnum):
    """Why the agent asks."""

    START = "start"
    PLAN = "plan"
    FAILURE = "failure"
    MORE = "more"


class Detail(StrEnum):
    """How much of a symbol is shown."""

    FULL = "full"
    CARD = "card"
    CHANGED = "changed"  # the difference from what was sent before


@dataclass(frozen=True, slots=True)
class Piece:
    """One symbol of the evidence, with where it is and why it is there."""

    symbol: SymbolRecord
    detail: Detail
    text: str
    reason: str
    score: float
    tokens: int = 0
    step: int = 0  # of the plan, 0 for none

    @property
    def key(self) -> str:
        """The key by which a session remembers it."""
        return key_of(self.symbol)


def key_of(symbol: SymbolRecord) -> str:
    """A symbol's name in the memory of a session; ids do not survive an index."""
    return f"{symbol.file}::{symbol.qualname}"


@dataclass(frozen=True, slots=True)
class ShownFailure:
    """A failing test or a tool's complaint, as the failure pass understood it."""

    tool: str
    test: str = ""
    file: str = ""
    line: int = 0
    message: str = ""
    expected: str = ""
    actual: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the pack shows of the editor's state."""

    current_file: str = ""
    selection: str = ""
    content: str = ""  # of the current file, or its relevant part
    part: str = ""  # says which part, "" when it is the whole file
    spans: tuple[tuple[int, int], ...] = ()  # its first and last lines
    open_files: tuple[str, ...] = ()
    diagnostics: tuple[Diagnosis, ...] = ()
    more_diagnostics: str = ""
    terminal: str = ""
    git: GitState | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What the pack shows of the project's artefacts."""

    constitution: tuple[str, ...] = ()
    gotchas: tuple[str, ...] = ()
    runbook: tuple[tuple[str, str], ...] = ()
    sent: str = ""  # which of them the receiver already has


@dataclass(frozen=True, slots=True)
class ContextPack:
    """Sections inside a hard budget; `text` is what the agent gets."""

    session: str
    number: int  # of the pass, from 1
    kind: PassKind
    task: TaskSpec
    budget: int
    reserved: int = 0
    workspace: Shown = Shown()
    rules: Rules = Rules()
    steps: tuple[str, ...] = ()
    failures: tuple[ShownFailure, ...] = ()
    evidence: tuple[Piece, ...] = ()
    summaries: tuple[str, ...] = ()  # distant files, a line each
    cited: tuple[str, ...] = ()  # sent before and not repeated
    history: tuple[Message, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    root: str = ""  # content address, to cite in feedback
    tokens: int = 0
    text: str = ""
    format: str = "yaml"
    statistics: tuple[tuple[str, float], ...] = ()
    stale: tuple[str, ...] = ()
    stale_count: int = 0
    indexed_share: float = 1.0
