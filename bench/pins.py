"""The commits that data files name only by a short repository name."""

from __future__ import annotations

from typing import NamedTuple


class Pin(NamedTuple):
    """A public repository at one commit."""

    repo: str  # owner/name
    commit: str


PINS = {
    "caddy": Pin("caddyserver/caddy", "4d60d936edce2ab49cb36c47d0d1bdc0029a0ed2"),
    "django": Pin("django/django", "373cb3037fe4e67adbac9ac43340391e859aa957"),
    "flask": Pin("pallets/flask", "ab8149664182b662453a563161aa89013c806dc9"),
    "jekyll": Pin("jekyll/jekyll", "202df571314ba1d18e9fccd81d12aaad4a703c38"),
    "kubernetes": Pin("kubernetes/kubernetes", "7c48c2bd72b9bf5c44d21d7338cc7bea77d0ad2a"),
    "ripgrep": Pin("BurntSushi/ripgrep", "4857d6fa67db69a95cd4b6f2adda5d807d4d0119"),
    "spark-java": Pin("perwendel/spark", "1973e402f5d4c1442ad34a1d38ed0758079f7773"),
    "sweep": Pin("SamEthanMathew/sweep", "379d21f2f8bbd23fbdf7b71008f59da43e2ed03f"),
}

# The Sweep table was made on the code base's Python files as they were before the benchmark's own
# files were added.
_SWEEP_ADDED = frozenset(
    {
        "benchmark_comparison.py",
        "test_full_pipeline.py",
        "sweepai/core/eval_context_retrieval.py",
        "sweepai/core/intent_detector.py",
        "sweepai/core/symbol_resolver.py",
        "sweepai/core/context_assembler.py",
    }
)
_SWEEP_LEFT_OUT = frozenset({"docs", "sweep_chat"})


def in_sweep_benchmark(path: str) -> bool:
    """Whether a file of the Sweep code base is one that its benchmark indexes."""
    return (
        path.endswith(".py")
        and path not in _SWEEP_ADDED
        and not _SWEEP_LEFT_OUT.intersection(path.split("/"))
    )
