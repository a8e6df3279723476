"""The language of a file: by name, extension, shebang, then content."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.model import FileKind, SkipReason


class Named(NamedTuple):
    """What a name alone tells: a language with its kind, or why the file is left out."""

    language: str
    kind: FileKind
    reason: SkipReason | None = None
    detail: str = ""


CODE_EXTENSIONS = {
    "python": "py pyi pyw",
    "javascript": "js jsx mjs cjs",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "java": "java",
    "kotlin": "kt kts",
    "scala": "scala sc sbt mill",
    "go": "go",
    "rust": "rs",
    "ruby": "rb rake gemspec ru rbi builder jbuilder",
    "c": "c h",  # .h may turn out to be C++
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp ixx cppm cu cuh ino",
    "csharp": "cs csx",
    "php": "php php5 php7 phtml",
    "swift": "swift",
    "vue": "vue",
    "svelte": "svelte",
    "astro": "astro",
}
_TEXT_EXTENSIONS = {
    "markdown": "md markdown mdx mdown",
    "rst": "rst",
    "": "txt text adoc asciidoc org",
    "shell": "sh bash zsh fish ksh bats",
    "powershell": "ps1 psm1",
    "batch": "bat cmd",
    "gherkin": "feature",
    "sql": "sql",
    "html": "html htm xhtml jinja j2 jinja2 erb ejs hbs liquid haml slim",
    "template": "tmpl tpl mustache",
    "css": "css scss sass less",
    "protobuf": "proto",
    "thrift": "thrift",
    "graphql": "graphql gql",
}
_CONFIG_EXTENSIONS = {
    "json": "json json5 jsonc webmanifest",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg conf properties editorconfig",
    "xml": "xml csproj fsproj vbproj props targets xsd wsdl plist",
    "gradle": "gradle",
    "make": "mk mak",
    "cmake": "cmake",
    "starlark": "bzl bazel star",
    "terraform": "tf tfvars hcl",
    "solution": "sln",
}
_CODE_NAMES = {
    "ruby": "Rakefile Capfile Guardfile Fastfile Podfile Brewfile Vagrantfile Thorfile",
    "python": "SConstruct SConscript wscript",
}
_TEXT_NAMES = {
    "": """LICENSE LICENCE COPYING NOTICE AUTHORS CONTRIBUTORS MAINTAINERS README CHANGELOG
        CHANGES HISTORY INSTALL NEWS TODO""",
    "cmake": "CMakeLists.txt",
}
_CONFIG_NAMES = {
    "gomod": "go.mod go.work",
    "gradle": "build.gradle settings.gradle build.gradle.kts settings.gradle.kts",
    "ruby": "Gemfile gems.rb",
    "json": ".babelrc .eslintrc .prettierrc .swcrc",
    "requirements": "requirements.txt constraints.txt",
    "codeowners": "CODEOWNERS",
    "make": "Makefile makefile GNUmakefile",
    "docker": "Dockerfile Containerfile",
    "starlark": "BUILD WORKSPACE",
    "ini": "Pipfile .gitmodules .flake8 .coveragerc .pylintrc",
    "jenkins": "Jenkinsfile",
    "procfile": "Procfile",
}
_LOCK_FILES = """package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb
    Cargo.lock go.sum go.work.sum Gemfile.lock composer.lock poetry.lock Pipfile.lock uv.lock
    pdm.lock mix.lock pubspec.lock Podfile.lock Package.resolved packages.lock.json flake.lock
    gradle.lockfile deno.lock Cartfile.resolved"""
_DATA_EXTENSIONS = """csv tsv ndjson jsonl geojson svg po pot map snap log pem crt cer key pub
    ipynb parquet lock sum dbf xlf xliff eps ps ldif vcf wkt srt"""
_BINARY_EXTENSIONS = """png jpg jpeg gif ico icns webp bmp tif tiff psd avif heic mp3 mp4 wav ogg
    flac avi mov webm mkv woff woff2 ttf otf eot pdf doc docx xls xlsx ppt pptx odt zip gz tgz bz2
    xz zst 7z rar tar jar war ear whl egg nupkg deb rpm dmg iso exe dll so dylib a o lib obj class
    pyc pyo pyd wasm bin dat db sqlite sqlite3 mo pb pkl npy npz h5 onnx pt pth tflite rdb mmdb shp
    shx keystore jks p12 pfx der swf fdb idx pack"""
_SETTLED_UNKNOWN_NAMES = """.gitignore .gitattributes .gitkeep .keep .npmignore .dockerignore
    .sondeignore .agenticcodexignore .eslintignore .prettierignore .mailmap .DS_Store .git"""

CODE_LANGUAGES = frozenset(CODE_EXTENSIONS)

_INTERPRETERS = {
    "python": "python", "pypy": "python", "node": "javascript", "nodejs": "javascript",
    "deno": "typescript", "bun": "typescript", "ts-node": "typescript", "tsx": "typescript",
    "ruby": "ruby", "jruby": "ruby", "php": "php", "scala": "scala", "kotlin": "kotlin",
    "swift": "swift", "sh": "shell", "bash": "shell", "zsh": "shell", "dash": "shell",
    "ksh": "shell", "fish": "shell", "bats": "shell", "make": "make", "rust-script": "rust",
}  # fmt: skip
_MODES = {"c++": "cpp", "js": "javascript", "golang": "go", "sh": "shell", "bash": "shell"}
_MODELINE = re.compile(
    rb"-\*-[ \t]*(?:mode:[ \t]*)?([\w+#]+)[ \t]*(?:;[^\n]*)?-\*-"
    rb"|\bvim?:[^\n]*\b(?:ft|filetype)=(\w+)",
    re.IGNORECASE,
)
_CPP_MARKS = re.compile(
    rb"^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|using[ \t]+(?:namespace\b|\w+[ \t]*=)"
    rb"|(?:public|private|protected)[ \t]*:|virtual[ \t]|constexpr\b|enum[ \t]+class\b"
    rb"|\#[ \t]*include[ \t]*<(?:string|vector|memory|map|utility|functional|algorithm|iostream"
    rb"|type_traits|cstd\w+|array|optional|unordered_\w+)>)|\bstd::",
    re.MULTILINE,
)
# C headers made usable from C++ mention it only inside this guard
_CPP_GUARD = re.compile(
    rb"#[ \t]*if(?:def[ \t]+|[ \t]+defined[ (]*)__cplusplus.*?#[ \t]*endif", re.DOTALL
)


def _table(groups: dict[str, str], kind: FileKind) -> dict[str, Named]:
    return {key: Named(language, kind) for language, keys in groups.items() for key in keys.split()}


def _left_out(keys: str, kind: FileKind, reason: SkipReason, detail: str) -> dict[str, Named]:
    return {key: Named("", kind, reason, detail) for key in keys.split()}


_BY_EXTENSION: dict[str, Named] = {
    **_left_out(_BINARY_EXTENSIONS, FileKind.BINARY, SkipReason.BINARY, ""),
    **_left_out(_DATA_EXTENSIONS, FileKind.TEXT, SkipReason.DATA_BLOB, ""),
    **_table(_CONFIG_EXTENSIONS, FileKind.CONFIG),
    **_table(_TEXT_EXTENSIONS, FileKind.TEXT),
    **_table(CODE_EXTENSIONS, FileKind.SOURCE),
}
_BY_NAME: dict[str, Named] = {
    **_left_out(_SETTLED_UNKNOWN_NAMES, FileKind.TEXT, SkipReason.UNKNOWN_LANGUAGE, ""),
    **_left_out(_LOCK_FILES, FileKind.CONFIG, SkipReason.DATA_BLOB, "lock file"),
    **_table(_TEXT_NAMES, FileKind.TEXT),
    **_table(_CONFIG_NAMES, FileKind.CONFIG),
    **_table(_CODE_NAMES, FileKind.SOURCE),
}
_MINIFIED = Named("", FileKind.MINIFIED, SkipReason.MINIFIED)
_MINIFIED_ENDINGS = (".min.js", ".min.mjs", ".min.css", "-min.js", ".bundle.js", ".chunk.js")


def named(name: str) -> Named | None:
    """What a file's name tells; None when only its content can tell."""
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    stem, dot, extension = name.rpartition(".")
    if not dot:
        return None
    found = _BY_EXTENSION.get(extension) or _BY_EXTENSION.get(extension.lower())
    if name.endswith(_MINIFIED_ENDINGS):
        return _MINIFIED
    if found is None and stem in ("Dockerfile", "Makefile", "Jenkinsfile"):
        return _BY_NAME[stem]
    if extension == "txt" and stem.startswith("requirements"):
        return _BY_NAME["requirements.txt"]
    return found


def kind_of_language(language: str) -> FileKind:
    """Source for code, otherwise text or configuration."""
    if language in CODE_LANGUAGES:
        return FileKind.SOURCE
    return FileKind.CONFIG if language in _CONFIG_EXTENSIONS else FileKind.TEXT


def language_by_content(start: bytes) -> str | None:
    """The language of a file whose name tells nothing: by shebang, modeline or opening tag."""
    first, _, rest = start.partition(b"\n")
    if first.startswith(b"#!"):
        return _language_of_shebang(first[2:256].decode("utf-8", "replace"))
    if mode := _MODELINE.search(first[:400] + b"\n" + rest[:400]):
        word = (mode[1] or mode[2]).decode("ascii", "replace").lower()
        language = _MODES.get(word, word)
        if language in CODE_LANGUAGES or language in _MODES.values():
            return language
    opening = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if opening.startswith(b"<?php"):
        return "php"
    return "xml" if opening.startswith(b"<?xml") else None


def refined(language: str, start: bytes) -> str:
    """The language once the content is seen, for extensions that two languages share."""
    if language == "typescript" and start.lstrip()[:5] == b"<?xml":
        return "xml"  # translation sources of a GUI toolkit carry the same extension
    return language


def language_of_header(start: bytes) -> str:
    """C or C++ for a `.h` file. Siblings have no say: they may change while it does not."""
    return "cpp" if _CPP_MARKS.search(_CPP_GUARD.sub(b"", start)) else "c"


def _language_of_shebang(line: str) -> str | None:
    words = [word for word in line.split() if not word.startswith("-") and "=" not in word]
    programs = [word.rpartition("/")[2] for word in words]
    program = next((each for each in programs if each != "env"), "")
    return _INTERPRETERS.get(program) or _INTERPRETERS.get(program.rstrip("0123456789."))
