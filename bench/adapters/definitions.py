"""The definitions of a repository, for the baselines that rank them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from bench.adapters.contract import Unavailable

_CTAGS_SEPARATORS = ("::", ".", "#")
CODE_LANGUAGES = (
    "C,C++,C#,Go,Java,JavaScript,Kotlin,PHP,Python,Ruby,Rust,Scala,TypeScript"  # ctags' names
)


class Definition(NamedTuple):
    """A named piece of a file."""

    name: str  # qualified inside its file, with dots
    kind: str
    file: str
    start_line: int
    end_line: int
    language: str = ""


def sonde_program() -> str:
    """The `sonde` command of this environment."""
    beside = Path(sys.executable).with_name("sonde")
    program = str(beside) if beside.exists() else shutil.which("sonde")
    if program is None:
        raise Unavailable("sonde is not installed (pip install -e .)")
    return program


def from_sonde(repo: Path, environment: Mapping[str, str]) -> list[Definition]:
    """The output of `sonde symbols`, without modules."""
    command = [sonde_program(), "symbols", "--repo", str(repo), "--json"]
    done = subprocess.run(command, env=dict(environment), capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise Unavailable(f"sonde symbols failed: {reason[-1] if reason else 'no symbols'}")
    rows = (json.loads(line) for line in done.stdout.splitlines())
    return [
        Definition(row["name"], row["kind"], row["file"], row["start_line"], row["end_line"])
        for row in rows
        if row["kind"] != "module"
    ]


def find_ctags() -> str:
    """The universal-ctags program; other programs of that name cannot print JSON."""
    program = shutil.which("ctags")
    if program is not None:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        if "Universal Ctags" in done.stdout:
            return program
    raise Unavailable("universal-ctags is not installed (apt-get install universal-ctags)")


def _supported(program: str) -> str:
    """Those of our code languages that this build of ctags supports."""
    done = subprocess.run([program, "--list-languages"], capture_output=True, text=True)
    known = set(done.stdout.split())
    return ",".join(name for name in CODE_LANGUAGES.split(",") if name in known)


def from_ctags(repo: Path) -> list[Definition]:
    """What universal-ctags finds, with names qualified by the scopes it reports."""
    command = [
        find_ctags(), "-R", "--output-format=json", "--fields=+neKSl", "--exclude=.git",
        f"--languages={_supported(find_ctags())}", "-f", "-", ".",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=repo, capture_output=True, check=False)
    found = []
    for line in done.stdout.splitlines():
        row = json.loads(line.decode("utf-8", errors="replace"))
        if row.get("_type") != "tag" or "line" not in row:
            continue
        scope = row.get("scope", "")
        for separator in _CTAGS_SEPARATORS:
            scope = scope.replace(separator, ".")
        name = f"{scope}.{row['name']}" if scope else row["name"]
        found.append(
            Definition(
                name,
                row.get("kind", ""),
                row["path"].removeprefix("./"),
                row["line"],
                row.get("end", row["line"]),
                row.get("language", ""),
            )
        )
    return found
