"""Progress of long work: a bar with rate and time left on a terminal, else plain lines."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

from sonde.sync.report import Progress

_QUIET_FOR = 0.4  # seconds: shorter work is not worth a bar
_QUIET_LINES_FOR = 2.0  # nor a plain line, which stays
_REDRAW = 0.1
_LINE_EVERY = 5.0  # seconds between plain lines
_WIDEST = 40
_VERBS = {"extract": "reading", "link": "linking", "embed": "embedding"}
_NOUNS = {"embed": "symbols"}  # all other stages go by files


class ProgressBar:
    """Receives a sync's progress; call `begin` and `end` around the work."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._drawn = False
        self.begin()

    def begin(self) -> None:
        """Work begins; if it takes only a moment, nothing is shown."""
        self._stage = ""
        self._stage_began = time.monotonic()
        self._stage_start = 0
        every = _REDRAW if self._terminal else _LINE_EVERY
        quiet = _QUIET_FOR if self._terminal else _QUIET_LINES_FOR
        self._shown = self._stage_began + quiet - every

    def __call__(self, progress: Progress) -> None:
        """Show it, unless something was shown a moment ago."""
        now = time.monotonic()
        if progress.stage != self._stage:
            self._stage, self._stage_began, self._stage_start = progress.stage, now, progress.done
        every = _REDRAW if self._terminal else _LINE_EVERY
        if now - self._shown < every:
            return
        self._shown = now
        if self._terminal:
            columns = shutil.get_terminal_size().columns
            self._stream.write(f"\r\x1b[K{self.bar(progress, now, columns)}")
            self._drawn = True
        else:
            self._stream.write(f"sonde: {self.words(progress, now)}\n")
        self._stream.flush()

    def end(self) -> None:
        """Take the bar away."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False

    def words(self, progress: Progress, now: float) -> str:
        """Progress as a plain sentence."""
        verb = _VERBS.get(progress.stage, progress.stage)
        noun = _NOUNS.get(progress.stage, "files")
        pace = "".join(f", {part}" for part in self._pace(progress, now))
        return f"{verb} {progress.done:,} of {progress.total:,} {noun}{pace}"

    def bar(self, progress: Progress, now: float, columns: int) -> str:
        """Progress as a bar that fits the terminal."""
        verb = _VERBS.get(progress.stage, progress.stage)
        share = progress.done / progress.total if progress.total else 1.0
        pace = "".join(f"  {part}" for part in self._pace(progress, now))
        tail = f" {share:4.0%}  {progress.done:,}/{progress.total:,}{pace}"
        width = max(0, min(_WIDEST, columns - len(verb) - len(tail) - 4))
        filled = round(width * share)
        return f"{verb} [{'█' * filled}{'░' * (width - filled)}]{tail}"[: max(columns - 1, 1)]

    def _pace(self, progress: Progress, now: float) -> tuple[str, ...]:
        """Rate and time left, once they are known."""
        elapsed, done = now - self._stage_began, progress.done - self._stage_start
        if elapsed < _QUIET_FOR or done <= 0:
            return ()
        seconds = int((progress.total - progress.done) * elapsed / done + 0.5)
        return f"{done / elapsed:,.0f}/s", f"{seconds // 60}:{seconds % 60:02d} left"
