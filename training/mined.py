"""What all trainings share: their options, and mined data that is kept for the next time."""

from __future__ import annotations

import argparse
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

_Mined = TypeVar("_Mined")


def options(name: str, text: str | None, cache: str) -> argparse.Namespace:
    """The options of `python -m training.<name>`; `cache` is where its data is kept."""
    parser = argparse.ArgumentParser(prog=f"python -m training.{name}", description=text)
    parser.add_argument("--mirror", required=True, help="folder of bare clones, owner+name")
    parser.add_argument("--corpus", help="folder of materialised commits")
    parser.add_argument("--cache", default=f".training/{cache}", help="where mined data is kept")
    parser.add_argument("--held-out", action="store_true", help="measure, write nothing")
    return parser.parse_args()


def kept(place: str, mine: Callable[[], _Mined]) -> _Mined:
    """What was mined before, or what is mined now and kept there."""
    path = Path(place)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(mine()))
    found: _Mined = pickle.loads(path.read_bytes())
    return found
