"""Source code → FileFacts, in one parse and one query pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sonde.extract import module_name
from sonde.extract.bindings import read_locals
from sonde.extract.definitions import read_symbols
from sonde.extract.references import read_references
from sonde.extract.spans import Captures, read_spans
from sonde.extract.spec import LanguageSpec, load_query, load_spec
from sonde.extract.text_of import SourceText
from sonde.extract.unfinished import Reading, read_unfinished
from sonde.model import TYPE_KINDS, Diagnostic, FileFacts, Import, Reference, RefKind, Symbol

if TYPE_CHECKING:
    from sonde.extract.spec import Node

_REF_BASE = RefKind.BASE  # bound once: reading a member off its enum is slow


def extract_code(path: str, language: str, data: bytes, spec: LanguageSpec) -> FileFacts:
    """Facts of a file in a language we have a grammar for."""
    import tree_sitter

    text = _valid(data) if spec.respell is None else spec.respell(_valid(data))
    reader, spec = _reader(language, text, spec)
    parser, query = load_query(reader)
    root = parser.parse(text).root_node
    if spec.repair is not None and (root.has_error or _is_misread(text, spec)):
        repaired = spec.repair(text)
        if repaired != text:
            text, root = repaired, parser.parse(repaired).root_node
    source = SourceText(data)
    captures: Captures = tree_sitter.QueryCursor(query).captures(root)
    spans = read_spans(captures, source, spec)
    if root.has_error:
        read = Reading(root, captures, spans)
        root, captures, spans = read_unfinished(text, read, source, spec, reader)
    imports = _imports(captures, source, spec)
    symbols = read_symbols(spans, captures, source, spec, module_name(path))
    variables = read_locals(root, captures, source, spec, symbols)
    references, routes = read_references(captures, source, spec, symbols, imports, variables)
    if spec.mixins:
        symbols = _with_mixins(symbols, references, spec.mixins)
    return FileFacts(
        language=language,
        package=_package(root, source, spec),
        symbols=symbols,
        references=references,
        imports=imports,
        bindings=variables.bindings,
        routes=routes,
        diagnostics=_diagnostics(root),
        blocks=variables.blocks,
        in_blocks=variables.in_blocks,
    )


def _reader(language: str, text: bytes, spec: LanguageSpec) -> tuple[str, LanguageSpec]:
    """What reads a file: the language's own spec, or that of the dialect it is written in."""
    dialect = spec.dialect(text) if spec.dialect is not None else ""
    return (dialect, load_spec(dialect) or spec) if dialect else (language, spec)


def _is_misread(text: bytes, spec: LanguageSpec) -> bool:
    return spec.misread is not None and spec.misread.search(text) is not None


def _with_mixins(
    symbols: tuple[Symbol, ...], references: tuple[Reference, ...], where: str
) -> tuple[Symbol, ...]:
    """Types with the traits and mixins declared outside their heads, in this file."""
    added: dict[int, list[str]] = {}
    types = {each.name: at for at, each in enumerate(symbols) if each.kind in TYPE_KINDS}
    for reference in references:
        if reference.kind is not _REF_BASE:
            continue
        inside = where == "inside"
        at = reference.scope if inside else types.get(reference.receiver, 0)
        if inside and reference.args:
            at = next((i for i, s in enumerate(symbols) if s.qualname == reference.args), 0)
        name = f"{reference.receiver}.{reference.name}".lstrip(".") if inside else reference.name
        if symbols[at].kind not in TYPE_KINDS:
            continue
        known = added.setdefault(at, list(symbols[at].bases))
        if all(_last(each) != _last(reference.name) for each in known):
            known.append(name.replace("::", ".").replace("\\", ".").strip("."))
    return tuple(
        each._replace(bases=tuple(added[at])) if at in added else each
        for at, each in enumerate(symbols)
    )


def _last(name: str) -> str:
    return name.replace("::", ".").replace("\\", ".").rpartition(".")[2]


def _valid(data: bytes) -> bytes:
    """The bytes with invalid UTF-8 replaced by question marks, as a scanner may loop on it, and
    NUL by blanks: to a grammar the file ends there, be it in a text or a comment."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
        data = text.encode("utf-8", "replace")
    return data.replace(b"\0", b" ")


def _imports(captures: Captures, source: SourceText, spec: LanguageSpec) -> tuple[Import, ...]:
    nodes = sorted(captures.get("import", ()), key=lambda node: node.start_byte)
    return tuple(item for node in nodes for item in spec.imports(node, source))


def _package(root: Node, source: SourceText, spec: LanguageSpec) -> str:
    if spec.package is not None:
        return spec.package(source)
    if not spec.package_types:
        return ""
    for child in root.named_children[:200]:
        if child.type in spec.package_types:
            name = child.child_by_field_name("name") or (
                child.named_children[-1] if child.named_children else None
            )
            if name is not None:
                return source.of(name).replace("\\", ".").replace("::", ".").strip()
    return ""


def _diagnostics(root: Node) -> tuple[Diagnostic, ...]:
    if not root.has_error:
        return ()
    return (Diagnostic(1, "the file has syntax errors; what could be read is indexed"),)
