"""What a tool under test must be able to do, and the values it answers with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol


class Question(NamedTuple):
    """A case as a tool sees it: only an id and the text."""

    id: str
    text: str


class Hit(NamedTuple):
    """A symbol in an answer; `name` is qualified inside its file."""

    name: str
    file: str
    start_line: int = 0
    end_line: int = 0
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Prediction:
    """A ranked answer to one question."""

    id: str
    symbols: tuple[Hit, ...]
    files: tuple[str, ...]
    ms: float
    stages: Mapping[str, float] = field(default_factory=dict)  # milliseconds of each stage


@dataclass(frozen=True, slots=True)
class PackPrediction:
    """What a tool would hand to a model for one question."""

    id: str
    symbols: tuple[str, ...]
    files: tuple[str, ...]
    tokens: int
    intent: str
    ms: float
    digest: str = ""  # of the text, if the tool provides it


class Unavailable(Exception):
    """The tool is not installed; the message says how to install it."""


class Adapter(Protocol):
    """One tool under test. `scratch` is its own: nothing is shared between runs."""

    name: str
    configuration: str

    def prepare(self, repo: Path) -> None:
        """Do what a user does once per repository, such as building an index."""

    def rank(self, repo: Path, questions: Sequence[Question], limit: int) -> list[Prediction]:
        """Ranked symbols and files for each question, in the order asked."""

    def pack(self, repo: Path, questions: Sequence[Question], budget: int) -> list[PackPrediction]:
        """The context each question would get within a token budget."""
