"""A workspace in use: resources that the first question opens and later ones share."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.answers.chosen_models import chosen_models, forget_vectors
from sonde.answers.outdated import told
from sonde.answers.pack_cache import PackCache, cache_key
from sonde.answers.state import Freshness, State
from sonde.config import Settings
from sonde.frozen import frozen
from sonde.lately import forget_remembered
from sonde.store.errors import Problem, StoreError
from sonde.store.generation import remove_history, remove_index
from sonde.store.index import Index
from sonde.store.location import Workspace, workspace
from sonde.store.lock import writer_lock

if TYPE_CHECKING:
    from sonde.answers.elsewhere import Asked
    from sonde.answers.packing import Options
    from sonde.answers.results import Answer, Failure
    from sonde.neural.models import Models
    from sonde.store.status import Status
    from sonde.sync.update import Synchronizer


_PATIENCE = 5.0  # seconds to wait for another writer before an index is removed


@frozen
class Opening:
    """How a workspace is to be used."""

    synchronizer: Callable[..., Synchronizer]
    overlay: Path | None
    patient: bool


@frozen
class Opened:
    """The settings, index, cached packs and models of one workspace."""

    settings: Settings
    workspace: Workspace
    synchronizer: Synchronizer
    freshness: Freshness
    packs: PackCache
    models: Models | None  # larger ones, if the user chose any

    def rest(self) -> None:
        """Release memory until the next question or edit."""
        forget_remembered()
        self.packs.rest()
        self.freshness.rest()
        self.synchronizer.rest()

    def close(self) -> None:
        """Close all files and stop the workers."""
        self.freshness.close()
        self.synchronizer.close()
        if self.models is not None:
            self.models.close()

    def forget(self) -> Problem | None:
        """Remove the index; facts shared with other worktrees stay."""
        if self.workspace.folder.exists():
            try:
                # Whoever writes would go on to write what nobody removes again.
                with writer_lock(self.workspace.lock, _PATIENCE):
                    remove_index(self.workspace)
            except StoreError as error:
                return error.problem
        # Commits, answers and sessions hold text of the workspace too.
        self.packs.clear()
        remove_history(self.workspace)
        shutil.rmtree(self.workspace.sessions, ignore_errors=True)
        return forget_vectors(self.settings, self.workspace)

    def discard(self) -> Problem | None:
        """Remove an index that turned out to be damaged, so that the next sync rebuilds it.

        Commits go with it: an error does not tell in which database it was found.
        """
        self.close()
        try:
            with writer_lock(self.workspace.lock, _PATIENCE):
                remove_index(self.workspace)
                remove_history(self.workspace)
        except StoreError as error:
            return error.problem
        return None

    def status(self) -> Status | Problem:
        """What the index currently holds, without looking at the disk."""
        index = Index.open(self.workspace)
        if isinstance(index, Problem):
            return index
        try:
            return index.status()
        finally:
            index.close()

    def kept(
        self,
        question: str,
        words: Sequence[str],
        options: Options,
        answer: Callable[[State], Answer | Failure],
    ) -> Answer | Failure:
        """The cached answer while its inputs are unchanged, else a new one."""
        state = self.freshness.state()
        if isinstance(state, Problem):
            return state
        key = cache_key(question, words, options, self.models)
        return told(self.packs.kept(key, state, answer), state)

    def for_elsewhere(self, task: str, options: Options) -> Asked | Answer | None:
        """What to ask another process, or the cached answer; None if the state is not all on disk.

        The caller asks it, so that others can have their turn meanwhile.
        """
        if self.models or self.workspace.overlay or self.freshness.held:
            return None
        state = self.freshness.state()
        if isinstance(state, Problem) or state.stale or state.indexed_share < 1.0:
            return None
        if state.view.unread is not None:  # the answer has to say so
            return None
        from sonde.answers.elsewhere import Asked

        key = cache_key("task", (task,), options)
        kept = self.packs.get(key, state)
        if kept is not None:
            return kept
        view = state.view
        return Asked(task, options, key, view.index.generation, view.history is not None)


def open_workspace(root: Path, opening: Opening, settings: Settings) -> Opened:
    """Assemble what questions about a folder need; nothing of it is read yet."""
    place = workspace(root, settings.cache, opening.overlay)
    models = chosen_models(settings, place, behind=not opening.patient)
    return _assembled(settings, opening, place, models)


def open_again(opened: Opened, opening: Opening, settings: Settings) -> Opened:
    """The same workspace under other settings; models are not for its files to choose."""
    opened.freshness.close()
    opened.synchronizer.close()
    return _assembled(settings, opening, opened.workspace, opened.models)


def _assembled(
    settings: Settings, opening: Opening, place: Workspace, models: Models | None
) -> Opened:
    synchronizer = opening.synchronizer(place, settings.rules, settings.workers)
    freshness = Freshness(place, settings.rules, synchronizer, models, patient=opening.patient)
    packs = PackCache(place.folder / "answers")
    return Opened(settings, place, synchronizer, freshness, packs, models)
