"""Short ways to say what a walk found."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

from sonde.discover import DiscoverRules, discover
from sonde.model import FileKind, SkipReason


def rules(**changes: Any) -> DiscoverRules:
    """Default rules without the excludes file of whoever runs the tests."""
    return DiscoverRules(**{"excludes_file": None, **changes})


def paths(root: Path, **changes: Any) -> list[str]:
    """Paths of the files taken."""
    return [file.path for file in discover(root, rules(**changes)).files]


def reasons(root: Path, **changes: Any) -> dict[str, SkipReason]:
    """Path → reason of the files left out."""
    return {skip.path: skip.reason for skip in discover(root, rules(**changes)).skipped}


def kinds(root: Path, **changes: Any) -> dict[str, FileKind]:
    """Path → kind of the files taken."""
    return {file.path: file.kind for file in discover(root, rules(**changes)).files}


def languages(root: Path) -> dict[str, str]:
    """Path → language of the files taken."""
    return {file.path: file.language for file in discover(root, rules()).files}


def mutate(root: Path, chance: random.Random) -> None:
    """Change something in a tree: files, folders, ignore rules."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    folders = sorted({root, *(path for path in root.rglob("*") if path.is_dir())})
    choice = chance.randrange(8)
    target = chance.choice(files)
    folder = chance.choice(folders)
    if choice == 0:
        target.unlink()
    elif choice == 1:
        target.write_text(f"x = {chance.random()}\n")
    elif choice == 2:
        (folder / f"new{chance.randrange(5)}.py").write_text("y = 1\n")
    elif choice == 3:
        made = folder / f"sub{chance.randrange(3)}"
        made.mkdir(exist_ok=True)
        (made / "deep.py").write_text("z = 1\n")
    elif choice == 4:
        (folder / ".gitignore").write_text(chance.choice(["*.py\n", "sub1/\n", "new1.py\n"]))
    elif choice == 5:
        (folder / ".gitignore").unlink(missing_ok=True)
    elif choice == 6:
        tag = folder / "CACHEDIR.TAG"
        tag.unlink() if tag.exists() else tag.write_text("")
    elif folder != root:
        shutil.rmtree(folder)
