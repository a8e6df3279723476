"""Materialised commits: right files, a history that ends there, and quick moves between them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bench.corpus import Corpus, CorpusError, places, prepare
from bench.data import LocalizationCase, SearchCase, SymbolTask
from bench.pins import in_sweep_benchmark

from bench import snapshot


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def history(tmp_path: Path) -> tuple[Path, list[str]]:
    """Mirrors with one repository of three commits; returns them and the commits."""
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q")
    commits = []
    for number, files in enumerate(
        (
            {"lib/a.py": "a = 1\n", "docs/x.md": "x\n"},
            {"lib/a.py": "a = 2\n", "lib/deep/b.py": "b\n"},
            {"lib/c.py": "c\n"},
        )
    ):
        for path in work.rglob("*"):
            if path.is_file() and ".git" not in path.parts:
                path.unlink()
        for name, text in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        git(work, "add", "-A")
        git(work, "commit", "-qm", f"commit {number}", "--date", f"2024-01-0{number + 1}T00:00:00")
        commits.append(git(work, "rev-parse", "HEAD"))
    mirrors = tmp_path / "mirrors"
    git(tmp_path, "clone", "-q", "--bare", str(work), str(mirrors / "Owner+Name" / "repo"))
    return mirrors, commits


def files_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def localization(case_id: str, commit: str) -> LocalizationCase:
    return LocalizationCase(case_id, "owner/name", commit, "query", "python", (), ())


def test_history_ends_at_the_commit(history: tuple[Path, list[str]], tmp_path: Path) -> None:
    mirrors, commits = history
    folder = tmp_path / "out"
    snapshot.materialise(mirrors / "Owner+Name" / "repo", commits[1], folder)
    assert git(folder, "log", "--format=%s", "--all").splitlines() == ["commit 1", "commit 0"]
    assert git(folder, "status", "--porcelain") == ""


def test_moving_to_a_commit_equals_writing_it_afresh(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    git_dir = mirrors / "Owner+Name" / "repo"
    moved = tmp_path / "moved"
    snapshot.materialise(git_dir, commits[0], moved)
    for old, new in ((0, 1), (1, 2), (2, 0)):
        snapshot.switch(git_dir, commits[old], commits[new], moved)
        fresh = tmp_path / f"fresh{new}"
        snapshot.materialise(git_dir, commits[new], fresh)
        assert files_of(moved) == files_of(fresh)
        assert git(moved, "rev-parse", "HEAD") == commits[new]
    assert not (moved / "lib" / "deep").exists()


def test_moving_leaves_unchanged_files_alone(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    git_dir = mirrors / "Owner+Name" / "repo"
    folder = tmp_path / "out"
    snapshot.materialise(git_dir, commits[1], folder)
    before = (folder / "lib" / "a.py").stat().st_mtime_ns
    snapshot.switch(git_dir, commits[1], commits[1], folder)
    assert (folder / "lib" / "a.py").stat().st_mtime_ns == before


def test_missing_blobs_are_left_out_and_counted(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    git_dir = mirrors / "Owner+Name" / "repo"
    sha = git(git_dir, "rev-parse", f"{commits[1]}:lib/deep/b.py")
    loose = tmp_path / "loose"
    git(tmp_path, "clone", "-q", "--bare", "--no-local", str(git_dir), str(loose))
    pack = next((loose / "objects" / "pack").glob("*.pack"))
    moved = tmp_path / "moved.pack"
    pack.rename(moved)
    pack.with_suffix(".idx").unlink()
    with moved.open("rb") as stream:
        subprocess.run(["git", "-C", str(loose), "unpack-objects", "-q"], stdin=stream, check=True)
    (loose / "objects" / sha[:2] / sha[2:]).unlink()
    assert snapshot.materialise(loose, commits[1], tmp_path / "out") == 1
    assert files_of(tmp_path / "out") == {"lib/a.py": "a = 2\n"}


def test_cases_run_in_order_of_commit_time_in_one_folder(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    cases = [localization("late", commits[2]), localization("early", commits[0])]
    corpus = Corpus(tmp_path / "corpus", mirrors)
    seen = []
    with places(corpus, cases, tmp_path) as folders:
        for folder, group in folders:
            seen.append((folder, [case.id for case in group], sorted(files_of(folder))))
    assert [ids for _, ids, _ in seen] == [["early"], ["late"]]
    assert [files for *_, files in seen] == [["docs/x.md", "lib/a.py"], ["lib/c.py"]]
    assert len({folder for folder, *_ in seen}) == 1
    assert not seen[0][0].exists()


def test_search_cases_see_only_their_root(history: tuple[Path, list[str]], tmp_path: Path) -> None:
    mirrors, commits = history
    case = SearchCase("s", "owner/name", commits[0], "q", "python", "symbol", "lib", (), ())
    folder = Corpus(tmp_path / "corpus", mirrors).folder(case)
    assert sorted(files_of(folder)) == ["lib/a.py"]


def test_search_cases_of_one_commit_each_see_their_own_root(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    cases = [
        SearchCase(root, "owner/name", commits[0], "q", "python", "symbol", root, (), ())
        for root in ("lib", "docs")
    ]
    corpus = Corpus(tmp_path / "corpus", mirrors)
    assert len(prepare(corpus, cases, None)) == 2
    with places(corpus, cases, tmp_path) as folders:
        seen = [(len(group), group[0].id, *files_of(folder)) for folder, group in folders]
    assert seen == [(1, "lib", "lib/a.py"), (1, "docs", "docs/x.md")]


def test_a_root_without_files_is_refused_instead_of_measured_as_nothing(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    case = SearchCase("s", "owner/name", commits[0], "q", "python", "symbol", "none", (), ())
    with pytest.raises(snapshot.GitError, match="has no file in the part that is measured"):
        Corpus(tmp_path / "corpus", mirrors).folder(case)
    assert not list((tmp_path / "corpus").glob("*"))


def test_a_commit_that_the_clone_lacks_is_told(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, _ = history
    cases = [localization("x", "f" * 40)]
    corpus = Corpus(tmp_path / "corpus", mirrors)
    with (
        places(corpus, cases, tmp_path) as folders,
        pytest.raises(snapshot.GitError, match=f"no commit {'f' * 40} in"),
    ):
        list(folders)


def test_a_folder_at_another_commit_does_not_stand_for_the_case(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    corpus = Corpus(tmp_path / "corpus", mirrors)
    snapshot.materialise(mirrors / "Owner+Name" / "repo", commits[1], corpus.root / "name")
    there, elsewhere = (
        SymbolTask("t", "owner/name", commit, "q", "easy", ("A",)) for commit in commits[1::-1]
    )
    assert corpus.folder(there) == corpus.root / "name"
    assert files_of(corpus.folder(elsewhere)) == {"docs/x.md": "x\n", "lib/a.py": "a = 1\n"}


def test_a_commit_that_the_corpus_holds_needs_no_clone(
    history: tuple[Path, list[str]], tmp_path: Path
) -> None:
    mirrors, commits = history
    corpus = Corpus(tmp_path / "corpus", tmp_path / "none")
    folder = corpus.root / f"owner__name@{commits[2][:12]}"
    snapshot.materialise(mirrors / "Owner+Name" / "repo", commits[2], folder)
    case = localization("x", commits[2])
    with places(corpus, [case], tmp_path) as folders:
        assert list(folders) == [(folder, [case])]
    assert prepare(corpus, [case], None) == [f"owner/name: {folder}"]


def test_files_that_a_clone_lacks_are_told(
    history: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mirrors, commits = history
    work = tmp_path / "mirrors" / "Owner+Name" / "repo"
    sha = git(work, "rev-parse", f"{commits[0]}:lib/a.py")
    (work / "objects" / sha[:2] / sha[2:]).unlink()
    case = SearchCase("s", "owner/name", commits[0], "q", "python", "symbol", "", (), ())
    Corpus(tmp_path / "corpus", mirrors).folder(case)
    assert "files that the clone lacks, left out: 1" in capsys.readouterr().err


def test_a_folder_named_like_the_repository_is_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thing").mkdir()
    case = SymbolTask("t", "thing", "", "q", "easy", ("A",))
    assert Corpus(tmp_path, tmp_path / "mirrors").folder(case) == tmp_path / "thing"


def test_unknown_repository_says_what_to_do(tmp_path: Path) -> None:
    case = localization("x", "0" * 40)
    with pytest.raises(CorpusError, match="--mirror DIR"):
        Corpus(tmp_path, tmp_path / "none").mirror(case.repo)


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("sweepai/core/chat.py", True),
        ("sweepai/core/symbol_resolver.py", False),
        ("docs/conf.py", False),
        ("sweep_chat/app.py", False),
        ("README.md", False),
    ],
)
def test_sweep_benchmark_files(path: str, kept: bool) -> None:
    assert in_sweep_benchmark(path) is kept
