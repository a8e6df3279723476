"""Folders left out by default, in groups that can be switched off by name.

A name such as `build` or `vendor` alone proves nothing: projects keep their own
sources there. Those names count only beside a file that shows which tool fills them.
"""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum
from fnmatch import fnmatchcase


class LeaveOut(StrEnum):
    """The groups; `VENDORED` is off unless asked for, those files are marked instead."""

    VCS = "vcs"
    DEPENDENCIES = "dependencies"
    BUILD = "build"
    CACHES = "caches"
    VENDORED = "vendored"


DEFAULT_LEAVE_OUTS = frozenset(
    {LeaveOut.VCS, LeaveOut.DEPENDENCIES, LeaveOut.BUILD, LeaveOut.CACHES}
)

_VENDORED = """3rdparty 3rd-party 3rd_party 3rdParty third-party third_party thirdparty thirdParty
    ThirdParty vendor vendored vendors _vendor _vendored
    bower_components node_modules site-packages Godeps Pods Carthage"""
VENDORED_FOLDERS = frozenset(_VENDORED.split())

_CERTAIN: dict[LeaveOut, str] = {
    LeaveOut.VCS: ".git .hg .svn .bzr .jj .sl .pijul _darcs CVS",
    LeaveOut.DEPENDENCIES: """node_modules bower_components jspm_packages site-packages .venv
        .virtualenv .bundle .yarn .pnpm-store .pub-cache __pypackages__ elm-stuff""",
    LeaveOut.BUILD: """.next .nuxt .svelte-kit .output .eggs .dart_tool .build DerivedData
        cmake-build-debug cmake-build-release""",
    LeaveOut.CACHES: """__pycache__ .mypy_cache .pytest_cache .ruff_cache .hypothesis .tox .nox
        .cache .parcel-cache .turbo .gradle .terraform .nyc_output .sass-cache .ipynb_checkpoints
        .eslintcache .pytype .angular .vs .idea""",
}
_GROUP_OF_NAME = {name: group for group, names in _CERTAIN.items() for name in names.split()}

# name → group and the files beside it of which one must exist
_BESIDE: dict[str, tuple[LeaveOut, tuple[str, ...]]] = {
    "vendor": (
        LeaveOut.DEPENDENCIES,
        ("go.mod", "go.work", "composer.json", "Gopkg.toml", "glide.yaml"),
    ),
    "Godeps": (LeaveOut.DEPENDENCIES, ("*.go",)),
    "Pods": (LeaveOut.DEPENDENCIES, ("Podfile",)),
    "Carthage": (LeaveOut.DEPENDENCIES, ("Cartfile",)),
    "packages": (LeaveOut.DEPENDENCIES, ("*.sln",)),
    "target": (LeaveOut.BUILD, ("Cargo.toml", "pom.xml", "build.sbt", "project.clj")),
    "build": (LeaveOut.BUILD, ("build.gradle", "build.gradle.kts", "pubspec.yaml")),
    "dist": (LeaveOut.BUILD, ("package.json", "setup.py", "pyproject.toml")),
    "out": (LeaveOut.BUILD, ("tsconfig.json", "*.iml")),
    "bin": (LeaveOut.BUILD, ("*.csproj", "*.fsproj", "*.vbproj")),
    "obj": (LeaveOut.BUILD, ("*.csproj", "*.fsproj", "*.vbproj")),
    "coverage": (LeaveOut.CACHES, ("package.json",)),
    "htmlcov": (LeaveOut.CACHES, ("setup.py", "pyproject.toml", "tox.ini", "setup.cfg")),
}
_SUFFIXES = ((".egg-info", LeaveOut.BUILD), (".dist-info", LeaveOut.DEPENDENCIES))

# a file inside that gives the folder away whatever its name
_GIVEN_AWAY_BY = {
    "pyvenv.cfg": LeaveOut.DEPENDENCIES,
    "conda-meta": LeaveOut.DEPENDENCIES,
    "CACHEDIR.TAG": LeaveOut.CACHES,
    "CMakeCache.txt": LeaveOut.BUILD,
}


def group_by_name(name: str, beside: Set[str], wanted: Set[LeaveOut]) -> LeaveOut | None:
    """The group that leaves out a folder of this name with these entries beside it."""
    group = _GROUP_OF_NAME.get(name)
    if group is None and name in _BESIDE:
        candidate, witnesses = _BESIDE[name]
        if any(_is_among(witness, beside) for witness in witnesses):
            group = candidate
    if group is None and "." in name:
        group = next((each for suffix, each in _SUFFIXES if name.endswith(suffix)), None)
    if group in wanted:
        return group
    vendored = LeaveOut.VENDORED in wanted and name in VENDORED_FOLDERS
    return LeaveOut.VENDORED if vendored else None


def group_by_content(names: Set[str], wanted: Set[LeaveOut]) -> LeaveOut | None:
    """The group that leaves out a folder with these entries."""
    if names.isdisjoint(_GIVEN_AWAY_BY):
        return None
    for witness, group in _GIVEN_AWAY_BY.items():
        if witness in names and group in wanted:
            return group
    return None


def _is_among(witness: str, names: Set[str]) -> bool:
    if "*" not in witness:
        return witness in names
    return any(fnmatchcase(name, witness) for name in names)
