"""A folder with a model: its files, its name by content, and how much text it takes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sonde.neural.weights import weight_files

GRAPH = "model.onnx"
TOKENIZER = "tokenizer.json"
# Version of `symbol_text`; raised with it, as vectors of different texts do not compare.
_WORDING = 1
# Tokens. A function's name, purpose and signature are at its beginning, and twice the text takes
# twice the time; see docs/neural.md.
_MOST_TOKENS = 128
_BLOCK = 1 << 20


def models_folder(cache: Path) -> Path:
    """Where `sonde model fetch` puts models."""
    return cache / "models"


def find_folder(chosen: str, cache: Path) -> Path:
    """The folder that a setting names: a path, or that of a fetched model."""
    named = models_folder(cache) / chosen
    is_name = "/" not in chosen and chosen not in (".", "..")
    return named if is_name and named.is_dir() else Path(chosen).expanduser().absolute()


def missing_file(folder: Path) -> str:
    """The file that a folder lacks to be a model; "" when it is one."""
    return next((name for name in (GRAPH, TOKENIZER) if not (folder / name).is_file()), "")


def model_files(folder: Path) -> list[Path]:
    """The files that decide what a model says: graph, weights beside it, tokenizer."""
    graph = folder / GRAPH
    return [graph, *weight_files(graph), folder / TOKENIZER]


def digest(folder: Path) -> str:
    """The content of a model and how we use it, as one name."""
    whole = hashlib.blake2b(f"{_WORDING} {token_limit(folder)}".encode(), digest_size=12)
    for path in model_files(folder):
        part = hashlib.blake2b()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                part.update(block)
        whole.update(os.fsencode(path.relative_to(folder)) + part.digest())
    return whole.hexdigest()


def token_limit(folder: Path) -> int:
    """How many tokens of a text the model reads: what its files allow, but no more than pays."""
    return min([_MOST_TOKENS, *_stated_limits(folder)])


def _stated_limits(folder: Path) -> Iterator[int]:
    truncation = _json(folder / TOKENIZER).get("truncation")
    stated = [
        truncation.get("max_length") if isinstance(truncation, dict) else None,
        _json(folder / "sentence_bert_config.json").get("max_seq_length"),
        _json(folder / "config.json").get("max_position_embeddings"),
    ]
    yield from (limit for limit in stated if isinstance(limit, int) and limit > 2)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
