"""Sonde: the few definitions, callers, tests and snippets a coding task needs."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time of `import sonde`
if TYPE_CHECKING:
    from sonde.answers.results import Answer, Refusal
    from sonde.config import Settings
    from sonde.engine import Engine
    from sonde.session.session import Session
    from sonde.store.errors import Problem

__version__ = "0.1.0"
__all__ = ["Answer", "Engine", "Problem", "Refusal", "Session", "Settings", "__version__"]

_HOMES = {
    "Answer": "sonde.answers.results",
    "Engine": "sonde.engine",
    "Problem": "sonde.store.errors",
    "Refusal": "sonde.answers.results",
    "Session": "sonde.session.session",
    "Settings": "sonde.config",
}


def __getattr__(name: str) -> object:
    """Exported names, imported on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sonde' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
