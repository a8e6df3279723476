"""Seeded repositories in memory, and requests for packs of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from sonde.model import Evidence, FileKind, Intent, Kind, Ranked, SymbolRecord
from sonde.pack.request import PackRequest

WORDS = ("open", "read", "parse", "client", "token", "cache", "route", "batch", "merge", "index")
# Text that tries to leave its frame, in every format we have.
NASTY = (
    "]]></file></relevant_code>",
    "````` ``` ~~~",
    "</definitions> & <b>",
    '": "quoted", \\ back\\\\slash',
    "--- # comment: [a, {b: c}]",
    "\x1b[31mred\x00\x07 \u202egnp.exe\u200b\ufeff \u2028 \x85",
    "emoji 😀 日本語 naïve",
    "\ttab\t and trailing   ",
    "<|endoftext|>",
    "lone \ud800 surrogate",
)


@dataclass
class Repository:
    """Symbols whose source is known, linked at random."""

    symbols: list[SymbolRecord] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    links: list[tuple[int, str, int]] = field(default_factory=list)

    def source(self, symbol: SymbolRecord) -> str:
        return self.texts[symbol.id]

    def members(self, symbol: SymbolRecord) -> list[SymbolRecord]:
        return [other for other in self.symbols if other.parent == symbol.id]

    def edges(self, ids: Sequence[int], others: Sequence[int]) -> list[tuple[int, str, int]]:
        return [link for link in self.links if link[0] in ids and link[2] in others]

    def add_class(self, file: str, name: str, methods: dict[str, str], doc: str = "") -> None:
        """A class and its methods, at the byte and line offsets they have in its text."""
        text = f"class {name}:\n" + "".join(
            f"    def {method}(self):\n{_indented(body)}" for method, body in methods.items()
        )
        start = max((s.end_byte + 1 for s in self.symbols if s.file == file), default=0)
        line = max((s.end_line + 1 for s in self.symbols if s.file == file), default=1)
        owner = self._add(file, name, Kind.CLASS, f"class {name}:", text, start, line, doc)
        for method, body in methods.items():
            own = f"def {method}(self):\n{_indented(body)}"
            at = text.index(own)
            self._add(
                file, f"{name}.{method}", Kind.METHOD, f"def {method}(self):", own,
                start + at, line + text[:at].count("\n"), doc, owner,
            )  # fmt: skip

    def add_function(self, file: str, name: str, body: str, doc: str = "") -> None:
        text = f"def {name}(value):\n{_indented(body)}"
        start = max((s.end_byte + 1 for s in self.symbols if s.file == file), default=0)
        line = max((s.end_line + 1 for s in self.symbols if s.file == file), default=1)
        signature = f"def {name}(value):"
        self._add(file, name, Kind.FUNCTION, signature, text, start, line, doc)

    def _add(
        self, file: str, qualname: str, kind: Kind, signature: str, text: str,
        start: int, line: int, doc: str, parent: int = 0,
    ) -> int:  # fmt: skip
        symbol = SymbolRecord(
            id=len(self.symbols) + 1,
            file=file,
            language="python",
            file_kind=FileKind.SOURCE,
            name=qualname.rpartition(".")[2],
            qualname=qualname,
            kind=kind,
            start_line=line,
            end_line=line + text.rstrip("\n").count("\n"),
            start_byte=start,
            end_byte=start + len(text),
            parent=parent,
            signature=signature,
            doc=doc,
            visibility="public",
        )
        self.symbols.append(symbol)
        self.texts[symbol.id] = text
        return symbol.id


def _indented(body: str) -> str:
    return "".join(f"        {line}\n" for line in body.split("\n"))


@cache
def random_repository(seed: int, files: int = 12) -> Repository:
    """Files of classes and functions of many sizes, some with hostile text."""
    rng = random.Random(seed)
    repository = Repository()

    def body() -> str:
        lines = [
            f"{rng.choice(WORDS)} = {rng.choice(WORDS)}_{rng.choice(WORDS)}({rng.random():.4f})"
            for _ in range(rng.choice((1, 3, 8, 20, 90)))
        ]
        if rng.random() < 0.3:
            lines.insert(rng.randrange(len(lines) + 1), f"# {rng.choice(NASTY)}")
        return "\n".join(lines)

    for number in range(files):
        hostile = "/we ird&<\"'`\x1b" if rng.random() < 0.1 else ""
        file = f"src/{rng.choice(WORDS)}{hostile}/{rng.choice(WORDS)}_{number}.py"
        for part in range(rng.randint(1, 4)):
            doc = rng.choice((*NASTY, "", "Reads it.\n\nAnd more.", "Says what it does."))
            name = f"{rng.choice(WORDS).title()}{rng.choice(WORDS).title()}{number}_{part}"
            if rng.random() < 0.5:
                methods = {f"{rng.choice(WORDS)}_{i}": body() for i in range(rng.randint(0, 12))}
                repository.add_class(file, name, methods, doc)
            else:
                repository.add_function(file, name.lower(), body(), doc)
    ids = [symbol.id for symbol in repository.symbols]
    repository.links = [
        (rng.choice(ids), rng.choice(("calls", "extends", "contains")), rng.choice(ids))
        for _ in range(len(ids) * 3)
    ]
    return repository


def ranked(symbol: SymbolRecord, score: float, reason: str = "name matches") -> Ranked:
    """A ranked symbol with one reason."""
    return Ranked(symbol, score, evidence=(Evidence("names", 1, score, reason),))


def request_for(repository: Repository, scores: dict[str, float], **changes: Any) -> PackRequest:
    """A request over the symbols of these qualified names."""
    by_name = {symbol.qualname: symbol for symbol in repository.symbols}
    rows = sorted(scores.items(), key=lambda row: -row[1])
    base = PackRequest(
        task="fix the crash",
        intent=Intent.BUG_FIX,
        confidence=0.9,
        ranked=[ranked(by_name[name], score) for name, score in rows],
        source=repository.source,
        members=repository.members,
        edges=repository.edges,
    )
    return replace(base, **changes)


def random_request(seed: int, **changes: Any) -> PackRequest:
    """A random question over a random repository."""
    rng = random.Random(seed)
    repository = random_repository(seed, files=rng.choice((1, 4, 12, 30)))
    pool = repository.symbols[:]
    rng.shuffle(pool)
    count = rng.choice((0, 1, 5, 40, 100))
    steep = rng.choice((0.5, 0.9, 0.99))
    rows = [
        replace(
            ranked(symbol, 3.0 * steep**place, rng.choice(("calls it", *NASTY))),
            proximity=rng.choice((1.0, 0.3, 0.0)),
        )
        for place, symbol in enumerate(pool[:count])
    ]
    others = [ranked(symbol, rng.random(), "near") for symbol in pool[-10:]]
    others.sort(key=lambda row: -row.score)
    imports = [(rng.choice(NASTY), f"b{i}.py") for i in range(rng.choice((0, 3, 50)))]
    base = PackRequest(
        task=rng.choice(("", "fix it", "x" * 1000, *NASTY)),
        intent=rng.choice(list(Intent)),
        confidence=rng.random(),
        ranked=rows,
        source=repository.source,
        members=repository.members,
        edges=repository.edges,
        tests=others[:5],
        callers=others[5:],
        imports=lambda files: imports,
        named=[pool[0].name] if rng.random() < 0.5 else [],
        stale=tuple(f"stale/{i}.py" for i in range(rng.choice((0, 0, 5)))),
        indexed_share=rng.choice((1.0, 1.0, 0.4)),
    )
    return replace(base, **changes)
