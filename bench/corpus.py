"""Locate the repositories of the cases: materialised folders, mirrors, work folders."""

from __future__ import annotations

import collections
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import snapshot
from bench.data import PROJECT, Case, LocalizationCase, SearchCase
from bench.pins import PINS, Pin, in_sweep_benchmark

DEFAULT_CORPUS = PROJECT / ".corpus"

_LANGUAGES = {
    ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".cs": "csharp",
    ".go": "go", ".java": "java", ".js": "javascript", ".jsx": "javascript", ".kt": "kotlin",
    ".php": "php", ".py": "python", ".rb": "ruby", ".rs": "rust", ".scala": "scala",
    ".swift": "swift", ".ts": "typescript", ".tsx": "typescript",
}  # fmt: skip


class CorpusError(Exception):
    """A case's repository cannot be found; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A folder of materialised commits and the mirrors they come from."""

    root: Path
    mirrors: Path

    @classmethod
    def at(cls, root: str | None, mirrors: str | None) -> Corpus:
        """The corpus at a folder (default .corpus/), with its mirrors beside it unless given."""
        folder = Path(root) if root else DEFAULT_CORPUS
        return cls(folder.absolute(), Path(mirrors).absolute() if mirrors else folder / "mirrors")

    def mirror(self, repo: str) -> Path:
        """The git directory of owner/name, ignoring case."""
        wanted = repo.replace("/", "+").lower()
        folders = sorted(self.mirrors.iterdir()) if self.mirrors.is_dir() else []
        for folder in folders:
            if folder.name.lower() == wanted:
                inner = folder / "repo"
                return next((at for at in (inner / ".git", inner) if at.is_dir()), folder)
        raise CorpusError(
            f"no clone of {repo} under {self.mirrors}: "
            f"pass --mirror DIR or run `python -m bench corpus --clone`"
        )

    def folder(self, case: Case) -> Path:
        """The folder a case runs on, materialised if it is not there yet."""
        kept = self.kept(case)
        if kept is not None:
            return kept
        pin = pin_of(case)
        if pin is None:
            raise CorpusError(
                f"no folder {self.root / _last_part(case.repo)} and no commit known for "
                f"'{case.repo}'"
            )
        destination = self.root / _folder_name(pin, case)
        missing = snapshot.materialise(
            self.mirror(pin.repo), pin.commit, destination, _filter(case)
        )
        _tell_missing(missing, destination.name)
        return destination

    def kept(self, case: Case) -> Path | None:
        """The folder of a case, if the corpus already has one."""
        named = self.root / _last_part(case.repo)
        whole = not isinstance(case, SearchCase) and case.repo != "sweep"
        if whole and named.is_dir() and _stands_for(named, case):
            return named
        pin = pin_of(case)
        pinned = self.root / _folder_name(pin, case) if pin else None
        return pinned if pinned and pinned.is_dir() else None

    def clone(self, repo: str, url_base: str) -> Path:
        """A bare clone of owner/name below the mirrors, created if it is not there yet."""
        try:
            return self.mirror(repo)
        except CorpusError:
            destination = self.mirrors / repo.replace("/", "+") / "repo"
            destination.parent.mkdir(parents=True, exist_ok=True)
            url = f"{url_base.rstrip('/')}/{repo}"
            done = subprocess.run(["git", "clone", "-q", "--bare", url, str(destination)])
            if done.returncode:
                raise CorpusError(f"could not clone {url}") from None
            return destination


def pin_of(case: Case) -> Pin | None:
    """The repository and commit of a case; None if neither data nor pins know it."""
    if case.commit:
        return Pin(case.repo, case.commit)
    return PINS.get(case.repo)


def _last_part(repo: str) -> str:
    return repo.rsplit("/", 1)[-1]


def _stands_for(folder: Path, case: Case) -> bool:
    """Whether a folder named after a repository is the one a case means.

    Its history gives the commit. Without history it is accepted by name, except for localisation
    cases, each of which has its own commit.
    """
    if not case.commit:
        return True
    if not (folder / ".git").exists():
        return not isinstance(case, LocalizationCase)
    head = snapshot.git(folder, "rev-parse", "HEAD", bare=False).decode().strip()
    return head.startswith(case.commit.lower())


def _tell_missing(missing: int, name: str) -> None:
    """Warn that an incomplete clone is not the commit that should be measured."""
    if missing:
        print(f"{name}: files that the clone lacks, left out: {missing}", file=sys.stderr)


def _folder_name(pin: Pin, case: Case) -> str:
    name = f"{pin.repo.replace('/', '__')}@{pin.commit[:12]}"
    if isinstance(case, SearchCase) and case.root:
        return f"{name}+{case.root.replace('/', '+')}"
    return f"{name}+benchmark" if case.repo == "sweep" else name


def _filter(case: Case) -> snapshot.Keep | None:
    if case.repo == "sweep":
        return in_sweep_benchmark
    if isinstance(case, SearchCase) and case.root:
        prefix = case.root + "/"
        return lambda path: path.startswith(prefix)
    return None


@contextmanager
def places(
    corpus: Corpus, cases: Sequence[Case], scratch: Path
) -> Iterator[Iterator[tuple[Path, list[Case]]]]:
    """Folders with the cases that run on them.

    Cases with their own commits share one work folder per repository, which moves from commit to
    commit in order of time, so that an incremental index pays only for what changed.
    """
    with TemporaryDirectory(prefix="work-", dir=scratch) as work:
        moving = [
            case for case in cases if isinstance(case, LocalizationCase) and not corpus.kept(case)
        ]
        fixed = [case for case in cases if case not in moving]

        def walk() -> Iterator[tuple[Path, list[Case]]]:
            for group in _grouped(fixed, _place):
                yield corpus.folder(group[0]), group
            for group in _grouped(moving, lambda case: case.repo):
                yield from _through_history(corpus, group, Path(work))

        yield walk()


def _through_history(
    corpus: Corpus, cases: Sequence[Case], work: Path
) -> Iterator[tuple[Path, list[Case]]]:
    repo = cases[0].repo
    git_dir = corpus.mirror(repo)
    folder = work / repo.replace("/", "__")
    by_commit = _grouped(cases, lambda case: case.commit)
    by_commit.sort(key=lambda group: (snapshot.commit_time(git_dir, group[0].commit), group[0].id))
    previous, missing = "", 0
    for group in by_commit:
        commit = group[0].commit
        if previous:
            missing += snapshot.switch(git_dir, previous, commit, folder)
        else:
            missing += snapshot.materialise(git_dir, commit, folder)
        previous = commit
        yield folder, group
    _tell_missing(missing, repo)


def _grouped(cases: Sequence[Case], key: Callable[[Case], str]) -> list[list[Case]]:
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return list(groups.values())


def main_language(folder: Path) -> str:
    """The language of most code files in a folder."""
    counts = collections.Counter(
        _LANGUAGES[path.suffix]
        for path in folder.rglob("*")
        if path.suffix in _LANGUAGES and ".git" not in path.parts
    )
    return min(counts, key=lambda language: (-counts[language], language), default="")


def prepare(corpus: Corpus, cases: Iterable[Case], url_base: str | None) -> list[str]:
    """Fetch every repository of the cases; returns one line for each."""
    lines: dict[str, None] = {}
    for case in {_place(case): case for case in cases}.values():
        pin = pin_of(case)
        if pin is not None and url_base:
            corpus.clone(pin.repo, url_base)
        if isinstance(case, LocalizationCase) and not corpus.kept(case):
            lines[f"{case.repo}: clone at {corpus.mirror(case.repo)}"] = None
        else:
            lines[f"{case.repo}: {corpus.folder(case)}"] = None
    return list(lines)


def _place(case: Case) -> str:
    """Cases of one place run on one folder."""
    root = case.root if isinstance(case, SearchCase) else ""
    return f"{case.repo}@{case.commit}+{root}"
