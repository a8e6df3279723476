"""How a project is tested, built and checked: commands from the files its tools read."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from sonde.artefacts.artefact import Artefact, ArtefactKind

OWN_RUNBOOK = ".sonde/runbook.md"

_KINDS = (
    ("test", re.compile(r"^(?:tests?|unit|spec|check|pytest|ci|py\d+|test[:_-].*)$|\btest", re.I)),
    ("lint", re.compile(r"lint|ruff|flake8|clippy|vet|style|pre-commit", re.I)),
    ("format", re.compile(r"^(?:format|fmt|prettier|black)", re.I)),
    ("types", re.compile(r"^(?:types?|typecheck|type-check|mypy|pyright|tsc)$", re.I)),
    ("build", re.compile(r"^(?:build|compile|dist|all|package|bundle)", re.I)),
    ("run", re.compile(r"^(?:run|start|serve|dev|server)$", re.I)),
    ("bench", re.compile(r"^bench", re.I)),
    ("docs", re.compile(r"^docs?$", re.I)),
    ("install", re.compile(r"^(?:install|setup|bootstrap|deps)$", re.I)),
)
# Blanks are those of one line: \s goes on to the next, and from each line to the last.
_TARGET = re.compile(r"^([A-Za-z][\w.-]*)[ \t]*:(?![=:])", re.M)
_JUST = re.compile(r"^([a-z][\w-]*)(?:[ \t]+[\w*+='\"]+)*[ \t]*:(?!=)", re.M)
_TOX = re.compile(r"^\[testenv(?::([\w.-]+))?\]", re.M)
_RUN = re.compile(r"^([ \t]*)(?:- )?run:[ \t]*(.*)$", re.M)
_OWN = re.compile(
    r"^[ \t]*[-*]?[ \t]*`?([\w -]{1,30}?)`?[ \t]*:[ \t]*`?([^`\n]+?)`?[ \t\r]*$", re.M
)
_TOOL = re.compile(
    r"^(?:[A-Z_]+=\S+ )*(?:python3? -m |npx |uv run |poetry run |hatch run |bundle exec )?"
    r"(pytest|tox|nox|ruff|flake8|mypy|pyright|black|jest|vitest|mocha|eslint|tsc|cargo \w+|"
    r"go (?:test|vet|build)|golangci-lint|rspec|rake|phpunit|mvn|gradle|\./gradlew|dotnet \w+|"
    r"ctest|make \w[\w-]*|npm (?:run )?\w[\w:-]*|yarn \w[\w:-]*|pnpm \w[\w:-]*)\b"
)
_MOST = 40  # commands of one file
_MANAGERS = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lockb", "bun"),
    ("bun.lock", "bun"),
    ("package-lock.json", "npm"),
)
LOCKS = frozenset(lock for lock, _ in _MANAGERS)  # of a folder and of the packages in it


class Line(NamedTuple):
    """A command that a file names."""

    name: str
    command: str
    line: int


def kind_of(name: str) -> str:
    """The usual name of a command; "" when it has none."""
    return next((usual for usual, pattern in _KINDS if pattern.search(name)), "")


def _at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def makefile(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """Targets that have a usual name."""
    for match in _TARGET.finditer(text):
        if kind_of(match[1]):
            yield Line(match[1], f"make {match[1]}", _at(text, match.start()))


def justfile(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """Recipes that have a usual name."""
    for match in _JUST.finditer(text):
        if kind_of(match[1]):
            yield Line(match[1], f"just {match[1]}", _at(text, match.start()))


def package_json(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """Scripts, run by the package manager whose lock file holds for their folder."""
    scripts = _table(_json(text).get("scripts"))
    manager = next((tool for lock, tool in _MANAGERS if lock in beside), "npm")
    for name in scripts:
        if kind_of(name):
            run = "" if name in ("test", "start") and manager != "bun" else "run "
            yield Line(name, f"{manager} {run}{name}", _at(text, max(0, text.find(f'"{name}"'))))


def composer_json(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """Scripts of a PHP project."""
    for name in _table(_json(text).get("scripts")):
        if kind_of(name):
            yield Line(name, f"composer {name}", _at(text, max(0, text.find(f'"{name}"'))))


def pyproject(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """Scripts of the usual task runners, and the tools that are configured."""
    try:
        tool = _table(tomllib.loads(text).get("tool"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    hatch = _table(_table(tool.get("hatch")).get("envs"))
    for environment, values in hatch.items():
        prefix = "" if environment == "default" else f"{environment}:"
        for name in _table(_table(values).get("scripts")):
            if kind_of(name):
                yield Line(name, f"hatch run {prefix}{name}", 1)
    for runner, path in (("poe", ("poe", "tasks")), ("pdm run", ("pdm", "scripts"))):
        for name in _table(_table(tool.get(path[0])).get(path[1])):
            if kind_of(name):
                yield Line(name, f"{runner} {name}", 1)
    configured = (("pytest", "test", "pytest"), ("ruff", "lint", "ruff check ."))
    for table, name, command in (*configured, ("mypy", "types", "mypy")):
        if table in tool:
            yield Line(name, command, 1)


def tox(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """Environments that have a usual name."""
    for match in _TOX.finditer(text):
        name = match[1] or "test"
        if kind_of(name):
            command = f"tox -e {name}" if match[1] else "tox"
            yield Line(name, command, _at(text, match.start()))


def workflow(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """Commands of known tools that continuous integration runs."""
    line, at = 1, 0
    for match in _RUN.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        written = match[2].strip()
        commands = [(line, written)]
        if written in ("|", "|-", ">", ">-", "|+"):
            commands = list(enumerate(_block(text, match.end() + 1, len(match[1])), line + 1))
        for number, command in commands:
            tool = _TOOL.match(command) if len(command) < 200 else None
            if tool and kind_of(tool[1]) and "${{" not in command:
                yield Line(tool[1], command, number)


def _block(text: str, at: int, indent: int) -> Iterator[str]:
    """The lines from a place on that are further in than a key."""
    while at < len(text):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            return
        yield line.strip()
        at += len(line) + 1


def _always(*commands: tuple[str, str]) -> Callable[[str, frozenset[str]], Iterator[Line]]:
    """The commands that every project of a tool has."""

    def lines(text: str, beside: frozenset[str]) -> Iterator[Line]:
        return (Line(name, command, 1) for name, command in commands)

    return lines


def gradle(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """The wrapper script, if there is one."""
    program = "./gradlew" if "gradlew" in beside else "gradle"
    return iter((Line("test", f"{program} test", 1), Line("build", f"{program} build", 1)))


def maven(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """The wrapper script, if there is one."""
    program = "./mvnw" if "mvnw" in beside else "mvn"
    return iter((Line("test", f"{program} test", 1), Line("build", f"{program} package", 1)))


def own_runbook(text: str, beside: frozenset[str]) -> Iterator[Line]:
    """`name: command` lines that the user wrote."""
    for match in _OWN.finditer(text):
        yield Line(match[1].strip(), match[2].strip(), _at(text, match.start()))


# By file name; where two name the same command, the earlier one wins.
READERS: dict[str, Callable[[str, frozenset[str]], Iterator[Line]]] = {
    OWN_RUNBOOK: own_runbook,
    "Makefile": makefile,
    "GNUmakefile": makefile,
    "justfile": justfile,
    "package.json": package_json,
    "tox.ini": tox,
    "pyproject.toml": pyproject,
    "Cargo.toml": _always(
        ("test", "cargo test"), ("build", "cargo build"), ("lint", "cargo clippy")
    ),
    "go.mod": _always(("test", "go test ./..."), ("build", "go build ./..."), ("lint", "go vet")),
    "composer.json": composer_json,
    "build.gradle": gradle,
    "build.gradle.kts": gradle,
    "pom.xml": maven,
    "Rakefile": _always(("test", "bundle exec rake")),
}

_ECMASCRIPT = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})
_JVM = frozenset({"java", "kotlin", "scala", "groovy"})
_PYTHON = frozenset({"python"})
# Files whose commands are for code in some languages only.
_FOR = {
    "package.json": _ECMASCRIPT,
    "tox.ini": _PYTHON,
    "pyproject.toml": _PYTHON,
    "Cargo.toml": frozenset({"rust"}),
    "go.mod": frozenset({"go"}),
    "composer.json": frozenset({"php"}),
    "build.gradle": _JVM,
    "build.gradle.kts": _JVM,
    "pom.xml": _JVM,
    "Rakefile": frozenset({"ruby"}),
}
_PLACES = {name: place for place, name in enumerate(READERS)}


def source_of(command: Artefact) -> str:
    """The name of the file that a command is from, if it is for some languages only."""
    name = command.file.rpartition("/")[2]
    return name if name in _FOR else ""


def standing(command: Artefact, language: str) -> tuple[bool, int]:
    """How a command stands among those of its name for work in a language: the least is best."""
    unfit = language not in _FOR.get(source_of(command), (language,))
    own = OWN_RUNBOOK if command.own else command.file.rpartition("/")[2]
    return unfit, _PLACES.get(own, len(_PLACES))


def commands_of(path: str, text: str, scope: str, beside: frozenset[str]) -> list[Artefact]:
    """The commands of one file; `beside` names the files of its folder."""
    name = path.removeprefix(f"{scope}/") if scope else path
    reader = READERS.get(name, workflow)
    own = name == OWN_RUNBOOK
    lines = list(islice(reader(text, beside), _MOST))
    if not own:  # `test` is what it says, `check` is what the project makes of it
        lines.sort(key=lambda line: kind_of(line.name) != line.name.lower())
    return [
        Artefact(
            ArtefactKind.RUNBOOK,
            line.command,
            path,
            line.line,
            scope,
            line.name if own else kind_of(line.name) or line.name,
            own=own,
        )
        for line in lines
    ]


def _json(text: str) -> dict[str, Any]:
    try:
        return _table(json.loads(text))
    except (ValueError, RecursionError):
        return {}


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
