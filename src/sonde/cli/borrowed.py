"""What a command gets from whoever runs it: engine, input, folder and terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from sonde.cli.console import Console

if TYPE_CHECKING:
    from sonde.engine import Engine

_ENGINE: ContextVar[Engine | None] = ContextVar("engine", default=None)
_INPUT: ContextVar[bytes | None] = ContextVar("input", default=None)
_FOLDER: ContextVar[str] = ContextVar("folder", default="")


class Terminal(Console):
    """The console of a client elsewhere; width 0 when it is not a terminal."""

    def __init__(self, out: TextIO, errors: TextIO, width: int, colour: bool) -> None:
        super().__init__(out, errors, colour=colour)
        self._columns = width

    @property
    def width(self) -> int:
        """Columns of the client's terminal."""
        return self._columns or super().width


@contextmanager
def lent(engine: Engine, given: bytes, folder: str) -> Iterator[None]:
    """Commands run inside use this engine and this standard input, and start in this folder."""
    engine_before, input_before = _ENGINE.set(engine), _INPUT.set(given)
    folder_before = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(folder_before)
        _ENGINE.reset(engine_before)
        _INPUT.reset(input_before)


def lent_engine() -> Engine | None:
    """The engine to use instead of one's own."""
    return _ENGINE.get()


def path_of(written: str) -> Path:
    """A path as written by the client, wherever this process was started."""
    return Path(_FOLDER.get()) / written


def give_back(taken: bytes) -> None:
    """Give back to this process what was read from its input for a server that refused it."""
    _INPUT.set(taken + sys.stdin.buffer.read())


def standard_input() -> BinaryIO:
    """The client's input, or that of this process."""
    given = _INPUT.get()
    return sys.stdin.buffer if given is None else io.BytesIO(given)
