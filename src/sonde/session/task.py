"""What is to be done: the goal, its command, when it is done, and what must not change."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.model import Intent
from sonde.understand.intent import strip_command

COMMANDS = ("/fix", "/test", "/refactor", "/explain", "/implement")
_BY_INTENT = {
    Intent.BUG_FIX: "/fix",
    Intent.TEST_WRITING: "/test",
    Intent.REFACTOR: "/refactor",
    Intent.DEFINITION_LOOKUP: "/explain",
    Intent.USAGE_EXPLORATION: "/explain",
    Intent.IMPLEMENTATION: "/implement",
}


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """A task as its owner states it."""

    goal: str
    command: str = ""  # one of COMMANDS; "" leaves the choice to the goal's wording
    acceptance: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The goal as it is searched for: with its command, which decides the intent."""
        return f"{self.command} {self.goal}".strip()


def with_command(task: TaskSpec, intent: Intent) -> TaskSpec:
    """The task with its command: as given, as written before the goal, or as implied."""
    goal, chosen = strip_command(task.goal)
    command = task.command or _BY_INTENT[chosen or intent]
    return TaskSpec(goal.strip() or task.goal, command, task.acceptance, task.constraints)
