"""What had no room in a pack, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dropped:
    """What had no room."""

    messages: int = 0
    symbols: tuple[str, ...] = ()  # names, best first
    files: int = 0
    citations: int = 0
    other: tuple[str, ...] = ()

    def lines(self, named: int) -> tuple[str, ...]:
        """What was left out, in words."""
        found = []
        if self.messages:
            found.append(f"{self.messages} oldest message{'s' * (self.messages > 1)}")
        if self.symbols:
            shown = ", ".join(self.symbols[:named])
            count = len(self.symbols)
            more = f" and {count - named} more" if count > named > 0 else ""
            what = f"{count} symbol{'s' * (count > 1)}"
            found.append(f"{what}: {shown}{more}" if named else what)
        if self.files:
            found.append(f"{self.files} file summaries")
        if self.citations:
            found.append(f"{self.citations} citations")
        return (*found, *self.other)
