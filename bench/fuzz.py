"""Extraction under mutated sources: `python -m bench.fuzz REPO… [--seconds N] [--seed N]`.

Broken source is data, so for any bytes the facts must come in time, survive storing, and lie
inside the file. The first file that breaks a rule is named with the seed that made it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sonde.discover import DiscoverRules, discover
from sonde.extract import extract
from sonde.extract.codec import decode, encode
from sonde.link.similarity import sketches
from sonde.model import FileFacts, SourceFile
from sonde.store.documents import chunk_documents, symbol_documents

_LONGEST = 5.0  # processor seconds for one file
_LARGEST = 60_000  # bytes of a source that is mutated
_TOKENS = (
    b"{",
    b"}",
    b"(",
    b")",
    b'"',
    b"'",
    b'"""',
    b"/*",
    b"*/",
    b"#",
    b"\\",
    b"\n",
    b"\t",
    b"<",
)
_ODD = (b"\x00", b"\xff\xfe", b"\xc3", b"\xe2\x80\xa8", b"\x1f", b"\r\n", "…é漢".encode())


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one to eight places cut, doubled, swapped or broken."""
    for _ in range(chance.randrange(1, 9)):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 2, 8, 40, 300)))
        match chance.randrange(6):
            case 0:
                data = data[:at] + data[end:]
            case 1:
                data = data[:end] + data[at:]
            case 2:
                data = data[:at] + chance.choice(_TOKENS) * chance.choice((1, 1, 2, 50)) + data[at:]
            case 3:
                data = data[:at] + chance.choice(_ODD) + data[at:]
            case 4:
                data = data[:at] + bytes(reversed(data[at:end])) + data[end:]
            case _:
                other = chance.randrange(len(data) + 1)
                data = data[:at] + data[other : other + end - at] + data[end:]
    return data


def broken_rule(path: str, language: str, data: bytes) -> str:
    """The rule that the facts of these bytes break; "" for none."""
    began = time.process_time()
    facts = extract(path, language, data)
    if time.process_time() - began > _LONGEST:
        return f"took {time.process_time() - began:.1f} s"
    if decode(encode(facts)) != facts:
        return "stored facts come back as others"
    symbol_documents(path, facts, data)
    chunk_documents(path, facts, data)
    sketches(facts, range(len(facts.symbols)))
    return _misplaced(facts, len(data), data.count(b"\n") + 1)


def _misplaced(facts: FileFacts, size: int, lines: int) -> str:
    for at, symbol in enumerate(facts.symbols):
        if not 0 <= symbol.start_byte <= symbol.end_byte <= size:
            return f"{symbol.qualname!r} lies outside the file"
        if not 1 <= symbol.start_line <= symbol.end_line <= lines:
            return f"{symbol.qualname!r} has lines outside the file"
        if at and not 0 <= symbol.parent < len(facts.symbols):
            return f"{symbol.qualname!r} has no parent"
    for reference in facts.references:
        if not (0 <= reference.scope < len(facts.symbols) and 1 <= reference.line <= lines):
            return f"the use of {reference.name!r} lies outside the file"
    return ""


def attempt(file: SourceFile, repo: Path, seed: int, rule: Callable[..., str]) -> str:
    """Try one mutation of one file; returns what went wrong, "" for nothing."""
    data = mutated((repo / file.path).read_bytes(), random.Random(seed))
    try:
        return rule(file.path, file.language, data)
    except RecursionError:
        return ""  # reported as a skip reason
    except Exception as error:  # whatever it is, it is a finding
        return f"{type(error).__name__}: {error}"


def main() -> int:
    """Mutate until time is up; 1 if a rule was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repos", nargs="+", metavar="REPO")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = [
        (file, Path(repo))
        for repo in options.repos
        for file in discover(Path(repo), DiscoverRules()).files
        if file.size <= _LARGEST
    ]
    until = time.monotonic() + options.seconds
    seed, failures = options.seed, 0
    while files and time.monotonic() < until:
        file, repo = random.Random(seed).choice(files)
        if wrong := attempt(file, repo, seed, broken_rule):
            failures += 1
            print(f"seed {seed}: {file.path}: {wrong}")
        seed += 1
    print(f"{seed - options.seed} mutated files, {failures} broke a rule")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
