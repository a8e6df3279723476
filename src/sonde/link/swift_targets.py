"""The modules that a Package.swift declares, and the folders that hold their files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sonde.link.chain import closing

_TARGET = re.compile(r"\.(target|executableTarget|testTarget|macro)\s*(?=\()")
_NAME = re.compile(r"\(\s*name:\s*\"([\w.-]+)\"")
_PATH = re.compile(r"\bpath:\s*\"([^\"]*)\"")
_INNER = re.compile(r"(?<=.)\([^()]*\)", re.DOTALL)  # what dependencies and settings are given
_LIBRARY, _TEST = "Sources", "Tests"  # where the files of a target without a path are


def swift_modules(folder: str, text: str) -> Iterator[tuple[str, str]]:
    """Each module and its folder."""
    for target in _TARGET.finditer(text):
        end = closing(text, target.end())
        given = text[target.end() : end] if end > 0 else ""
        name = _NAME.match(given)
        if name is None:
            continue
        written = _PATH.search(_INNER.sub("", given))
        home = _TEST if target[1] == "testTarget" else _LIBRARY
        place = written[1] if written is not None else f"{home}/{name[1]}"
        path = "/".join(part for part in f"{folder}/{place}".split("/") if part not in ("", "."))
        yield re.sub(r"[.-]", "_", name[1]), path
