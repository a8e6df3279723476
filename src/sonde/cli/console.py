"""Where a command's output goes: answers to stdout, everything about them to stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import Any, TextIO

from sonde.pack.visible import visible

_WIDE = 240
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Console:
    """Prints answers; colour only on a terminal whose user has not set NO_COLOR."""

    def __init__(self, out: TextIO, errors: TextIO, *, colour: bool) -> None:
        self.out = out
        self.errors = errors
        self._colour = colour

    @staticmethod
    def of_process() -> Console:
        """The console of this process. Whatever a file is called, printing it cannot fail."""
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="backslashreplace")
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        colour = colour and os.environ.get("TERM") != "dumb"
        return Console(sys.stdout, sys.stderr, colour=colour)

    @property
    def width(self) -> int:
        """Columns to fill: the terminal's; wide elsewhere, where lines are searched or kept."""
        return shutil.get_terminal_size().columns if self.out.isatty() else _WIDE

    def paint(self, text: str, style: str) -> str:
        """Text in a style, if there is colour."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colour else text

    def line(self, text: str = "") -> None:
        """A line of the answer. The text must be safe already: see `safe`."""
        self.out.write(text + "\n")

    def document(self, text: str) -> None:
        """A whole rendered answer, as it is."""
        self.out.write(text if text.endswith("\n") else text + "\n")

    def json(self, value: Any) -> None:
        """One JSON document on one line. ASCII only, so that no terminal acts on it."""
        self.out.write(json.dumps(value) + "\n")

    def note(self, text: str) -> None:
        """Something about the answer, on stderr."""
        self.errors.write(f"sonde: {safe(text)}\n")
        self.errors.flush()


def safe(text: str) -> str:
    """Repository text on one line, with nothing hidden in it."""
    return visible(text).replace("\n", "\\n").replace("\t", " ")


def cut(text: str, width: int) -> str:
    """Repository text on one line of at most so many characters."""
    flat = safe(" ".join(text.split()))
    return flat if len(flat) <= width else (flat[: max(width - 1, 0)] + "…")[:width]


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `12,345 files`."""
    plural = noun if number == 1 else f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    if seconds < 3600:
        return f"{int(seconds // 60)} min"
    return f"{seconds / 3600:.1f} h" if seconds < 172_800 else f"{int(seconds // 86_400)} days"


def size(count: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
