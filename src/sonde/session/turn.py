"""One pass in the making: what every kind of pass shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sonde.answers.results import Refusal
from sonde.answers.state import State
from sonde.model import Kind, Ranked
from sonde.pack.errors import BudgetTooSmall
from sonde.pack.freshness import named
from sonde.pack.tokens import TokenCounter
from sonde.pack.visible import one_line
from sonde.session.boosts import SESSION_RULES, accessed, boosted
from sonde.session.context_pack import ContextPack, Detail, PassKind, key_of
from sonde.session.current_file import CurrentFile
from sonde.session.delta import changed_pieces
from sonde.session.dropped import Dropped
from sonde.session.evidence import Chosen, EvidenceChooser
from sonde.session.fit import fit, tokens_of
from sonde.session.memory import Delivery, SessionRecord, remembered
from sonde.session.project_rules import ChosenRules, RuleChooser
from sonde.session.retrieval import RetrievalCache, Retrieved, retrieve
from sonde.session.task import TaskSpec
from sonde.session.window import Allowance

_GOAL_AGAIN = 160  # characters of a goal that the receiver has already
_MARGIN = 48  # tokens for saying what is left out
Done = tuple[ContextPack, SessionRecord]


@dataclass(frozen=True, slots=True)
class Turn:
    """A session, the state of the index, the time: everything that a pass may look at."""

    record: SessionRecord
    state: State
    now: float
    cache: RetrievalCache
    counter: TokenCounter
    chooser: EvidenceChooser
    opinions: Mapping[str, float]  # of the asker, about symbols of this session's packs

    @property
    def allowance(self) -> Allowance:
        """Tokens of this pass."""
        return Allowance(self.record.budget, self.record.reserved, self.record.large)

    def retrieve(self, question: str) -> Retrieved | Refusal:
        """What ranking finds, from the cache where it can be."""
        record = self.record
        without = record.without - SESSION_RULES
        return retrieve(question, self.state, record.budget, without, self.cache, self.now)

    def boosted(self, ranked: Sequence[Ranked]) -> tuple[Ranked, ...]:
        """The ranking with what this session already knows of the symbols."""
        record = self.record
        return boosted(ranked, record.accesses, self.opinions, self.now, record.without)

    def pack(self, kind: PassKind, task: TaskSpec) -> ContextPack:
        """A pack with nothing in it yet."""
        record = self.record
        return ContextPack(
            record.id,
            record.next,
            kind,
            task,
            record.budget,
            record.reserved,
            format=record.format,
            stale=self.state.stale,
            stale_count=len(self.state.stale),
            indexed_share=self.state.indexed_share,
        )

    def again(self) -> TaskSpec:
        """The task in a line, as the receiver has it already."""
        task = self.record.task
        return TaskSpec(one_line(task.goal, _GOAL_AGAIN), task.command)

    def left(self, pack: ContextPack) -> int:
        """Tokens beside what the pack already holds."""
        return max(0, pack.budget - tokens_of(pack, self.counter) - _MARGIN)

    def room(self, pack: ContextPack) -> int:
        """Those of them that evidence may take."""
        return min(self.left(pack), self.allowance.evidence)

    def finish(
        self,
        pack: ContextPack,
        dropped: Dropped,
        delivery: Delivery,
        current: CurrentFile | None = None,
    ) -> Done | BudgetTooSmall:
        """Fit the pack and remember what it sends."""
        shown = (pack.workspace.current_file, *(piece.symbol.file for piece in pack.evidence))
        pack = replace(pack, stale=named(pack.stale, shown))
        done = fit(pack, self.counter, dropped, current.part if current is not None else None)
        if isinstance(done, BudgetTooSmall):
            return done
        keys = [piece.key for piece in done.evidence]
        accesses = accessed(self.record.accesses, keys, self.now)
        delivery = replace(delivery, sources=self._sources(done))
        return done, remembered(self.record, done, delivery, accesses, self.now)

    def _sources(self, pack: ContextPack) -> dict[str, tuple[str, str]]:
        """Texts that the pack shows of symbols, in its evidence and in the current file."""
        found = {}
        for piece in pack.evidence:
            whole = piece.detail is Detail.CHANGED
            text = self.chooser.full_text(piece.symbol) if whole else piece.text
            found[piece.key] = (text, self._hash(piece.symbol.file))
        path = pack.workspace.current_file
        view = self.state.view
        for record in view.records(view.index.ids_in_file(path)) if path else ():
            inside = any(
                first <= record.start_line and record.end_line <= last
                for first, last in pack.workspace.spans
            )
            if inside and record.kind is not Kind.MODULE:
                found.setdefault(key_of(record), (self.chooser.full_text(record), self._hash(path)))
        return found

    def rules(self, ranked: Sequence[Ranked], question: str) -> ChosenRules:
        """The project's rules for the files that matter most."""
        chooser = RuleChooser(self.state.view, self.counter, self.record)
        current = self.record.editor.current_file
        files = [current] * bool(current) + [one.symbol.file for one in ranked]
        return chooser.choose(question, files, self.allowance.artefacts)

    def changes(self) -> Chosen:
        """What the receiver has and the disk no longer has in that form."""
        return changed_pieces(self.record, self.state.view, self.chooser, self.counter)

    def _hash(self, path: str) -> str:
        found = self.state.view.index.file_record(path)
        return found.hash.hex() if found is not None else ""


def not_in(pack: ContextPack, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The ranked symbols that the pack does not show yet."""
    shown = {piece.key for piece in pack.evidence}
    return [one for one in ranked if key_of(one.symbol) not in shown]


def with_evidence(pack: ContextPack, chosen: Chosen) -> ContextPack:
    """The pack with what was chosen for it."""
    return replace(
        pack,
        evidence=(*pack.evidence, *chosen.pieces),
        summaries=(*pack.summaries, *chosen.summaries),
        cited=tuple(dict.fromkeys((*pack.cited, *chosen.cited))),
    )
