"""The larger models that a workspace's settings choose, and the vectors they made."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sonde.config import Settings
from sonde.store.errors import Problem, ProblemKind
from sonde.store.index import Index
from sonde.store.location import Workspace

# Imported lazily, so that only users who chose a model pay for it.
if TYPE_CHECKING:
    from sonde.neural.embed import Embedded
    from sonde.neural.models import Models
    from sonde.sync.report import ProgressCallback

_NONE_CHOSEN = "no embedding model is chosen: set SONDE_EMBEDDING_MODEL (see 'sonde model --help')"


def chosen_models(settings: Settings, place: Workspace, *, behind: bool) -> Models | None:
    """The models to use; `behind` if no question may wait for them."""
    if settings.embedding_model is None and settings.reranking_model is None:
        return None
    from sonde.neural.models import Choice, Models

    choice = Choice(settings.embedding_model, settings.reranking_model, settings.vector_store)
    return Models(choice, place, behind=behind)


def embed_workspace(
    place: Workspace,
    models: Models | None,
    first: Sequence[str],
    stop: Callable[[], bool],
    progress: ProgressCallback,
) -> Embedded | Problem:
    """Embed everything in the newest index that the store does not have yet."""
    if models is None or models.choice.embedding is None:
        return Problem(ProblemKind.BAD_SETTINGS, _NONE_CHOSEN)
    from sonde.neural.embed import embed

    index = Index.open(place)  # its own: this may not be the questions' thread
    if isinstance(index, Problem):
        return index
    try:
        return embed(index, models, first, stop, progress)
    finally:
        index.close()


def embedded_so_far(place: Workspace, models: Models | None) -> Embedded | Problem | None:
    """How much of the newest index is embedded; None without a model for that."""
    if models is None or not models.embeds:
        return None
    from sonde.neural.embed import Embedded

    known = models.files()
    if isinstance(known, Problem):
        return known
    index = Index.open(place)
    if isinstance(index, Problem):
        return index
    try:
        counts = index.meant_counts()
        files = [file for file in index.files() if known.get(file.path) == file.hash]
    finally:
        index.close()
    return Embedded(sum(counts.get(file.id, 0) for file in files), sum(counts.values()), 0)


def forget_vectors(settings: Settings, place: Workspace) -> Problem | None:
    """Remove a workspace's vectors; those keyed by text, which all workspaces share, stay."""
    shutil.rmtree(place.vectors, ignore_errors=True)
    if not settings.vector_store:
        return None
    from sonde.neural.qdrant_store import forget
    from sonde.neural.vector_store import Unavailable

    try:
        forget(settings.vector_store, place.name)
    except Unavailable as error:
        return Problem(ProblemKind.BAD_SETTINGS, str(error))
    return None
