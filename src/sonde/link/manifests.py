"""Read manifests: where modules live, what a project depends on, who owns which files."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from sonde.link.codeowners import OwnerRule, owner_rules
from sonde.link.swift_targets import swift_modules

_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_GO_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_GO_REQUIRE = re.compile(r"^(?:require\s+|\t)([\w.~/-]+\.[\w.~/-]+)\s+v\S+", re.MULTILINE)
_REQUIREMENT = re.compile(r"^([A-Za-z0-9][\w.-]*)", re.MULTILINE)
_POM_DEPENDENCY = re.compile(r"<dependency>.*?<artifactId>\s*([^<\s]+)", re.DOTALL)
_GRADLE_DEPENDENCY = re.compile(
    r"^\s*(?:api|implementation|compileOnly|runtimeOnly|test\w+)\W+[\"']([^\"':]+:[^\"':]+)",
    re.MULTILINE,
)
_GEM = re.compile(
    r"^\s*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)[ (]+[\"']([^\"']+)", re.M
)
_PACKAGE_REFERENCE = re.compile(r"<PackageReference\s+Include=\"([^\"]+)\"")
_SWIFT_PACKAGE = re.compile(r"\.package\([^)]*?url:\s*\"([^\"]+)\"")


class Dependency(NamedTuple):
    """A package named by a manifest."""

    name: str
    line: int


class Alias(NamedTuple):
    """One tsconfig path, one of a package.json's own imports (`#db`) or of its exports
    (`@shop/ui/button`): what matches `pattern` may resolve to any of `targets`."""

    folder: str  # of the manifest; applies to the files below it
    pattern: str
    targets: tuple[str, ...]  # relative to the root


class Package(NamedTuple):
    """One package.json."""

    name: str  # "" if only its folder can be imported
    folder: str
    entries: tuple[str, ...]  # files that an import may mean; the first that is indexed counts
    exports: tuple[Alias, ...] = ()


class Layout(NamedTuple):
    """What module names resolve to; all folders relative to the root, longest first."""

    go_modules: tuple[tuple[str, str], ...] = ()  # (module path, folder)
    base_urls: tuple[tuple[str, str], ...] = ()  # (folder of the tsconfig, baseUrl folder)
    aliases: tuple[Alias, ...] = ()
    subpaths: tuple[tuple[str, tuple[Alias, ...]], ...] = ()  # folder of the package.json, its own
    packages: tuple[Package, ...] = ()
    crates: tuple[tuple[str, str, str], ...] = ()  # (crate name, folder, library file or "")
    python_roots: tuple[str, ...] = ("",)
    psr4: tuple[tuple[str, str], ...] = ()  # (namespace with dots, folder)
    swift_modules: tuple[tuple[str, str], ...] = ()  # (module, folder)


_NO_LAYOUT = Layout()


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """Everything the manifests of a workspace say, in a form with a stable text."""

    layout: Layout = _NO_LAYOUT
    dependencies: tuple[tuple[str, tuple[Dependency, ...]], ...] = ()  # by manifest path
    owners: tuple[OwnerRule, ...] = ()


NO_CONFIG = ProjectConfig()

MANIFEST_NAMES = frozenset(
    {
        "go.mod",
        "tsconfig.json",
        "jsconfig.json",
        "package.json",
        "Cargo.toml",
        "pyproject.toml",
        "setup.cfg",
        "requirements.txt",
        "composer.json",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "Gemfile",
        "Package.swift",
        "CODEOWNERS",
    }
)
# Of package.json. Types come last: declarations beside the code that they describe have no callers.
_LAST_CONDITION = "types"
_DEEPEST_CONDITION = 4  # in one another
_ENTRY_FIELDS = ("source", "module", "main", "types")
_MANIFEST_ENDINGS = (".gemspec", ".csproj", ".fsproj")


def is_manifest(path: str) -> bool:
    """Whether `project_config` needs this file's text."""
    name = path.rpartition("/")[2]
    return (
        name in MANIFEST_NAMES
        or name.endswith(_MANIFEST_ENDINGS)
        or (name.startswith("tsconfig.") and name.endswith(".json"))
    )


def project_config(texts: Iterable[tuple[str, str]]) -> ProjectConfig:
    """Read manifests, given as (path, text); one that cannot be parsed counts as empty."""
    found = _Found()
    for path, text in sorted(texts):
        found.read(path, text)
    return found.config()


def _join(folder: str, tail: str) -> str:
    parts = folder.split("/") if folder else []
    for part in tail.replace("\\", "/").split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _lines(text: str, pattern: re.Pattern[str]) -> list[Dependency]:
    return [
        Dependency(match[1], text.count("\n", 0, match.start(1)) + 1)
        for match in pattern.finditer(text)
    ]


def _named(text: str, names: Iterable[str]) -> list[Dependency]:
    """Dependencies named in parsed data, located where the text first mentions them."""
    found = []
    for name in names:
        place = text.find(name)
        found.append(Dependency(name, text.count("\n", 0, place) + 1 if place >= 0 else 1))
    return found


def _without_comments(text: str) -> str:
    """Plain JSON from JSON with comments and trailing commas, as tsconfig allows."""
    out = []
    index = 0
    quoted = False
    while index < len(text):
        char = text[index]
        if quoted:
            if char == "\\":
                out.append(text[index : index + 2])
                index += 2
                continue
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif text.startswith("//", index):
            index = (text.find("\n", index) + 1 or len(text) + 1) - 1
            continue
        elif text.startswith("/*", index):
            index = (text.find("*/", index) + 2) if "*/" in text[index:] else len(text)
            continue
        out.append(char)
        index += 1
    return _TRAILING_COMMA.sub(r"\1", "".join(out))


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _aliases(
    folder: str, entries: dict[str, Any], pattern: Callable[[str], str]
) -> tuple[Alias, ...]:
    """The imports or exports of a package.json; the longer of two names comes first."""
    found = [
        Alias(folder, pattern(name), tuple(_join(folder, each) for each in _places(value)))
        for name, value in entries.items()
        if name.startswith(("#", "."))
    ]
    return tuple(sorted(found, key=lambda each: ("*" in each.pattern, -len(each.pattern), each)))


def _places(value: Any, depth: int = 0) -> list[str]:
    """The files that such an entry may mean under one condition or another: the one that holds
    without any comes first."""
    if isinstance(value, str):
        return [value] if value.startswith("./") else []
    found: list[str] = []
    if depth < _DEEPEST_CONDITION:
        last = {"default": 0, _LAST_CONDITION: 2}
        for _, each in sorted(_object(value).items(), key=lambda pair: last.get(pair[0], 1)):
            found += _places(each, depth + 1)
        for each in value if isinstance(value, list) else ():
            found += _places(each, depth + 1)
    return found


class _Found:
    """The manifests read so far."""

    def __init__(self) -> None:
        self.go: list[tuple[str, str]] = []
        self.base_urls: list[tuple[str, str]] = []
        self.aliases: list[Alias] = []
        self.subpaths: list[tuple[str, tuple[Alias, ...]]] = []
        self.packages: list[Package] = []
        self.crates: list[tuple[str, str, str]] = []
        self.roots: set[str] = {"", "src", "lib"}
        self.psr4: list[tuple[str, str]] = []
        self.swift: set[tuple[str, str]] = set()
        self.dependencies: list[tuple[str, tuple[Dependency, ...]]] = []
        self.owners: list[OwnerRule] = []

    def read(self, path: str, text: str) -> None:
        folder, _, name = path.rpartition("/")
        depends: list[Dependency] = []
        try:
            if name == "go.mod":
                depends = self._go(folder, text)
            elif name in ("jsconfig.json", "tsconfig.json") or name.startswith("tsconfig."):
                self._tsconfig(folder, _object(json.loads(_without_comments(text))))
            elif name == "package.json":
                depends = self._npm(folder, text, _object(json.loads(text)))
            elif name == "Cargo.toml":
                depends = self._cargo(folder, text, tomllib.loads(text))
            elif name == "pyproject.toml":
                depends = self._pyproject(folder, text, tomllib.loads(text))
            elif name == "composer.json":
                depends = self._composer(folder, text, _object(json.loads(text)))
            elif name == "Package.swift":
                self.swift.update(swift_modules(folder, text))
                depends = _lines(text, _SWIFT_PACKAGE)
            elif name == "CODEOWNERS":
                self.owners.extend(owner_rules(text))
            else:
                depends = _by_pattern(name, text)
        except (ValueError, RecursionError):
            return
        if depends:
            self.dependencies.append((path, tuple(dict.fromkeys(depends))))

    def _go(self, folder: str, text: str) -> list[Dependency]:
        if match := _GO_MODULE.search(text):
            self.go.append((match[1], folder))
        return _lines(text, _GO_REQUIRE)

    def _tsconfig(self, folder: str, data: dict[str, Any]) -> None:
        options = _object(data.get("compilerOptions"))
        base = _text(options.get("baseUrl"))
        base_folder = _join(folder, base)
        if base:
            self.base_urls.append((folder, base_folder))
        for pattern, targets in _object(options.get("paths")).items():
            places = tuple(_join(base_folder, each) for each in _strings(targets))
            self.aliases.append(Alias(folder, pattern, places))

    def _npm(self, folder: str, text: str, data: dict[str, Any]) -> list[Dependency]:
        name = _text(data.get("name"))
        written = [_text(data.get(field)) for field in _ENTRY_FIELDS]
        entries = tuple(_join(folder, each) for each in written if each)
        if name or entries:
            offered = _object(data.get("exports")) if name else {}
            exports = _aliases(folder, offered, lambda each: name + each.removeprefix("."))
            self.packages.append(Package(name, folder, entries, exports))
        if own := _aliases(folder, _object(data.get("imports")), str):
            self.subpaths.append((folder, own))
        names: list[str] = []
        for field in ("dependencies", "devDependencies", "peerDependencies"):
            names.extend(_object(data.get(field)))
        return _named(text, names)

    def _cargo(self, folder: str, text: str, data: dict[str, Any]) -> list[Dependency]:
        if name := _text(_object(data.get("package")).get("name")):
            library = _object(data.get("lib"))
            file = _text(library.get("path"))
            crate = (_text(library.get("name")) or name).replace("-", "_")
            self.crates.append((crate, folder, _join(folder, file) if file else ""))
        names: list[str] = []
        for field in ("dependencies", "dev-dependencies", "build-dependencies"):
            names.extend(_object(data.get(field)))
        return _named(text, names)

    def _pyproject(self, folder: str, text: str, data: dict[str, Any]) -> list[Dependency]:
        setuptools = _object(_object(data.get("tool")).get("setuptools"))
        where = _strings(_object(_object(setuptools.get("packages")).get("find")).get("where"))
        where += map(_text, _object(setuptools.get("package-dir")).values())
        self.roots.update(_join(folder, each) for each in ["", "src", *where])
        project = _object(data.get("project"))
        wanted = _strings(project.get("dependencies"))
        for extra in _object(project.get("optional-dependencies")).values():
            wanted += _strings(extra)
        poetry = _object(_object(_object(data.get("tool")).get("poetry")).get("dependencies"))
        names = [match[1] for each in wanted if (match := _REQUIREMENT.match(each))]
        return _named(text, [*names, *(each for each in poetry if each != "python")])

    def _composer(self, folder: str, text: str, data: dict[str, Any]) -> list[Dependency]:
        for field in ("autoload", "autoload-dev"):
            for space, places in _object(_object(data.get(field)).get("psr-4")).items():
                for place in [places] if isinstance(places, str) else _strings(places):
                    name = space.strip("\\").replace("\\", ".")
                    self.psr4.append((name, _join(folder, place)))
        names = [*_object(data.get("require")), *_object(data.get("require-dev"))]
        return _named(text, names)

    def config(self) -> ProjectConfig:
        def longest(pair: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
            return (-len(pair[0]), pair)

        layout = Layout(
            go_modules=tuple(sorted(self.go, key=longest)),
            base_urls=tuple(sorted(self.base_urls, key=longest)),
            aliases=tuple(sorted(self.aliases, key=lambda a: (-len(a.folder), -len(a.pattern), a))),
            subpaths=tuple(sorted(self.subpaths, key=lambda each: (-len(each[0]), each))),
            packages=tuple(sorted(self.packages, key=lambda each: (-len(each.name), each))),
            crates=tuple(sorted(self.crates, key=longest)),
            python_roots=tuple(sorted(self.roots, key=lambda root: (len(root), root))),
            psr4=tuple(sorted(self.psr4, key=longest)),
            swift_modules=tuple(sorted(self.swift, key=longest)),
        )
        return ProjectConfig(layout, tuple(sorted(self.dependencies)), tuple(self.owners))


def _by_pattern(name: str, text: str) -> list[Dependency]:
    if name == "requirements.txt":
        return _lines(text, _REQUIREMENT)
    if name == "pom.xml":
        return _lines(text, _POM_DEPENDENCY)
    if name.startswith("build.gradle"):
        return _lines(text, _GRADLE_DEPENDENCY)
    if name == "Gemfile" or name.endswith(".gemspec"):
        return _lines(text, _GEM)
    if name.endswith(("csproj", "fsproj")):
        return _lines(text, _PACKAGE_REFERENCE)
    return []
