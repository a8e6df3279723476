"""How the budget is shared among the sections, by intent."""

from __future__ import annotations

from typing import NamedTuple

from sonde.model import Intent

DEFINITIONS = "definitions"
SNIPPETS = "snippets"
IMPORTS = "imports"
TESTS = "tests"
CALLERS = "callers"
# In reading order: what it is, its source, what tests it, who uses it.
SECTIONS = (DEFINITIONS, SNIPPETS, TESTS, CALLERS, IMPORTS)


class Profile(NamedTuple):
    """Share of each section; shares sum to one. A section with share 0 stays empty."""

    definitions: float
    snippets: float
    imports: float
    tests: float
    callers: float

    def share(self, section: str) -> float:
        """Share of the named section."""
        return float(getattr(self, section))


_PROFILES = {
    Intent.DEFINITION_LOOKUP: Profile(0.50, 0.30, 0.10, 0.10, 0.00),
    Intent.USAGE_EXPLORATION: Profile(0.20, 0.10, 0.05, 0.00, 0.65),
    Intent.IMPLEMENTATION: Profile(0.40, 0.35, 0.15, 0.10, 0.00),
    Intent.BUG_FIX: Profile(0.30, 0.25, 0.10, 0.20, 0.15),
    Intent.REFACTOR: Profile(0.25, 0.20, 0.10, 0.15, 0.30),
    Intent.TEST_WRITING: Profile(0.40, 0.15, 0.05, 0.40, 0.00),
}


def profile(intent: Intent) -> Profile:
    """The shares for an intent."""
    return _PROFILES[intent]
