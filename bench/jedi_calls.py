"""Resolved Python calls compared with jedi on random calls of a repository.

    python -m bench.jedi_calls REPO… --sample 500

Agreement is counted among the calls that both place on a definition inside the
repository, coverage among all that jedi places there. Figures are kept in bench/results/index/.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from bench import archive
from sonde.extract import extract
from sonde.link.manifests import is_manifest, project_config
from sonde.link.names import Names
from sonde.link.receivers import Receivers
from sonde.link.recorder import Recorder
from sonde.link.tables import Entry, FileEntry, Memory
from sonde.model import FileFacts, FileKind, Reference, RefKind

_DEFINITIONS = frozenset({"function", "class", "property"})
_LINES_OF_A_CHAIN = 12  # a call may be lines below the start of its receiver


class Linked(NamedTuple):
    """One file, ready to resolve in."""

    file: FileEntry
    facts: FileFacts
    ids: range


class Place(NamedTuple):
    """Where a definition is."""

    path: str
    name: str
    first: int
    last: int


def read_repository(root: Path) -> tuple[Memory, list[Linked]]:
    """Extract and register every Python file under a root."""
    paths = sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.parts[len(root.parts) :])
    )
    texts = [
        (path, (root / path).read_text("utf-8", "replace")) for path in paths if is_manifest(path)
    ]
    memory = Memory(project_config(texts))
    files: list[Linked] = []
    next_id = 1
    for path in paths:
        if not path.endswith(".py"):
            continue
        facts = extract(path, "python", (root / path).read_bytes())
        ids = range(next_id, next_id + len(facts.symbols))
        next_id += len(facts.symbols)
        file = FileEntry(len(files) + 1, path, "python", "", FileKind.SOURCE, ids[0])
        memory.add(file, facts, ids)
        files.append(Linked(file, facts, ids))
    return memory, files


def place_of_call(lines: list[str], call: Reference) -> tuple[int, int] | None:
    """Line and column of the called name."""
    pattern = re.compile(rf"(?<![\w]){re.escape(call.name)}\s*\(")
    for number in range(call.line, min(call.line + _LINES_OF_A_CHAIN, len(lines) + 1)):
        for match in pattern.finditer(lines[number - 1]):
            before = lines[number - 1][: match.start()].rstrip()
            if before.endswith(".") == bool(call.receiver):
                return number, match.start()
        if not call.receiver:
            break
    return None


def places_by_jedi(root: Path, path: str, line: int, column: int, project: object) -> list[Place]:
    """The definitions that jedi finds for a name inside the repository."""
    import jedi

    script = jedi.Script(path=root / path, project=project)
    found = []
    for name in script.goto(line, column, follow_imports=True):
        where = name.module_path
        if where is None or name.type not in _DEFINITIONS or not where.is_relative_to(root):
            continue
        found.append(Place(where.relative_to(root).as_posix(), name.name, name.line, name.line))
    return found


def place_of(entry: Entry, memory: Memory, files: list[Linked]) -> Place:
    """Where a resolved symbol is."""
    linked = files[entry.file - 1]
    symbol = linked.facts.symbols[entry.id - linked.ids[0]]
    path = memory.file_by_id(entry.file).path
    return Place(path, symbol.name, symbol.start_line, symbol.end_line)


def same(ours: Place, theirs: Place) -> bool:
    """Whether two places are the same definition; ours spans it, jedi's is the name's line."""
    return (
        ours.path == theirs.path
        and ours.name == theirs.name
        and ours.first <= theirs.first <= ours.last
    )


def sampled(files: list[Linked], size: int, seed: int) -> Iterator[tuple[Linked, Reference]]:
    """Random calls of a repository, in random order."""
    calls = [
        (linked, reference)
        for linked in files
        for reference in linked.facts.references
        if reference.kind is RefKind.CALL
    ]
    generator = random.Random(seed)
    yield from generator.sample(calls, min(size, len(calls)))


def compare(root: Path, sample: int, seed: int, *, verbose: bool) -> dict[str, Any]:
    """How many random calls jedi resolves inside a repository, and how we resolve them."""
    try:
        import jedi
    except ImportError:
        sys.exit("jedi is not installed: pip install jedi, then run this again")
    memory, files = read_repository(root)
    project = jedi.Project(root)
    placed = both = agree = 0
    for linked, call in sampled(files, sample, seed):
        lines = (root / linked.file.path).read_text("utf-8", "replace").splitlines()
        at = place_of_call(lines, call)
        if at is None:
            continue
        try:
            theirs = places_by_jedi(root, linked.file.path, *at, project)
        except (RecursionError, ValueError, AttributeError, KeyError):
            continue  # jedi fails on some files; there is nothing to compare with
        if not theirs:
            continue
        placed += 1
        found = Receivers(*linked, Names(Recorder(memory))).resolve(call)
        ours = None
        if found is not None and isinstance(found.target, Entry):
            ours = place_of(found.target, memory, files)
            both += 1
            if any(same(ours, each) for each in theirs):
                agree += 1
                continue
        if verbose:
            text = f"{call.receiver}.{call.name}" if call.receiver else call.name
            print(f"{linked.file.path}:{at[0]} {text}\n    ours {ours}\n    jedi {theirs[0]}")
    return {
        "calls": sample,
        "placed_by_jedi": placed,
        "resolved": both,
        "resolved_percent": round(100 * both / max(placed, 1), 1),
        "agree": agree,
        "agree_percent": round(100 * agree / max(both, 1), 1),
    }


def save(figures: Mapping[str, Any], options: argparse.Namespace) -> Path:
    """Archive beside the cost of the index."""
    told = {
        "jedi": metadata.version("jedi"),
        "command": f"python -m bench.jedi_calls {' '.join(figures)}"
        f" --sample {options.sample} --seed {options.seed}",
        "repositories": figures,
    }
    return archive.save_told("jedi", told)


def main() -> None:
    """Print agreement and coverage, and with --verbose each difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    figures = {}
    for repository in options.repositories:
        root = repository.resolve()
        found = compare(root, options.sample, options.seed, verbose=options.verbose)
        figures[root.name] = found
        print(f"{root.name}: {found}", flush=True)
    print(f"results: {save(figures, options)}")


if __name__ == "__main__":
    main()
