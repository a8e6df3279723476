"""Compares what a source string says with what a test expects, fact by fact."""

from __future__ import annotations

from sonde.extract import extract
from sonde.model import FileFacts, RefKind, Symbol


def facts_of(language: str, source: str, path: str = "dir/file.x") -> FileFacts:
    """Facts of a source string."""
    return extract(path, language, source.encode())


def outline(facts: FileFacts) -> list[str]:
    """Every definition but the module as "kind qualname first-last"."""
    return [f"{s.kind} {s.qualname} {s.start_line}-{s.end_line}" for s in facts.symbols[1:]]


def symbol(facts: FileFacts, qualname: str) -> Symbol:
    """The first symbol of a qualified name."""
    return next(s for s in facts.symbols if s.qualname == qualname)


def around(facts: FileFacts, scope: int) -> Symbol:
    """The symbol that a scope is, or that the block is in."""
    while scope >= len(facts.symbols):
        scope = facts.blocks[scope - len(facts.symbols)]
    return facts.symbols[scope]


def uses(facts: FileFacts, scope: str, kind: RefKind) -> list[str]:
    """What a symbol uses in one way, as "receiver|name" or "name", in source order."""
    return [
        f"{r.receiver}|{r.name}" if r.receiver else r.name
        for r in facts.references
        if r.kind is kind and around(facts, r.scope).qualname == scope
    ]


def survives_damage(language: str, source: str) -> None:
    """Every prefix and many mutations of a source extract without an exception."""
    data = source.encode()
    step = max(1, len(data) // 150)
    for cut in range(0, len(data), step):
        extract("dir/file.x", language, data[:cut])
        damaged = bytearray(data)
        damaged[cut] = (cut * 7919 + 13) % 256
        damaged[(cut * 31) % len(data)] = b"(){}[]<>\"'\0\xff"[cut % 12]
        facts = extract("dir/file.x", language, bytes(damaged))
        assert all(0 <= s.parent < len(facts.symbols) for s in facts.symbols[1:])
