"""Small workspaces written as text: extracted, entered into tables and linked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sonde.extract import extract
from sonde.link.file import link_file
from sonde.link.fingerprint import config_keys, table_keys
from sonde.link.links import FileLinks
from sonde.link.manifests import is_manifest, project_config
from sonde.link.tables import FileEntry, Memory
from sonde.model import EdgeKind, FileFacts, FileKind, Provenance

LANGUAGES = {
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "tsx": "tsx",
    "java": "java",
    "kt": "kotlin",
    "scala": "scala",
    "go": "go",
    "rs": "rust",
    "rb": "ruby",
    "c": "c",
    "h": "c",
    "cpp": "cpp",
    "hpp": "cpp",
    "cs": "csharp",
    "php": "php",
    "swift": "swift",
    "vue": "vue",
    "svelte": "svelte",
    "md": "markdown",
}


def kind_of(path: str) -> FileKind:
    name = path.rpartition("/")[2]
    if name.endswith(".md"):
        return FileKind.TEXT
    tested = name.startswith("test_") or name.split(".")[0].endswith(("_test", "Test"))
    return FileKind.TEST if tested else FileKind.SOURCE


@dataclass
class Workspace:
    """Files and their links; ids belong to (path, qualified name, position) for good."""

    texts: dict[str, str] = field(default_factory=dict)
    ids: dict[tuple[str, str, int], int] = field(default_factory=dict)
    file_ids: dict[str, int] = field(default_factory=dict)

    def facts(self, path: str) -> FileFacts:
        language = LANGUAGES.get(path.rpartition(".")[2], "")
        return extract(path, language, self.texts[path].encode())

    def symbol_ids(self, path: str, facts: FileFacts) -> list[int]:
        counts: dict[str, int] = {}
        found = []
        for symbol in facts.symbols:
            number = counts[symbol.qualname] = counts.get(symbol.qualname, 0) + 1
            key = (path, symbol.qualname, number)
            found.append(self.ids.setdefault(key, len(self.ids) + 1))
        return found

    def entry(self, path: str, facts: FileFacts, ids: list[int]) -> FileEntry:
        number = self.file_ids.setdefault(path, len(self.file_ids) + 1)
        return FileEntry(number, path, facts.language, facts.package, kind_of(path), ids[0])


@dataclass
class Index:
    """A workspace in memory, with what each file consulted and contributed."""

    workspace: Workspace
    memory: Memory
    files: dict[str, tuple[FileEntry, FileFacts, list[int]]] = field(default_factory=dict)
    links: dict[str, FileLinks] = field(default_factory=dict)
    keys: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, path: str) -> None:
        facts = self.workspace.facts(path)
        ids = self.workspace.symbol_ids(path, facts)
        entry = self.workspace.entry(path, facts, ids)
        self.files[path] = (entry, facts, ids)
        self.memory.add(entry, facts, ids)
        self.keys[path] = table_keys(entry, facts, ids)

    def link(self, path: str) -> None:
        self.links[path] = link_file(*self.files[path], self.memory)

    def name_of(self) -> dict[int, str]:
        return {
            id: f"{path}:{symbol.qualname}" if position else path
            for path, (_, facts, ids) in self.files.items()
            for position, (id, symbol) in enumerate(zip(ids, facts.symbols, strict=True))
        }

    def edges(self, kind: EdgeKind) -> set[str]:
        """Edges of a kind as "file:source -> file:target"."""
        names = self.name_of()
        return {
            f"{names[edge.source]} -> {names[edge.target]}"
            for links in self.links.values()
            for edge in links.edges
            if edge.kind is kind
        }

    def unresolved(self) -> set[str]:
        """The unresolved names with their candidates."""
        names = self.name_of()
        return {
            f"{each.name} ? {', '.join(names[id] for id in each.candidates)}"
            for links in self.links.values()
            for each in links.unresolved
        }

    def leaves(self) -> set[str]:
        names = self.name_of()
        return {
            f"{names[leaf.source]} {leaf.kind.name} {leaf.label}"
            for links in self.links.values()
            for leaf in links.leaves
        }


def index_of(workspace: Workspace) -> Index:
    texts = workspace.texts
    config = project_config((path, text) for path, text in texts.items() if is_manifest(path))
    index = Index(workspace, Memory(config))
    for path in sorted(texts):
        index.add(path)
    for path in sorted(texts):
        index.link(path)
    index.keys[""] = config_keys(config)
    return index


def linked(texts: Mapping[str, str]) -> Index:
    """Index these files from scratch."""
    return index_of(Workspace(dict(texts)))


def calls(index: Index, kind: EdgeKind = EdgeKind.CALLS) -> set[str]:
    """Calls as "source -> target@line of it", "?" behind those that are not resolved."""
    at = {
        id: f"{symbol.qualname}@{symbol.start_line}"
        for _, facts, ids in index.files.values()
        for id, symbol in zip(ids, facts.symbols, strict=True)
    }
    return {
        f"{at[edge.source].partition('@')[0]} -> {at[edge.target]}"
        + ("?" if edge.provenance is Provenance.OVERLOAD else "")
        for links in index.links.values()
        for edge in links.edges
        if edge.kind is kind
    }
