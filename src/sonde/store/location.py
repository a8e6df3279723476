"""Where an index lives: the user's cache folder, never the repository."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from sonde.frozen import frozen
from sonde.store.git_folder import common_git_dir

_IN_CACHE = ("workspaces", "facts", "embeddings", "models")


@frozen
class Workspace:
    """A folder to be indexed, and the cache folder that holds its index."""

    root: Path  # resolved
    cache: Path
    overlay: Path | None = None  # unsaved buffers; its index lives beside it, not with the disk's

    @property
    def name(self) -> str:
        """Folder name and a hash of the whole path: readable, and unique per place."""
        readable = re.sub(r"[^A-Za-z0-9._-]+", "-", self.root.name).strip("-.") or "root"
        return f"{readable[:40]}-{_digest(os.fsencode(self.root))}"

    @property
    def folder(self) -> Path:
        """Holds everything of this workspace that cannot be shared."""
        return self.home if self.overlay is None else self.overlay.parent

    @property
    def home(self) -> Path:
        """Holds what outlives unsaved buffers: sessions, feedback, figures."""
        return self.cache / "workspaces" / self.name

    @property
    def database(self) -> Path:
        """The SQLite file with files, symbols and links."""
        return self.folder / "index.db"

    @property
    def fulltext(self) -> Path:
        """The writer's full-text folder and one snapshot per generation."""
        return self.folder / "fulltext"

    @property
    def arrays(self) -> Path:
        """One folder of graph arrays per generation."""
        return self.folder / "arrays"

    @property
    def history(self) -> Path:
        """The SQLite file with the commits that led to what is checked out."""
        return self.folder / "history.db"

    @property
    def relinking(self) -> Path:
        """A temporary copy of the tables, from which workers link while a change is written."""
        return self.folder / "relinking.db"

    @property
    def sessions(self) -> Path:
        """One file for each session with an agent."""
        return self.home / "sessions"

    @property
    def vectors(self) -> Path:
        """The symbols' vectors by a model that the user chose."""
        return self.home / "vectors"

    @property
    def sighting(self) -> Path:
        """What the disk looked like when it was last found equal to the index."""
        return self.folder / "sighting"

    @property
    def lock(self) -> Path:
        """The writer's advisory lock."""
        return self.folder / "writer.lock"

    @property
    def facts(self) -> Path:
        """Facts by content, shared by all worktrees and branches of one repository."""
        shared = common_git_dir(self.root) or self.root
        return self.cache / "facts" / f"{_digest(os.fsencode(shared))}.db"


def own_folders(cache: Path) -> frozenset[str]:
    """The folders in a cache that hold what Sonde keeps."""
    inside = os.path.realpath(cache)
    return frozenset(f"{inside}/{name}" for name in _IN_CACHE)


def workspace_root(folder: Path) -> Path:
    """The nearest folder around this one that holds a repository, else the folder itself."""
    start = folder.absolute()
    around = (start, *start.parents)
    return next((each for each in around if os.path.exists(each / ".git")), start)


def workspace(root: Path, cache: Path, overlay: Path | None = None) -> Workspace:
    """The workspace of a folder, symlinks resolved."""
    return Workspace(Path(os.path.realpath(root)), cache, overlay)


def _digest(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=6).hexdigest()
