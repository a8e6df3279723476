"""What the editor knows when a task begins: files, selection, diagnostics, terminal, git."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A diagnostic of a compiler, linter or language server."""

    file: str
    line: int
    message: str
    severity: str = "error"


@dataclass(frozen=True, slots=True)
class GitState:
    """What is checked out, and what was changed since the last commit."""

    branch: str = ""
    modified: tuple[str, ...] = ()
    diff: str = ""


@dataclass(frozen=True, slots=True)
class Editor:
    """The state of an editor; paths are relative to the workspace's root."""

    current_file: str = ""
    selection: tuple[int, int] | None = None  # first and last line, 1-based
    open_files: tuple[str, ...] = ()
    diagnostics: tuple[Diagnosis, ...] = ()
    terminal: str = ""
    git: GitState | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation so far."""

    role: str
    content: str
