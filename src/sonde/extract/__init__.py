"""bytes → FileFacts. Broken source is data: nothing here raises for a file's content."""

from __future__ import annotations

from pathlib import PurePosixPath

from sonde.model import Diagnostic, FileFacts

EXTRACTOR_VERSION = 50  # part of the key of stored facts; raise it when they or their bytes change

_TEXT = frozenset({"markdown", "rst", "text", ""})


def extract(path: str, language: str, data: bytes) -> FileFacts:
    """All facts that one file yields by itself."""
    from sonde.extract.spec import load_spec

    spec = load_spec(language)
    if spec is not None and spec.host is not None:
        from sonde.extract.component import extract_component

        return extract_component(path, language, data, spec)
    if spec is not None:
        from sonde.extract.code import extract_code

        return extract_code(path, language, data, spec)
    if language in _TEXT:
        from sonde.extract.prose import extract_prose

        return extract_prose(path, language, data)
    from sonde.extract.settings_files import extract_settings

    return extract_settings(path, language, data)


def module_name(path: str) -> str:
    """The name under which a file is imported: its stem, or its folder for an index file."""
    pure = PurePosixPath(path)
    if pure.stem in ("__init__", "index", "mod") and pure.parent.name:
        return pure.parent.name
    return pure.stem


__all__ = ["EXTRACTOR_VERSION", "Diagnostic", "extract", "module_name"]
