"""The symbol around each place of a file."""

from __future__ import annotations

from sonde.model import CALLABLE_KINDS, TYPE_KINDS, Kind, Symbol

SCOPES = CALLABLE_KINDS | TYPE_KINDS | {Kind.PROPERTY}
FOREVER = 1 << 62  # beyond every byte


class Scopes:
    """Finds the innermost symbol around a byte; offsets asked for must not decrease."""

    def __init__(self, symbols: tuple[Symbol, ...]) -> None:
        self._spans = sorted(
            (s.start_byte, -s.end_byte, at)
            for at, s in enumerate(symbols)
            if at and s.kind in SCOPES
        )
        self._next = 0
        self._open: list[tuple[int, int]] = []  # (end, index)
        self.until = 0  # the last answer is valid up to this byte

    def at(self, byte: int) -> int:
        """Index of the innermost symbol that contains the byte."""
        spans, open_ = self._spans, self._open
        while self._next < len(spans) and spans[self._next][0] <= byte:
            start, negative_end, index = spans[self._next]
            self._next += 1
            while open_ and open_[-1][0] <= start:
                open_.pop()
            open_.append((-negative_end, index))
        while open_ and open_[-1][0] <= byte:
            open_.pop()
        following = spans[self._next][0] if self._next < len(spans) else FOREVER
        self.until = min(following, open_[-1][0]) if open_ else following
        return open_[-1][1] if open_ else 0
