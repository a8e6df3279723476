"""Check that everything Sonde needs is in place, and say what to do if not."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sonde.cli.console import Console, safe
from sonde.cli.opening import settings_of
from sonde.cli.outcome import ERROR, FOUND, Failure
from sonde.cli.parser import CommandParser
from sonde.store.errors import lacks_room
from sonde.store.location import Workspace, workspace

if TYPE_CHECKING:
    from sonde.config import Settings

USAGE = "[options]"
EXAMPLES = ("sonde doctor",)
_ROOM = 1 << 20  # bytes that the cache folder must have room for: a disk that is full takes files
_SECONDS = 10.0  # for a program to tell its version


class Finding(NamedTuple):
    """One thing that was checked. `advice` is empty when all is well."""

    name: str
    detail: str
    advice: str = ""
    needed: bool = True  # False: Sonde works without it, but less well


def configure(parser: CommandParser) -> None:
    """No arguments of its own."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print every finding; a needed thing that is missing is an error."""
    findings = list(_findings(arguments))
    broken = [each for each in findings if each.advice and each.needed]
    if arguments.json:
        console.json([{**each._asdict(), "ok": not each.advice} for each in findings])
        return ERROR if broken else FOUND
    for each in findings:
        sign = console.paint("ok  ", "green")
        if each.advice:
            sign = console.paint("BAD ", "red") if each.needed else console.paint("warn", "yellow")
        console.line(f"{sign} {each.name:9} {safe(each.detail)}")
        if each.advice:
            console.line(f"{'':15}→ {safe(each.advice)}")
    return ERROR if broken else FOUND


def _findings(arguments: argparse.Namespace) -> Iterator[Finding]:
    yield _python()
    yield _packages()
    yield _grammars()
    yield _program("ripgrep", _ripgrep, "reinstall sonde: text search needs the rg program")
    yield _program("git", lambda: shutil.which("git"), "install git: --pr and the history need it")
    yield from _index(arguments)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    advice = "" if sys.version_info >= (3, 11) else "install Python 3.11 or newer"
    return Finding("python", f"{version}, {sys.executable}", advice)


def _packages() -> Finding:
    """Everything that the installed package says it requires."""
    try:
        required = metadata.requires("sonde") or []
    except metadata.PackageNotFoundError:
        return Finding("packages", "sonde is not installed", "pip install sonde")
    missing = []
    names = [_name(line) for line in required if "extra ==" not in line]
    for name in names:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", f"missing: {', '.join(missing)}", "reinstall sonde")
    return Finding("packages", f"{len(names)} installed")


def _name(requirement: str) -> str:
    letters = (letter if letter.isalnum() or letter in "-_." else " " for letter in requirement)
    return "".join(letters).split()[0]


def _grammars() -> Finding:
    """Every language's grammar loads and its queries compile."""
    from sonde.extract import languages
    from sonde.extract.spec import load_query

    folder = Path(languages.__file__ or "").parent
    names = sorted(path.parent.name for path in folder.glob("*/__init__.py"))
    broken = []
    for name in names:
        try:
            load_query(name)
        except Exception as error:
            broken.append(f"{name} ({type(error).__name__})")
    if broken:
        return Finding("grammars", f"cannot load {', '.join(broken)}", "reinstall sonde")
    return Finding("grammars", f"{len(names)} load: {', '.join(names)}")


def _ripgrep() -> str | None:
    from sonde.retrieve.text import ripgrep

    return ripgrep()


def _program(name: str, find: Callable[[], str | None], advice: str) -> Finding:
    path = find()
    if path is None:
        return Finding(name, "not found", advice, needed=False)
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Finding(name, f"{path} does not run: {error}", advice, needed=False)
    return Finding(name, f"{done.stdout.splitlines()[0]}, {path}")


def _index(arguments: argparse.Namespace) -> Iterator[Finding]:
    try:
        root, settings = settings_of(arguments)
    except Failure as failure:
        yield Finding("settings", str(failure), "correct it, then run 'sonde doctor' again")
        return
    yield Finding("settings", "valid")
    if not os.access(root, os.R_OK | os.X_OK):
        yield Finding("folder", f"{root} cannot be read", "let its owner allow it (chmod u+rx)")
    yield from _models(settings)
    if settings.embedding_model is not None and settings.vector_store:
        yield _vectors(settings.vector_store)
    yield _cache(settings.cache)
    yield _opens(workspace(root, settings.cache))


def _models(settings: Settings) -> Iterator[Finding]:
    """The models that the user chose load, and are of the right kind."""
    chosen = {"embedding": settings.embedding_model, "reranking": settings.reranking_model}
    for name, folder in chosen.items():
        if folder is None:
            continue
        from sonde.neural.onnx_model import CrossEncoder, load_model
        from sonde.store.errors import Problem

        model = load_model(folder)
        if isinstance(model, Problem):
            yield Finding(name, model.message, "see 'sonde model --help'", needed=False)
        elif isinstance(model, CrossEncoder) != (name == "reranking"):
            advice = f"choose another by SONDE_{name.upper()}_MODEL"
            yield Finding(name, f"{folder} is a model of the other sort", advice, needed=False)
        else:
            yield Finding(name, f"{folder} loads")


def _vectors(store: str) -> Finding:
    """The server that holds the vectors answers, or their folder can be opened."""
    served = "://" in store
    advice = "start it" if served else "let only one process use it"
    advice += ", or change SONDE_VECTOR_STORE; until then its channel finds nothing"
    try:
        from sonde.neural.qdrant_store import reach
        from sonde.neural.vector_store import Unavailable
    except ImportError:
        missing = "pip install 'sonde[qdrant]'"
        return Finding("vectors", "Qdrant's client is not installed", missing, needed=False)
    if not served and not Path(store).exists():
        return Finding("vectors", f"none yet: 'sonde embed' makes {store}")
    try:
        reach(store)
    except Unavailable as error:
        return Finding("vectors", str(error), advice, needed=False)
    return Finding("vectors", f"{store} answers")


def _cache(cache: Path) -> Finding:
    """The cache folder can be written, or created."""
    advice = "make it writable, or choose another with SONDE_CACHE_DIR"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache) as file:
            file.write(bytes(_ROOM))
    except OSError as error:
        if lacks_room(error):
            advice = "make room, or choose another with SONDE_CACHE_DIR"
        return Finding("cache", f"{cache}: {error.strerror}", advice)
    free = shutil.disk_usage(cache).free
    return Finding("cache", f"{cache}, {free / 1e9:.1f} GB free")


def _opens(place: Workspace) -> Finding:
    """The index opens as it is and its bytes are those that were written; nothing is changed."""
    from sonde.store.errors import Problem, ProblemKind, StoreError
    from sonde.store.index import Index

    index = Index.open(place)
    if isinstance(index, Problem):
        if index.kind is ProblemKind.NO_INDEX:
            return Finding("index", f"none yet for {place.root}: the first question builds it")
        return Finding("index", index.message, "run 'sonde forget', then 'sonde index'")
    try:
        index.check()
    except StoreError as error:
        return Finding("index", error.problem.message, "run 'sonde index': it is built again")
    finally:
        index.close()
    return Finding("index", f"generation {index.generation} of {place.root} opens, and is sound")
