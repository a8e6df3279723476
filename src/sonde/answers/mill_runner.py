"""The module of a Mill build that tests belong to, and the task that runs them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from sonde.answers.folders import holds
from sonde.retrieve.view import View

BUILD_FILES = ("build.mill", "build.mill.yaml", "build.sc")
_PARTS = ("package.mill", "package.mill.yaml", "package.sc")
# core/src/test/scala/a/CartTests.scala, as Maven has it, or core/test/src/a/CartTests.scala
_LAYOUT = re.compile(r"(?P<owner>.*?)src/(?P<test>\w*[Tt]est|it)/|(?P<module>.+?)/src(?:-[\w.]+)?/")
_OBJECT = re.compile(rb"\bobject\s+`?([\w-]+)`?(\s+extends\s+Cross\[)?")


def mill_module(view: View, root: str, file: str) -> str:
    """The name of a test's module, "" where the build does not tell.

    A module need not be named after its folder. It is where each folder on the way has a build
    file of its own, or the name of an object of a build file above.
    """
    layout = _LAYOUT.match(file[len(root) :].lstrip("/"))
    if layout is None:
        return ""
    folder, names = root, []
    crossed = _objects(view, root, BUILD_FILES)
    for name in (layout["module"] or layout["owner"] + layout["test"]).split("/"):
        folder = f"{folder}/{name}".lstrip("/")
        if holds(view, folder, *_PARTS):
            crossed |= {name: False, **_objects(view, folder, _PARTS)}
        if name not in crossed:
            return ""
        names.append(f"{name}[__]" if crossed[name] else name)
    return ".".join(names)


def mill_task(module: str, classes: Sequence[str]) -> str:
    """What Mill is to run: all tests where the module is not known.

    To ask every module for a class is an error of those that lack it.
    """
    if not module:
        return "__.test"
    words = (f"{module}.testOnly", *(f"*{name}" for name in classes))
    return " ".join(shlex.quote(word) for word in words)


def _objects(view: View, folder: str, files: Sequence[str]) -> dict[str, bool]:
    """The objects that a folder's build files declare, and whether each is built several times."""
    paths = [f"{folder}/{name}".lstrip("/") for name in files]
    texts = [view.text(path) for path in paths if view.file_at(path)]
    return {
        match[1].decode(): match[2] is not None
        for text in texts
        for match in _OBJECT.finditer(text)
    }
