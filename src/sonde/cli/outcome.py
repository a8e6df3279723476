"""How a command ends: exit codes that scripts can rely on, and one-line errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sonde.answers.results import FAILURES, NoSuchFile, NotFound, message_of
from sonde.answers.results import Failure as AnswerFailure
from sonde.cli.console import Console, counted

if TYPE_CHECKING:
    from sonde.pack.freshness import Dated

FOUND = 0
NOTHING_FOUND = 1
ERROR = 2
INTERRUPTED = 130  # what a shell reports for a program ended by Ctrl-C

_NAMED = 3  # files named in a note

T = TypeVar("T")


class Failure(Exception):
    """Ends the command; the message is one line for the user."""

    def __init__(self, message: str, code: int = ERROR) -> None:
        super().__init__(message)
        self.code = code


def answered(answer: T | AnswerFailure) -> T:
    """The answer itself; a failure ends the command."""
    if isinstance(answer, FAILURES):
        nothing = isinstance(answer, NotFound) and not isinstance(answer, NoSuchFile)
        raise Failure(message_of(answer), NOTHING_FOUND if nothing else ERROR)
    return answer  # type: ignore[return-value]  # FAILURES is the union's own members


def note_freshness(answer: Dated, console: Console) -> None:
    """Say what an answer could not see."""
    if answer.indexed_share < 1.0:
        console.note(f"the index is still being built: {answer.indexed_share:.0%} of the files")
    if answer.stale:
        some = ", ".join(answer.stale[:_NAMED])
        more = ", …" if answer.stale_count > _NAMED else ""
        console.note(f"{counted(answer.stale_count, 'file')} could not be refreshed: {some}{more}")
