"""Engines whose user chose models."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.neural import models
from sonde.neural.onnx_model import load_model


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


def slow_to_load(monkeypatch: pytest.MonkeyPatch, only: Path | None = None) -> threading.Event:
    """From now on models, or one of them, are not loaded before this is set."""
    may_load = threading.Event()

    def slow(folder: Path, threads: int) -> object:
        if only in (None, folder):
            may_load.wait(20.0)
        return load_model(folder, threads)

    monkeypatch.setattr(models, "load_model", slow)
    return may_load
