"""Write commits of a git directory into folders, with a history that ends at the commit.

Works on bare and partial clones: blobs that are missing are left out and counted.
Symlinks, submodules and files over 2 MB are left out too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

_MAX_BYTES = 2_000_000
_SYMLINK = b"120000"
_EXECUTABLE = b"100755"

Keep = Callable[[str], bool]


class GitError(Exception):
    """A git command failed; the message is for the user."""


class Entry(NamedTuple):
    """A file of a commit."""

    path: str
    sha: bytes
    executable: bool


def git(directory: Path, *arguments: str, bare: bool = True) -> bytes:
    """Output of a git command on a git directory (or a work tree)."""
    place = f"--git-dir={directory}" if bare else f"--work-tree={directory}"
    command = ["git", place, *arguments]
    if not bare:
        command.insert(1, f"--git-dir={directory / '.git'}")
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitError(f"git {arguments[0]} in {directory}: {reason[-1] if reason else 'failed'}")
    return done.stdout


def entries(git_dir: Path, commit: str) -> dict[str, Entry]:
    """The regular files of a commit that are small enough, by path."""
    found = {}
    for line in filter(None, git(git_dir, "ls-tree", "-r", "-z", "-l", commit).split(b"\0")):
        meta, raw_path = line.split(b"\t", 1)
        mode, kind, sha, size = meta.split()
        # A missing blob has no size; it is requested anyway and counted if absent.
        small = not size.isdigit() or int(size) <= _MAX_BYTES
        if kind == b"blob" and mode != _SYMLINK and small:
            path = os.fsdecode(raw_path)
            found[path] = Entry(path, sha, mode == _EXECUTABLE)
    return found


def write(git_dir: Path, wanted: Sequence[Entry], destination: Path) -> int:
    """Write entries below a folder; returns how many blobs the clone lacked."""
    process = subprocess.Popen(
        ["git", f"--git-dir={git_dir}", "cat-file", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, process.stdout

    def feed() -> None:
        with stdin:
            stdin.writelines(entry.sha + b"\n" for entry in wanted)

    # Fed from a thread: git blocks on a full output pipe before it has read all its input.
    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    missing = 0
    for entry in wanted:
        header = stdout.readline().split()
        if header[-1] == b"missing":
            missing += 1
            continue
        data = stdout.read(int(header[2]))
        stdout.read(1)
        target = destination / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        if entry.executable:
            target.chmod(0o755)
    feeder.join()
    stdout.close()
    process.wait()
    return missing


def materialise(git_dir: Path, commit: str, destination: Path, keep: Keep | None = None) -> int:
    """Write a commit (or the files `keep` accepts) into a new folder; returns missing blobs."""
    full = full_commit(git_dir, commit)
    wanted = [e for e in entries(git_dir, full).values() if keep is None or keep(e.path)]
    if keep is not None and not wanted:
        raise GitError(f"commit {commit} in {git_dir} has no file in the part that is measured")
    partial = destination.with_name(destination.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    missing = write(git_dir, wanted, partial)
    link_history(git_dir, full, partial)
    partial.rename(destination)
    return missing


def link_history(git_dir: Path, commit: str, folder: Path) -> None:
    """Give a folder a .git that borrows the objects, with a history that ends at the commit."""
    if not (folder / ".git").exists():
        git(folder / ".git", "init", "-q", "--initial-branch=main")
        info = folder / ".git" / "objects" / "info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "alternates").write_text(f"{(git_dir / 'objects').resolve()}\n")
        git(folder / ".git", "config", "core.bare", "false")
    git(folder / ".git", "update-ref", "refs/heads/main", commit)
    git(folder / ".git", "symbolic-ref", "HEAD", "refs/heads/main")
    git(folder / ".git", "read-tree", "HEAD")


def switch(git_dir: Path, old: str, new: str, folder: Path) -> int:
    """Move a materialised folder to another commit, touching only what differs."""
    before, after = entries(git_dir, old), entries(git_dir, new)
    for path in before.keys() - after.keys():
        (folder / path).unlink(missing_ok=True)
        _remove_empty_parents(folder, Path(path).parent)
    changed = [entry for path, entry in after.items() if before.get(path) != entry]
    for entry in changed:
        (folder / entry.path).unlink(missing_ok=True)
    missing = write(git_dir, changed, folder)
    link_history(git_dir, new, folder)
    return missing


def _remove_empty_parents(folder: Path, relative: Path) -> None:
    while relative != Path("."):
        try:
            (folder / relative).rmdir()
        except OSError:
            return
        relative = relative.parent


def full_commit(git_dir: Path, commit: str) -> str:
    """The full hash of a commit that the clone must have."""
    try:
        return git(git_dir, "rev-parse", "--verify", f"{commit}^{{commit}}").decode().strip()
    except GitError as error:
        raise GitError(f"no commit {commit} in {git_dir}: fetch it, or clone again") from error


def commit_time(git_dir: Path, commit: str) -> int:
    """Committer time of a commit, in seconds."""
    full = full_commit(git_dir, commit)
    return int(git(git_dir, "show", "-s", "--format=%ct", full).decode().split()[-1])
