"""Environment reads and process starts, found by their well-known calls.

The calls are fixed by each standard library, and one regular expression per language over the
bytes costs a hundredth of a query pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sonde.model import Reference, RefKind

if TYPE_CHECKING:
    from sonde.extract.text_of import SourceText

_NAME = r"\(?\s*[\"'](?P<name>[A-Za-z_][A-Za-z0-9_.]*)[\"']"

_ENV: dict[str, str] = {
    "python": r"os\.environ(?:\.get|\.pop|\.setdefault)?\s*[\[(]\s*[\"'](?P<name>\w+)|os\.getenv"
    + _NAME,
    "javascript": r"process\.env(?:\.(?P<name>\w+)|\[[\"'](?P<quoted>\w+))",
    "go": r"os\.(?:Getenv|LookupEnv)" + _NAME,
    "rust": r"env::var(?:_os)?\s*" + _NAME + r"|\benv!\s*\(\"(?P<quoted>\w+)",
    "ruby": r"\bENV(?:\.fetch\s*\(|\.key\?\s*\(|\[)\s*[\"'](?P<name>\w+)",
    "java": r"System\.getenv\s*" + _NAME,
    "csharp": r"Environment\.GetEnvironmentVariable\s*" + _NAME,
    "php": r"\bgetenv\s*" + _NAME + r"|\$_(?:ENV|SERVER)\[[\"'](?P<quoted>\w+)",
    "c": r"\bgetenv\s*" + _NAME,
    "swift": r"environment\[\"(?P<name>\w+)",
}

_ARG = r"\(\s*\[?\s*[\"'](?P<name>[^\"'\s]{1,80})"

_PROCESS: dict[str, str] = {
    "python": r"(?:subprocess\.(?:run|Popen|call|check_call|check_output)"
    r"|os\.(?:system|popen|exec\w+)|create_subprocess_(?:exec|shell))\s*" + _ARG,
    "javascript": r"\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\s*" + _ARG,
    "go": r"exec\.Command(?:Context)?\s*\((?:\s*\w+\s*,)?\s*\"(?P<name>[^\"\s]{1,80})",
    "rust": r"Command::new\s*\(\s*\"(?P<name>[^\"\s]{1,80})",
    "ruby": r"\b(?:system|exec|spawn|popen[23]?e?|capture[23]e?)\s*\(?\s*"
    r"[\"'](?P<name>[^\"'\s]{1,80})",
    "java": r"(?:new\s+ProcessBuilder|\.exec)\s*" + _ARG,
    "csharp": r"Process\.Start\s*" + _ARG,
    "php": r"\b(?:exec|shell_exec|system|passthru|proc_open|popen)\s*" + _ARG,
    "c": r"\b(?:system|popen|exec[lv]p?e?)\s*" + _ARG,
}

_SAME_AS = {
    "typescript": "javascript",
    "tsx": "javascript",
    "kotlin": "java",
    "scala": "java",
    "cpp": "c",
}
# Words that a file must contain before the expression is tried: a plain search for a word is many
# times as fast.
_ENV_WORDS: dict[str, tuple[bytes, ...]] = {
    "python": (b"os.environ", b"os.getenv"),
    "javascript": (b"process.env",),
    "go": (b"os.Getenv", b"os.LookupEnv"),
    "rust": (b"env::var", b"env!"),
    "ruby": (b"ENV",),
    "java": (b"System.getenv",),
    "csharp": (b"Environment.GetEnvironmentVariable",),
    "php": (b"getenv", b"$_ENV", b"$_SERVER"),
    "c": (b"getenv",),
    "swift": (b"environment[",),
}
_PROCESS_WORDS: dict[str, tuple[bytes, ...]] = {
    "python": (b"subprocess", b"os.system", b"os.popen", b"os.exec"),
    "javascript": (b"spawn", b"exec", b"fork"),
    "go": (b"exec.Command",),
    "rust": (b"Command::new",),
    "ruby": (b"system", b"exec", b"spawn", b"popen", b"capture"),
    "java": (b"ProcessBuilder", b".exec"),
    "csharp": (b"Process.Start",),
    "php": (b"exec", b"system", b"passthru", b"proc_open", b"popen"),
    "c": (b"system", b"popen", b"exec"),
}


class _Search(NamedTuple):
    kind: RefKind
    words: tuple[bytes, ...]
    pattern: re.Pattern[bytes]


@cache
def _searches(language: str) -> tuple[_Search, ...]:
    language = _SAME_AS.get(language, language)
    tables = ((RefKind.ENV, _ENV, _ENV_WORDS), (RefKind.PROCESS, _PROCESS, _PROCESS_WORDS))
    searches = []
    for kind, expressions, words in tables:
        if language in expressions:
            # a group name can be used only once
            text = expressions[language].replace("(?P<name>", "(").replace("(?P<quoted>", "(")
            searches.append(_Search(kind, words[language], re.compile(text.encode())))
    return tuple(searches)


_IMPORTING = (
    b"from os import",
    b"from subprocess import",
    b"import os as",
    b"import subprocess as",
)
_IMPORTED = re.compile(
    rb"\b(?:from (?P<module>os|subprocess) import"
    rb"|import (?P<whole>os|subprocess) as (?P<alias>\w+))"
)


@cache
def _renamed(module: bytes, alias: bytes) -> tuple[_Search, ...]:
    """Python's expressions for a file that imports `os` or `subprocess` under another name, or
    imports from them."""
    found = []
    told = re.escape(module + b".")
    spelled = re.escape(alias + b".") if alias else rb"(?<![\w.])"
    for kind, _, pattern in _searches("python"):
        text = pattern.pattern.replace(told, spelled)
        if text != pattern.pattern:
            found.append(_Search(kind, (b"",), re.compile(text)))
    return tuple(found)


def _searches_of(data: bytes, language: str) -> Iterator[_Search]:
    yield from _searches(language)
    if language == "python" and any(words in data for words in _IMPORTING):
        names = {(m["module"] or m["whole"], m["alias"] or b"") for m in _IMPORTED.finditer(data)}
        for module, alias in sorted(names):
            yield from _renamed(module, alias)


def read_effects(source: SourceText, language: str) -> Iterator[tuple[int, Reference]]:
    """(byte, reference without line and scope) of each environment read and process start."""
    data = source.data
    seen: set[int] = set()  # a file that spells a module in two ways yields some hits twice
    for kind, words, pattern in _searches_of(data, language):
        if not any(word in data for word in words):
            continue
        for match in pattern.finditer(data):
            name = next((group for group in match.groups() if group), b"")
            if name and match.start() not in seen:
                seen.add(match.start())
                yield match.start(), Reference(kind, name.decode("utf-8", "replace"), "", 0, 0)
