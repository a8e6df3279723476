"""What a session remembers: its task, its passes, and everything it has sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from sonde.model import SymbolRecord
from sonde.session.context_pack import ContextPack, Detail, PassKind, key_of
from sonde.session.editor import Editor
from sonde.session.task import TaskSpec

_SUMMARY = "summary of "


def digest(text: str) -> str:
    """A short name for a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Sent:
    """A symbol that the receiver has, as it was when it was sent."""

    key: str
    number: int  # of the pass that sent it
    detail: Detail
    text: str
    file_hash: str


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass: what was asked, and what it sent."""

    number: int
    kind: PassKind
    at: float
    tokens: int
    root: str
    keys: tuple[str, ...]  # of the evidence, best first
    question: str = ""


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session between two passes, as it is kept on disk."""

    id: str
    created: float
    used: float
    task: TaskSpec
    editor: Editor
    budget: int
    reserved: int = 0
    large: bool = False
    format: str = "yaml"
    tokenizer: str = "o200k"
    without: frozenset[str] = frozenset()
    passes: tuple[Pass, ...] = ()
    sent: Mapping[str, Sent] = field(default_factory=dict)
    accesses: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)  # sections sent: name → digest
    artefacts: tuple[str, ...] = ()  # ids of those sent

    @property
    def next(self) -> int:
        """Number of the next pass."""
        return len(self.passes) + 1

    @property
    def files(self) -> set[str]:
        """Files of which the receiver has something."""
        summarised = {name for name in self.texts if name.startswith(_SUMMARY)}
        return {key.partition("::")[0] for key in self.sent} | {
            name.removeprefix(_SUMMARY) for name in summarised
        }

    def has(self, symbol: SymbolRecord, text: str) -> Sent | None:
        """What the receiver has of a symbol, if that is at least this text."""
        known = self.sent.get(key_of(symbol))
        if known is not None and known.detail is not Detail.CARD:
            return known
        if known is not None and known.text == text:
            return known
        return self.inside(key_of(symbol))

    def inside(self, key: str) -> Sent | None:
        """The sent source of an owner, which contains its members' too."""
        path, _, name = key.partition("::")
        while name := name.rpartition(".")[0]:
            known = self.sent.get(f"{path}::{name}")
            if known is not None and known.detail is not Detail.CARD:
                return known
        return None

    def already(self, section: str, text: str) -> bool:
        """Whether a section was sent with exactly this text."""
        return bool(text) and self.texts.get(section) == digest(text)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a pass sends beside the text of its pack."""

    question: str = ""
    sources: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # key → text, file hash
    texts: Mapping[str, str] = field(default_factory=dict)  # sections by name
    artefacts: tuple[str, ...] = ()


def remembered(
    record: SessionRecord,
    pack: ContextPack,
    delivery: Delivery,
    accesses: Mapping[str, tuple[float, ...]],
    now: float,
) -> SessionRecord:
    """The record after a pass."""
    sent = dict(record.sent)
    cards = {piece.key: piece for piece in pack.evidence if piece.detail is Detail.CARD}
    for key, (text, file_hash) in delivery.sources.items():
        detail = Detail.CARD if key in cards else Detail.FULL
        sent[key] = Sent(key, pack.number, detail, text, file_hash)
    keys = [piece.key for piece in sorted(pack.evidence, key=lambda piece: -piece.score)]
    root, question = pack.root, delivery.question
    done = Pass(pack.number, pack.kind, now, pack.tokens, root, tuple(keys), question)
    summaries = {f"{_SUMMARY}{line.partition(':')[0]}": line for line in pack.summaries}
    texts = {**summaries, **delivery.texts}
    return replace(
        record,
        used=now,
        passes=(*record.passes, done),
        sent=sent,
        accesses=accesses,
        texts={**record.texts, **{name: digest(text) for name, text in texts.items() if text}},
        artefacts=tuple(dict.fromkeys((*record.artefacts, *delivery.artefacts))),
    )
