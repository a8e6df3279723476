"""Files and folders named in a text, links to lines of code, and modules read as paths."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.expression import expression
from sonde.model import Frame
from sonde.understand.words import word_set

CODE_EXTENSIONS = (
    "py|pyi|pyx|ipynb|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|java|kt|kts|scala|sc|groovy|gradle|"
    "go|rs|rb|rake|erb|cs|fs|vb|php|phtml|c|h|cc|cpp|cxx|hpp|hh|hxx|inl|m|mm|swift|dart|lua|pl|pm|"
    "r|jl|ex|exs|erl|hs|ml|mli|clj|cljs|elm|nim|zig|sol|sh|bash|zsh|ps1|bat|sql|proto|thrift|"
    "graphql|tf|cmake|mk"
)
_TEXT_EXTENSIONS = (
    "md|rst|html|htm|css|scss|sass|less|json|yaml|yml|toml|ini|cfg|conf|xml|tmpl|lock"
)
_EXTENSIONS = f"{CODE_EXTENSIONS}|{_TEXT_EXTENSIONS}"

# A one-letter extension needs a folder or another sign: "r.h" occurs in prose and in code.
_FILE = expression(
    r"(?<![\w@/\\.$-])((?:[A-Za-z]:)?(?:~|\.{1,2})?[\\/]?(?:[\w.@+-]{1,80}[\\/]){0,14}"
    rf"[\w@+-][\w.@+-]{{0,78}}\.(?:{_EXTENSIONS}))(?![\w/\\(-]|"
    rf"\.\w)(?:\#L(\d{{1,6}})|:(\d{{1,6}}))?",
)
_FOLDER = expression(
    r"(?<![\w@/\\.<:$-])((?:\.{0,2}/)?(?:[A-Za-z_][\w.-]{0,60}/){1,12}(?:[A-Za-z_][\w-]{0,60})?)(?![\w/:])"
)
_ROOTS = word_set(
    "src lib libs test tests spec app apps pkg packages cmd internal crates include docs doc "
    "examples scripts tools bin core server client api modules components utils"
)
_NOT_FOLDERS = word_set(
    "application text image audio video multipart and either input read client on he true yes "
    "open get import tcp km i n w c a s"
)
_WELL_KNOWN = expression(
    r"(?<![\w/.-])(Makefile|Dockerfile|Rakefile|Gemfile|CMakeLists\.txt)(?!\w)"
)
_URL = expression(
    r"\b(?:https?|ftp|ssh|git|file|wss?)://[^\s<>\"'`)\]]{1,2000}|\bwww\.[^\s<>\"')\]]{1,500}"
)
_BLOB = expression(
    r"(?:github|gitlab|bitbucket)[\w.-]*/[\w.-]+/[\w.-]+/(?:-/)?(?:blob|blame|"
    r"raw|src)/[^/\s]+/([^\s#?]+)"
    r"(?:\?[^\s#]*)?(?:#L?(?:ines-)?(\d{1,6}))?"
)
_BRAND_FILE = expression(
    r"(?:node|vue|next|nuxt|three|d3|express|react|angular|ember|backbone|moment|chart)\.js$", re.I
)
_SCHEME = expression(
    r"^(?:file:/*(?=/)|webpack(?:-internal)?:/+|app:/+|https?://[^/]+/|[A-Za-z]:(?=/))"
)
_INSTALLED = expression(
    r"^.*/(?:(?:site|dist)-packages/|node_modules/|pkg/mod/[^@]*@[^/]*/|registry/src/[^/]+/[^/]+/|"
    r"gems/[\w.-]+-\d[\w.]*/)"
)
_HERE = expression(r"^\(?(?:~|\.{1,2})/(?:\.\.?/)*")
_SLASHES = expression(r"/{2,}")


class Places(NamedTuple):
    """Where a text points: paths in order of appearance, linked lines, and the remaining text."""

    paths: tuple[str, ...]
    links: tuple[Frame, ...]
    rest: str  # the text with URLs and paths overwritten by spaces


def find_places(text: str) -> Places:
    """File and folder paths in a text; URLs are set aside, links into code hosts are followed."""
    links: list[Frame] = []

    def set_aside(match: re.Match[str]) -> str:
        blob = _BLOB.search(match.group())
        if blob:
            links.append(Frame(blob.group(1).rstrip(".,;"), int(blob.group(2) or 0)))
        return " " * len(match.group())

    rest = _URL.sub(set_aside, text) if "://" in text or "www." in text else text
    found: list[tuple[int, str]] = []
    for match in _FILE.finditer(rest):
        path = normal_path(match.group(1))
        if path and not _is_prose_file(path, match.group(1)):
            found.append((match.start(), path))
            line = match.group(2) or match.group(3)
            if line:
                links.append(Frame(path, int(line)))
    rest = _FILE.sub(_blank_file, rest) if found else rest
    for match in _FOLDER.finditer(rest):
        if _is_folder(match.group(1)):
            found.append((match.start(), normal_path(match.group(1).rstrip("/"))))
    found += [(match.start(), match.group(1)) for match in _WELL_KNOWN.finditer(rest)]
    ordered = [link.file for link in links] + [path for _, path in sorted(found)]
    return Places(tuple(dict.fromkeys(path for path in ordered if path)), tuple(links), rest)


def normal_path(path: str) -> str:
    """A path as the repository would spell it: slashes, no drive, scheme or install prefix."""
    path = path.replace("\\", "/")
    path = _SCHEME.sub("", path)
    path = _INSTALLED.sub("", path)
    path = _HERE.sub("", path)
    return _SLASHES.sub("/", path)


def module_path(dotted: str) -> str:
    """The folder or file a dotted module name stands for: pkg.db.models → pkg/db/models."""
    return dotted.strip(".").replace("::", "/").replace("\\", "/").replace(".", "/")


def _blank_file(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _is_prose_file(path: str, written: str) -> bool:
    if "/" in path:
        return False
    extension = path.rsplit(".", 1)[1]
    if len(extension) == 1 and extension in "mrhc":
        return len(path) < 5
    return bool(_BRAND_FILE.match(written))


def _is_folder(path: str) -> bool:
    parts = [part for part in path.strip("./").split("/") if part]
    if len(parts) < 2 and not path.endswith("/"):
        return False
    if not parts or parts[0].lower() in _NOT_FOLDERS or any(len(part) < 2 for part in parts):
        return False
    if parts[0] in _ROOTS or path.startswith(("./", "../")):
        return len(parts) > 1 or path.endswith("/")
    return len(parts) > 2 and all(part == part.lower() or "_" in part for part in parts)
