"""Pairs of prose and code mined from a git directory: how people describe what they wrote.

Three sources: a docstring or comment and the code under it; a commit message and the functions
that the commit changed; the title of a test and its subject.
"""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sonde.discover.content import is_generated
from sonde.discover.kind import is_test, is_vendored
from sonde.discover.language import named
from sonde.extract import extract
from sonde.git import GitFailure
from sonde.history.log import read_log
from sonde.model import CALLABLE_KINDS, TYPE_KINDS, FileKind
from sonde.store.documents import symbol_documents
from training.titles import Case, Subjects, cases

_COMMITS = 3_000
_LARGEST = 300_000  # bytes of a file; larger ones are data or generated
_LEAST_WORDS, _MOST_TOUCHED = 3, 12
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z@])|\n\s*\n")
_TAGS = re.compile(r"^\s*[@:\\](?:param|return|throws|since|see|deprecated)\b.*", re.S | re.M)
_DOCSTRING = re.compile(rb'"""(?:[^"]|"(?!""))*"""|\'\'\'(?:[^\']|\'(?!\'\'))*\'\'\'')
_CHORES = re.compile(r"^(?:merge|bump|release|version|chore|style|ci|build|revert)\b", re.I)


class Pair(NamedTuple):
    """Prose, and the number of the document it is about."""

    source: str  # "doc", "commit" or "test"
    prose: str
    code: int


class Mined(NamedTuple):
    """For one repository: the documents of its functions and types, and pairs about them."""

    documents: tuple[tuple[str, ...], ...]
    pairs: tuple[Pair, ...]


def mine(git_dir: Path, commit: str) -> Mined:
    """All pairs of one repository at one commit."""
    documents: list[tuple[str, ...]] = []
    pairs: list[Pair] = []
    defined: dict[tuple[str, str], list[int]] = {}
    titled: list[Case] = []
    for path, language, data in _sources(git_dir, commit):
        facts = extract(path, language, data)
        tests = is_test(path, language)
        if tests or language == "rust":  # Rust tests are beside the code
            titled.extend(cases(path, facts, data))
        if tests:
            continue
        if language == "python":  # or the code would repeat the prose
            data = _DOCSTRING.sub(lambda found: b" " * len(found[0]), data)
        texts = symbol_documents(path, facts, data)
        for symbol, text in zip(facts.symbols, texts, strict=True):
            if symbol.kind not in CALLABLE_KINDS and symbol.kind not in TYPE_KINDS:
                continue
            defined.setdefault((path, symbol.name), []).append(len(documents))
            if prose := said(symbol.doc):
                pairs.append(Pair("doc", prose, len(documents)))
            documents.append(tuple(text))
    pairs.extend(_commits(git_dir, commit, defined))
    pairs.extend(_tests(titled, defined))
    return Mined(tuple(documents), tuple(pairs))


def said(doc: str) -> str:
    """The opening of a documentation text; "" if it says next to nothing."""
    sentences = _SENTENCE.split(_TAGS.sub("", doc).strip())
    prose = " ".join(sentences[:2])[:300].strip()
    return prose if len(prose.split()) >= _LEAST_WORDS else ""


def _commits(
    git_dir: Path, commit: str, defined: dict[tuple[str, str], list[int]]
) -> Iterator[Pair]:
    log = read_log(git_dir, commit, 0, _COMMITS, 120.0)
    if isinstance(log, GitFailure):
        return
    for each in log.commits:
        changed = [(path, name) for path, names in each.touched for name in names]
        if len(each.subject.split()) < _LEAST_WORDS or _CHORES.match(each.subject):
            continue
        if not 1 <= len(changed) <= _MOST_TOUCHED:
            continue
        for key in changed:
            numbers = defined.get(key, [])
            if len(numbers) == 1:
                yield Pair("commit", each.subject, numbers[0])


def _tests(titled: list[Case], defined: dict[tuple[str, str], list[int]]) -> Iterator[Pair]:
    subjects = Subjects(
        (path, name, number) for (path, name), numbers in defined.items() for number in numbers
    )
    for case in titled:
        number = subjects.of(case)
        if number is not None:
            yield Pair("test", case.title, number)


def _sources(git_dir: Path, commit: str) -> Iterator[tuple[str, str, bytes]]:
    """Path, language and content of each hand-written source file, including tests."""
    git = ("git", f"--git-dir={git_dir}")
    listing = subprocess.run(
        (*git, "ls-tree", "-r", "-z", "-l", commit), capture_output=True, check=True
    ).stdout
    wanted = []
    for entry in sorted(filter(None, listing.split(b"\0")), key=lambda line: line.split(b"\t")[1]):
        about, _, raw = entry.partition(b"\t")
        mode, kind, name, size = about.split()
        path = raw.decode("utf-8", "replace")
        guess = named(path.rpartition("/")[2])
        if kind != b"blob" or mode == b"120000" or not size.isdigit() or guess is None:
            continue
        if int(size) > _LARGEST or guess.kind is not FileKind.SOURCE or guess.reason is not None:
            continue
        if not is_vendored(path):
            wanted.append((name, path, guess.language))
    names = b"".join(name + b"\n" for name, _, _ in wanted)
    contents = io.BytesIO(
        subprocess.run(
            (*git, "cat-file", "--batch"), input=names, capture_output=True, check=True
        ).stdout
    )
    for _, path, language in wanted:
        heading = contents.readline().split()
        if heading[-1] == b"missing":  # of a partial clone
            continue
        data = contents.read(int(heading[2]))
        contents.read(1)
        if not is_generated(data[:4096]):
            yield path, language, data
