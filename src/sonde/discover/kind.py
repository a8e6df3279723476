"""What a source file is for: test, generated, vendored, or simply source."""

from __future__ import annotations

import re

from sonde.discover.content import is_generated
from sonde.discover.language import CODE_LANGUAGES
from sonde.discover.leaveout import VENDORED_FOLDERS
from sonde.expression import expression
from sonde.model import FileKind

KIND_RULES = 5  # of this module; raise it when a file may get a different kind than before
_GENERATED_NAME = expression(
    r"zz_generated[._].*|.*(?:_pb2(?:_grpc)?\.pyi?|\.pb(?:\.gw|\.validate)?\.go|_grpc\.pb\.go"
    r"|\.pb\.(?:cc|h)|_pb\.(?:js|d\.ts|rb)|\.generated\.\w+|\.g\.(?:cs|dart|kt)|\.designer\.cs"
    r"|_generated\.\w+|\.gen\.(?:go|ts|rs))",
    re.IGNORECASE,
)

_JS_TEST = expression(r".*[.\-_](?:test|tests|spec|e2e|cy|bench)\.[cm]?[jt]sx?")
_JVM_TEST = expression(
    r"Test[A-Z].*\.\w+|.*(?:Tests?|TestCase|IT|ITCase|Specs?|Suite)\.\w+|.+Benchmarks?\.\w+"
)
_C_TEST = expression(
    r"(?:test|unittest|bench)[_\-].*|.*[_\-](?:test|tests|unittest|spec|bench|benchmark)\.\w+"
    r"|.*Tests?\.\w+|.+Benchmarks?\.\w+|tests?\.\w+"
)
_TEST_NAME: dict[str, re.Pattern[str]] = {
    "python": expression(r"test_.*|.*_tests?\.pyi?|tests?\.py|conftest\.py"),
    "go": expression(r".*_test\.go"),
    "javascript": _JS_TEST,
    "typescript": _JS_TEST,
    "tsx": _JS_TEST,
    "java": _JVM_TEST,
    "kotlin": _JVM_TEST,
    "scala": _JVM_TEST,
    "rust": expression(r"(?:.*_)?(?:tests?|bench)\.rs|test_.*\.rs"),
    "ruby": expression(r".*_(?:spec|test)\.rb|test_.*\.rb|(?:spec|test)_helper\.rb"),
    "c": _C_TEST,
    "cpp": _C_TEST,
    "csharp": expression(r".*(?:Tests?|Specs?|TestCase)\.cs|.+Benchmarks?\.cs"),
    "php": expression(r".*(?:Test|TestCase|Cest)\.php"),
    "swift": expression(r".*(?:Tests?|Spec)\.swift"),
}

_TEST_FOLDERS = frozenset({"tests", "__tests__", "testdata", "unittests", "e2e"})
# "test" below the top is often a library's own testing support in these two
_TEST_ONLY_ON_TOP = frozenset({"python", "go"})
_TEST_FOLDERS_OF: dict[str, frozenset[str]] = {
    "javascript": frozenset({"__mocks__", "__fixtures__", "spec", "specs", "cypress"}),
    "typescript": frozenset({"__mocks__", "__fixtures__", "spec", "specs", "cypress"}),
    "tsx": frozenset({"__mocks__", "__fixtures__", "spec", "specs", "cypress"}),
    "java": frozenset({"androidTest", "integrationTest", "testFixtures", "jmh"}),
    "kotlin": frozenset({"androidTest", "integrationTest", "commonTest", "jvmTest", "jsTest"}),
    "scala": frozenset({"it"}),
    "rust": frozenset({"benches"}),
    "ruby": frozenset({"spec", "specs", "step_definitions"}),
    "c": frozenset({"unittest", "benchmarks"}),
    "cpp": frozenset({"unittest", "benchmarks"}),
    "php": frozenset({"Tests", "spec"}),
    "swift": frozenset({"Tests"}),
}
# Copies that a site serves: jquery-3.4.1.js, editor-5.17.0/mode/. Own sources may have versions too
# (scala-2.12/), but not of three numbers, and not where a browser gets them.
_RELEASE = expression(r"[A-Za-z][\w.]*(?:-[A-Za-z]\w*)*-v?\d+\.\d+\.\d+")
_SERVED = frozenset({"javascript", "css"})
_CSHARP_TEST_PROJECT = expression(r"(?:.*\.)?(?:Unit|Integration|Functional)?Tests?")
_NO_FOLDERS: frozenset[str] = frozenset()


def is_vendored(path: str, language: str = "") -> bool:
    """Whether a path belongs to third-party code: by its folders, or by the release it names."""
    *folders, name = path.split("/")
    if not VENDORED_FOLDERS.isdisjoint(folders):
        return True
    return language in _SERVED and any(_RELEASE.match(part) for part in (*folders, name))


def is_test(path: str, language: str) -> bool:
    """Whether the path follows the language's habits for tests and benchmarks."""
    *folders, name = path.split("/")
    pattern = _TEST_NAME.get(language)
    if pattern is not None and pattern.fullmatch(name):
        return True
    if not _TEST_FOLDERS.isdisjoint(folders):
        return True
    if language == "csharp":
        return any(_CSHARP_TEST_PROJECT.fullmatch(folder) for folder in folders)
    if not _TEST_FOLDERS_OF.get(language, _NO_FOLDERS).isdisjoint(folders):
        return True
    return "test" in (folders[:1] if language in _TEST_ONLY_ON_TOP else folders)


def refined_kind(path: str, language: str, kind: FileKind, start: bytes) -> FileKind:
    """The kind once path and first bytes are known; only code is divided further."""
    if is_vendored(path, language):
        return FileKind.VENDORED
    if language not in CODE_LANGUAGES or kind is not FileKind.SOURCE:
        return kind
    if _GENERATED_NAME.fullmatch(path.rpartition("/")[2]) or is_generated(start):
        return FileKind.GENERATED
    return FileKind.TEST if is_test(path, language) else FileKind.SOURCE
