"""A workspace whose index is opened when first needed, kept fresh, and rebuilt when damaged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, RLock
from typing import TYPE_CHECKING, TypeVar

from sonde.answers.chosen_models import embed_workspace, embedded_so_far
from sonde.answers.chosen_settings import ChosenSettings
from sonde.answers.opened import Opened, Opening, open_again, open_workspace
from sonde.config import ConfigProblem, Settings
from sonde.store.errors import Problem, ProblemKind, is_damage
from sonde.store.location import Workspace, workspace_root
from sonde.sync.report import silent
from sonde.sync.update import Synchronizer

if TYPE_CHECKING:
    from typing import Self

    from sonde.neural.embed import Embedded
    from sonde.store.status import Status
    from sonde.sync.report import ProgressCallback, SyncReport
    from sonde.sync.watch import Watched

T = TypeVar("T")


class Indexed:
    """Everything about a workspace's index but the questions that it answers.

    Threads may share it: their questions take turns, as each may replace the generation that
    another one reads. What only keeps the index fresh (`sync`, `watch`) goes on beside them.
    """

    def __init__(
        self,
        root: str | Path = ".",
        settings: Settings | None = None,
        synchronizer: Callable[..., Synchronizer] = Synchronizer,
        overlay: Path | None = None,
        *,
        patient: bool = True,
    ) -> None:
        """The workspace around a folder. Nothing is read before the first question.

        `synchronizer` keeps the index fresh; a server passes one that works in the background.
        Files below `overlay` replace those of the workspace, in an index of their own.
        Unless `patient` is false, questions wait for a chosen model to load and for new commits.
        """
        self.root = workspace_root(Path(root))
        self._chosen = ChosenSettings(self.root, settings)  # None: its files, the environment
        self._opening = Opening(synchronizer, overlay, patient)
        self._opened: Opened | None = None
        self._turn = RLock()

    def sync(self, progress: ProgressCallback = silent) -> SyncReport | Problem:
        """Make the index equal to the disk, waiting for another writer if need be."""
        opened = self._open()
        return opened if isinstance(opened, Problem) else opened.synchronizer.sync(progress)

    def learn(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """Read all usable history, not only the newest part; False if `stop` ended it."""
        opened = self._open()
        return isinstance(opened, Problem) or opened.freshness.learn(stop)

    @property
    def embeds(self) -> bool:
        """Whether the user chose a model for `embed` to run over the symbols."""
        opened = self._open()
        return not isinstance(opened, Problem) and opened.settings.embedding_model is not None

    @property
    def workers(self) -> int:
        """How many processes may work for this workspace at once."""
        opened = self._open()
        return 1 if isinstance(opened, Problem) else opened.settings.workers or os.cpu_count() or 1

    def embed(
        self,
        progress: ProgressCallback = silent,
        first: Sequence[str] = (),
        stop: Callable[[], bool] = lambda: False,
    ) -> Embedded | Problem:
        """Embed what the chosen model has not embedded yet, `first` some files, until `stop`."""
        opened = self._open()
        if isinstance(opened, Problem):
            return opened
        return embed_workspace(opened.workspace, opened.models, first, stop, progress)

    def embedded(self) -> Embedded | Problem | None:
        """How much of the index `embed` has done so far; None if no model was chosen."""
        opened = self._open()
        if isinstance(opened, Problem):
            return opened
        return embedded_so_far(opened.workspace, opened.models)

    def status(self) -> Status | Problem:
        """What the index currently holds, without looking at the disk."""
        return self._undamaged(lambda opened: opened.status())

    def place(self) -> Workspace | Problem:
        """Where the workspace and its index are."""
        opened = self._opened or self._open()  # no file of the workspace says where
        return opened if isinstance(opened, Problem) else opened.workspace

    def watch(self, stop: Event, notify: Callable[[Watched], None]) -> Problem | None:
        """Sync now and after every change on disk, until `stop` is set."""
        from sonde.sync.watch import watch

        opened = self._open()
        if isinstance(opened, Problem):
            return opened
        watch(opened.workspace, self._sync_behind, stop, notify)
        return None

    def _sync_behind(self) -> SyncReport | Problem:
        """A sync in no hurry, with the settings as they are at its end."""
        while True:
            opened = self._open()
            if isinstance(opened, Problem):
                return opened
            result = opened.synchronizer.sync()
            if self._opened is opened or self._opened is None:
                return result

    @contextmanager
    def hold(self) -> Iterator[Problem | None]:
        """Questions inside see one state of the disk, which is checked once, for a batch."""
        with self._turn:
            opened = self._open()
            problem = opened if isinstance(opened, Problem) else opened.freshness.hold()
        if isinstance(opened, Problem):
            yield problem
            return
        try:
            yield problem  # without the turn: whoever holds may ask from other threads
        finally:
            opened.freshness.release()

    def forget(self) -> Problem | None:
        """Remove the workspace's index; facts shared with other worktrees stay."""
        opened = self._opened or self._open()
        if isinstance(opened, Problem):
            return None
        with self._turn:
            self.close()
            return opened.forget()

    def rest(self) -> None:
        """Release memory until the next question or edit; for an idle process."""
        with self._turn:
            if self._opened is not None:
                self._opened.rest()

    def close(self) -> None:
        """Close all files and stop the workers; the next question reopens them."""
        with self._turn:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _open(self) -> Opened | Problem:
        """What questions need, opened anew when the settings have changed."""
        known = self._opened
        if known is not None and not self._chosen.changed:  # without the turn: another may have it
            return known
        with self._turn:
            opened = self._opened
            if opened is not None and (opened.freshness.held or not self._chosen.changed):
                return opened
            settings = self._chosen.read()
            if isinstance(settings, ConfigProblem):
                return Problem(ProblemKind.BAD_SETTINGS, settings.message)
            if opened is None:
                opened = open_workspace(self.root, self._opening, settings)
            elif settings != opened.settings:
                opened = open_again(opened, self._opening, settings)
            self._opened = opened
            return opened

    def _in_turn(self, work: Callable[[Opened], T]) -> T | Problem:
        """The result of some work on the generation that questions share."""
        with self._turn:
            return self._undamaged(work)

    def _undamaged(self, work: Callable[[Opened], T]) -> T | Problem:
        """The result of some work; if it finds the index damaged, remove the index and retry."""
        opened = self._open()
        if isinstance(opened, Problem):
            return opened
        try:
            return work(opened)
        except Exception as error:
            if not is_damage(error):
                raise
        with self._turn:
            if self._opened is opened:  # another thread may have met the damage as well
                self._opened = None
                if (problem := opened.discard()) is not None:
                    return problem
            again = self._open()
            return again if isinstance(again, Problem) else work(again)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
