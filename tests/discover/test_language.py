"""The language of a file, by name, extension, shebang and content."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from walked import kinds, languages, reasons

from sonde.model import FileKind, SkipReason

Tree = Callable[..., Path]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"), ("a.pyi", "python"), ("a.jsx", "javascript"), ("a.mjs", "javascript"),
        ("a.ts", "typescript"), ("a.d.ts", "typescript"), ("a.tsx", "tsx"), ("A.java", "java"),
        ("a.kt", "kotlin"), ("a.scala", "scala"), ("a.go", "go"), ("a.rs", "rust"),
        ("a.rb", "ruby"), ("Rakefile", "ruby"), ("index.rss.builder", "ruby"), ("a.c", "c"),
        ("a.cc", "cpp"), ("a.hpp", "cpp"), ("a.cppm", "cpp"), ("build.mill", "scala"),
        ("A.cs", "csharp"), ("a.php", "php"), ("a.swift", "swift"), ("a.md", "markdown"),
        ("a.rst", "rst"), ("a.txt", ""), ("README", ""), ("A.PY", "python"), ("a.sh", "shell"),
    ],
)  # fmt: skip
def test_name_decides(tree: Tree, path: str, language: str) -> None:
    assert languages(tree({path: "x\n"})) == {path: language}


@pytest.mark.parametrize(
    "path",
    [
        "package.json", "go.mod", "Cargo.toml", "pyproject.toml", "pom.xml", "build.gradle",
        "build.gradle.kts", "Gemfile", "App.csproj", "composer.json", "CODEOWNERS",
        ".github/CODEOWNERS", "tsconfig.json", "requirements-dev.txt", "Makefile", "Dockerfile",
        "Dockerfile.dev", "setup.cfg", ".github/workflows/ci.yml",
    ],
)  # fmt: skip
def test_manifests_and_configuration_are_found(tree: Tree, path: str) -> None:
    assert kinds(tree({path: "x\n"})) == {path: FileKind.CONFIG}


@pytest.mark.parametrize(
    ("start", "language"),
    [
        ("#!/usr/bin/env python3\n", "python"),
        ("#!/usr/bin/python3.11 -u\n", "python"),
        ("#!/usr/bin/env -S node --flag\n", "javascript"),
        ("#!/usr/bin/env FOO=1 ruby\n", "ruby"),
        ("#! /bin/bash\n", "shell"),
        ("<?php echo 1;\n", "php"),
        ("// -*- mode: C++ -*-\n", "cpp"),
        ("# vim: set ft=ruby :\n", "ruby"),
    ],
)
def test_content_decides_when_the_name_does_not(tree: Tree, start: str, language: str) -> None:
    root = tree({"tool": start, "tool.unheard": start})
    assert languages(root) == {"tool": language, "tool.unheard": language}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("#ifndef A_H\nstruct a { int class_id; };\nint f(void);\n", "c"),
        ('#ifdef __cplusplus\nextern "C" {\nnamespace x {}\n#endif\nint f(void);\n', "c"),
        ("/* used by a class of callers: see std notes */\nint f(void);\n", "c"),
        ("namespace a {\n}\n", "cpp"),
        ("class A {\n public:\n  A();\n};\n", "cpp"),
        ("#include <vector>\nint f();\n", "cpp"),
        ("int f(const std::string& s);\n", "cpp"),
    ],
)
def test_header_is_told_apart_by_content(tree: Tree, header: str, language: str) -> None:
    assert languages(tree({"a.h": header})) == {"a.h": language}


def test_translation_sources_with_a_code_extension_are_not_code(tree: Tree) -> None:
    assert languages(tree({"app_de.ts": '<?xml version="1.0"?>\n<TS></TS>\n'})) == {
        "app_de.ts": "xml"
    }


def test_unknown_files_and_lock_files_have_a_reason(tree: Tree) -> None:
    root = tree({"a.zzz": "words\n", "empty": "", "yarn.lock": "x\n", "go.sum": "x\n"})
    assert reasons(root) == {
        "a.zzz": SkipReason.UNKNOWN_LANGUAGE,
        "empty": SkipReason.UNKNOWN_LANGUAGE,
        "go.sum": SkipReason.DATA_BLOB,
        "yarn.lock": SkipReason.DATA_BLOB,
    }
