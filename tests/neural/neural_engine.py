"""Engines whose user chose models."""

from __future__ import annotations

from pathlib import Path

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine


def over(
    root: Path,
    cache: Path,
    *,
    embedding: Path | None = None,
    reranking: Path | None = None,
    store: str = "",
    patient: bool = True,
) -> Engine:
    """An engine of a folder, with these models."""
    settings = Settings(
        cache,
        DiscoverRules(excludes_file=None),
        workers=1,
        embedding_model=embedding,
        reranking_model=reranking,
        vector_store=store,
    )
    return Engine(root, settings, patient=patient)
