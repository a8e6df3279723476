"""One thing a project says of itself: a rule, a pitfall, or how something is run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b


class ArtefactKind(StrEnum):
    """What an artefact is for."""

    CONSTITUTION = "constitution"  # rules that always hold
    GOTCHA = "gotcha"  # what goes wrong, and why
    RUNBOOK = "runbook"  # a command by name


@dataclass(frozen=True, slots=True)
class Artefact:
    """A rule, pitfall or command with where it was found; it applies to files below `scope`."""

    kind: ArtefactKind
    text: str
    file: str
    line: int
    scope: str = ""  # folder, "" for the whole workspace
    name: str = ""  # of a command: test, build, lint …
    heading: str = ""
    own: bool = False  # written for this purpose, below .sonde/

    @property
    def id(self) -> str:
        """An id that stays the same as long as the text does."""
        said = f"{self.kind}\0{self.scope}\0{self.name}\0{self.text}"
        return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()

    def holds_for(self, path: str) -> bool:
        """Whether a file lies in its scope."""
        return not self.scope or path.startswith(f"{self.scope}/")
