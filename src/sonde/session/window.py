"""How many tokens a pack may have, and what each of its sections gets of them."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_WINDOW = 32_000
SMALLEST_WINDOW = 1_000
_SIMPLE_CONTEXT = 8_000  # what a simple task needs of a large window
_LARGEST_TOTAL = 32_000  # context and answer of a complex task, however large the window
_LARGEST_ANSWER = 8_000
# Shares of 12,000 tokens; what one leaves over goes to the evidence.
_WHOLE = 12_000
_TASK, _WORKSPACE, _ARTEFACTS, _EVIDENCE, _HISTORY = 500, 1_000, 1_000, 8_000, 1_500


@dataclass(frozen=True, slots=True)
class Allowance:
    """Tokens of one pack: `available` for the context, `reserved` for the model's answer."""

    available: int
    reserved: int = 0
    large: bool = False  # room for the whole current file

    @property
    def task(self) -> int:
        """Tokens for the task's specification."""
        return self._share(_TASK)

    @property
    def workspace(self) -> int:
        """Tokens for what the editor knows."""
        return self._share(_WORKSPACE)

    @property
    def artefacts(self) -> int:
        """Tokens for the project's rules, pitfalls and commands."""
        return self._share(_ARTEFACTS)

    @property
    def evidence(self) -> int:
        """Tokens for what was retrieved."""
        return self._share(_EVIDENCE)

    @property
    def history(self) -> int:
        """Tokens for recent messages."""
        return self._share(_HISTORY)

    def _share(self, part: int) -> int:
        return self.available * part // _WHOLE


def allowance(window: int, complex_task: bool) -> Allowance:
    """What a model with that window gets: half of it, a quarter of that kept for its answer.

    A window of 32k gives 12k and 4k. In a larger one a simple task gets 8k and a complex one
    up to 24k, each with up to 8k for the answer.
    """
    half = window // 2
    if window <= DEFAULT_WINDOW:
        return Allowance(half - half // 4, half // 4)
    total = min(_LARGEST_TOTAL, half)
    answer = min(_LARGEST_ANSWER, total // 2 if not complex_task else total // 4)
    context = total - answer if complex_task else min(_SIMPLE_CONTEXT, total - answer)
    return Allowance(context, answer, large=True)
