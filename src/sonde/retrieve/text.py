"""Text: ripgrep for the literals and messages a task quotes, mapped to the symbols around them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.retrieve.channel import Channel, Hit, ranked

if TYPE_CHECKING:
    from sonde.model import Query
    from sonde.retrieve.view import View

_LIMIT = 20
_LITERALS = 4
_PER_FILE = 3
_LINES = 40
_ROWS = 2000
# A slow disk must not hold the answer for ever; the other channels go on. It is long enough to
# cut nothing on a disk that works, since an answer that was cut is another one.
_SECONDS = 5.0


@cache
def ripgrep() -> str | None:
    """Path of the rg program that came with the package, or the user's own."""
    beside = Path(sys.executable).with_name("rg")
    return str(beside) if beside.exists() else shutil.which("rg")


def find(query: Query, view: View) -> list[Hit]:
    """Symbols whose source contains a quoted string or error message of the task."""
    hits: list[Hit] = []
    for place, literal in enumerate(query.literals[:_LITERALS]):
        lines = matching_lines(view.index.workspace.root, literal)
        if lines is None:
            view.cut_short.add(CHANNEL.name)
        if not lines or len(lines) > _LINES:
            continue  # found everywhere: says nothing
        weight = 1.0 / (1.0 + 0.5 * place) / len(lines) ** 0.5
        for path, line in lines:
            id = view.innermost(path, line)
            if id is not None:
                hits.append(Hit(id, weight, f"contains {literal[:40]!r} at line {line}"))
    return ranked(hits, _LIMIT)


def matching_lines(root: Path, literal: str) -> list[tuple[str, int]] | None:
    """(path, line) of each occurrence of a fixed string, at most a few a file.

    None when that took too long.
    """
    program = ripgrep()
    if program is None:
        return []
    command = [program, "--no-config", "--no-messages", "--no-heading", "-n", "-F", "--null"]
    command += ["--max-count", str(_PER_FILE), "--max-columns", "400", "--sort", "none"]
    try:
        done = subprocess.run(
            [*command, "-e", literal, "."],
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError:
        return []
    found = []
    rows = done.stdout.split(b"\n")
    if len(rows) > _ROWS:
        rows = sorted(rows)[:_ROWS]  # threads find them in any order
    for row in rows:
        path, mark, rest = row.partition(b"\0")
        number = rest.partition(b":")[0]
        if mark and number.isdigit():
            found.append((path.decode("utf-8", "replace").removeprefix("./"), int(number)))
    return sorted(found)


CHANNEL = Channel("text", 1.5, find)
