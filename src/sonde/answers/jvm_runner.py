"""The commands that run tests of Java, Kotlin and Scala, as the build files around them tell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from sonde.answers.folders import folders_above, holds, in_folder
from sonde.answers.mill_runner import BUILD_FILES as MILL_FILES
from sonde.answers.mill_runner import mill_module, mill_task
from sonde.answers.results import TestCase
from sonde.frozen import frozen
from sonde.retrieve.view import View

_GRADLE = ("build.gradle", "build.gradle.kts")
_SETTINGS = ("settings.gradle", "settings.gradle.kts")
_SOURCE_SET = re.compile(r"(?:^|/)src/(\w+Test)/")  # src/jvmTest, src/integrationTest


@frozen
class _Build:
    tool: str
    root: str  # folder from which the tool is started
    module: str  # folder of the part whose tests these are, of Mill its name
    task: str = "test"  # of Gradle


def jvm_commands(view: View, cases: Sequence[TestCase]) -> list[str]:
    """One command for each part of a build; none for tests that no known build file is above."""
    chosen: dict[tuple[str, str, str, str], set[str]] = {}
    builds = {file: _build(view, file) for file in {case.file for case in cases}}
    for case in cases:
        build = builds[case.file]
        if build is not None:
            key = (build.tool, build.root, "" if build.tool == "sbt" else build.module, build.task)
            chosen.setdefault(key, set()).add(_class(case))
    return [_written(view, _Build(*key), sorted(chosen[key])) for key in sorted(chosen)]


def _class(case: TestCase) -> str:
    if case.node != case.file and "." in case.node:
        return case.node.partition(".")[0]
    return case.file.rpartition("/")[2].partition(".")[0]


def _build(view: View, file: str) -> _Build | None:
    """What the nearest build file tells; a tool runs from the outermost of its own."""
    above = list(folders_above(file))
    for folder in above:
        if holds(view, folder, "pom.xml"):
            return _Build("mvn", _outermost(view, above, ("pom.xml",)), folder)
        if holds(view, folder, *_GRADLE):
            settings = [each for each in above if holds(view, each, *_SETTINGS)]
            root = settings[0] if settings else _outermost(view, above, _GRADLE)
            return _Build("gradle", root, folder, _task(file))
        if holds(view, folder, *MILL_FILES):
            return _Build("mill", folder, mill_module(view, folder, file))
        if holds(view, folder, "build.sbt"):
            return _Build("sbt", _outermost(view, above, ("build.sbt",)), folder)
    return None


def _task(file: str) -> str:
    found = _SOURCE_SET.search(file)
    if found is None:
        return "test"
    return "jvmTest" if found[1] == "commonTest" else found[1]


def _outermost(view: View, above: Sequence[str], names: Sequence[str]) -> str:
    return [each for each in above if holds(view, each, *names)][-1]


def _written(view: View, build: _Build, classes: Sequence[str]) -> str:
    if build.tool == "mill":
        start = "./mill" if holds(view, build.root, "mill") else "mill"
        return in_folder(build.root, f"{start} {mill_task(build.module, classes)}")
    inner = build.module[len(build.root) :].strip("/")
    patterns = [shlex.quote(f"*{name}") for name in classes]
    if build.tool == "mvn":
        start = "./mvnw" if holds(view, build.root, "mvnw") else "mvn"
        # of the modules before it, none needs to have such tests
        part = f" -pl {shlex.quote(inner)} -am -Dsurefire.failIfNoSpecifiedTests=false"
        command = f"{start} test{part if inner else ''} -Dtest={shlex.quote(','.join(classes))}"
    elif build.tool == "gradle":
        start = "./gradlew" if holds(view, build.root, "gradlew") else "gradle"
        task = f":{inner.replace('/', ':')}:{build.task}" if inner else build.task
        if not inner and _has_parts(view, build.root):
            task = f":{build.task}"  # a task without its project runs in all of them
        options = " ".join(f"--tests {pattern}" for pattern in patterns)
        command = f"{start} {shlex.quote(task)} {options}"
    else:
        command = f"sbt {shlex.quote(' '.join(['testOnly', *(f'*{name}' for name in classes)]))}"
    return in_folder(build.root, command)


def _has_parts(view: View, root: str) -> bool:
    start = f"{root}/" if root else ""
    return any(
        path.startswith(start) and "/" in path[len(start) :]
        for name in _GRADLE
        for path in view.paths_ending(name)
    )
