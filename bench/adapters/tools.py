"""Other tools, each installed into a folder of its own: `python -m bench install NAME…`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.adapters.contract import Unavailable
from bench.corpus import DEFAULT_CORPUS

TOOLS = DEFAULT_CORPUS / "tools"
CODEGRAPH = TOOLS / "codegraph" / "node_modules" / ".bin" / "codegraph"
AIDER_PYTHON = TOOLS / "aider" / "bin" / "python"

_STEPS: dict[str, tuple[list[str], ...]] = {
    "codegraph": (
        ["npm", "install", "--prefix", str(TOOLS / "codegraph"), "@colbymchenry/codegraph"],
    ),
    "aider": (
        [sys.executable, "-m", "venv", str(TOOLS / "aider")],
        [str(AIDER_PYTHON), "-m", "pip", "install", "-q", "aider-chat"],
    ),
}


def install(name: str) -> None:
    """Install one tool into its folder below .corpus/tools."""
    if name not in _STEPS:
        raise Unavailable(f"no tool '{name}' to install; there are {', '.join(_STEPS)}")
    TOOLS.mkdir(parents=True, exist_ok=True)
    for command in _STEPS[name]:
        try:
            done = subprocess.run(command, check=False)
        except FileNotFoundError:
            raise Unavailable(f"{command[0]} is needed to install {name}") from None
        if done.returncode:
            raise Unavailable(f"could not install {name}: {' '.join(command)}")


def installed(name: str, program: Path) -> Path:
    """The program, or how to get it."""
    if not program.exists():
        raise Unavailable(f"not installed: python -m bench install {name}")
    return program
