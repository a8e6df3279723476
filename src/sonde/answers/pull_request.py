"""What the reviewer of a change needs: changed symbols, their neighbourhood, their tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sonde.answers.changes import Changed, ChangeSet, changes_in
from sonde.answers.edges import edge_between
from sonde.answers.packing import Findings, Options, packed
from sonde.answers.reasons import tie_words
from sonde.answers.results import Answer, Failure, Refusal
from sonde.answers.spec_blocks import changed_blocks
from sonde.answers.spec_files import BLOCK_LANGUAGES
from sonde.answers.state import State
from sonde.answers.support import callers, tests
from sonde.answers.tests import reaching_tests
from sonde.model import (
    CALLABLE_KINDS,
    TYPE_KINDS,
    EdgeKind,
    Evidence,
    FileKind,
    Intent,
    Kind,
    Provenance,
    Ranked,
    SymbolRecord,
)
from sonde.retrieve.noise import is_noise
from sonde.retrieve.view import View
from sonde.retrieve.walk import walk

_LEAST_WALKED = 0.05  # of the most visited symbol: below it the walk says too little
_NEIGHBOURS = 60
_CODE = {FileKind.SOURCE: 1.2, FileKind.TEST: 0.9}  # source ranks before tests
_ASIDE = 0.65
_NEIGHBOUR_SHARE = 0.6  # a neighbour ranks behind every changed symbol
_AROUND = 30
_TESTS = 30
_TIES = tuple(kind for kind in EdgeKind if kind is not EdgeKind.SIMILAR_TO)


def answer_pull_request(
    state: State, options: Options, *, commits: str | None = None, patch: str | None = None
) -> Answer | Failure:
    """The pack for a range of commits or a patch."""
    if refusal := options.refusal():
        return refusal
    changed = changes_in(state.view, commits=commits, patch=patch)
    if isinstance(changed, Refusal):
        return changed
    if not changed.symbols and not changed.former_users:
        said = f" ({'; '.join(changed.notes)})" if changed.notes else ""
        return Refusal(f"the diff changes no line of {_list(changed.files)}{said}")
    files = _list(changed.files) if changed.files else "deleted files"
    what = f"review {commits.strip()}" if commits else f"review a change of {files}"
    return packed(_findings(what, changed, state), state, options, changed.notes)


def _findings(task: str, changed: ChangeSet, state: State) -> Findings:
    view = state.view
    # Code that a changed documentation page mentions elsewhere is not near the change.
    code = [one for one in changed.symbols if one.symbol.file_kind in _CODE]
    seeds = {one.symbol.id: float(one.lines) for one in code}
    walked = walk(view.paths, seeds)
    own = _shown(_with_blocks(view, changed.symbols))
    around = [one.symbol for one in code[:_AROUND]]
    former = _former_users(changed)
    known = {one.symbol.id for one in former}
    blocks_of = {one.symbol.parent for one in own if one.symbol.id < 0}
    tested = [one for one in _tests(view, around, walked) if one.symbol.id not in blocks_of]
    near = _neighbours(view, seeds, walked, around)
    return Findings(
        task,
        Intent.REFACTOR,
        1.0,
        [*own, *(one for one in near if one.symbol.id not in known)],
        [*(one for one in former if view.is_test(one.symbol.id)), *tested],
        [
            *(one for one in former if not view.is_test(one.symbol.id)),
            *callers(view, around, walked),
        ],
        named=[one.symbol.qualname for one in own],
        given=True,
        weights=walked,
        statistics=(("changed symbols", float(len(own))), ("nodes walked", float(len(walked)))),
    )


def _former_users(changed: ChangeSet) -> list[Ranked]:
    """Who still names what the change removes, and does not change itself; before other users."""
    own = {one.symbol.id for one in changed.symbols}
    return [
        Ranked(use.symbol, 1.0, evidence=(Evidence("removed", place, 1.0, use.reason),))
        for place, use in enumerate(changed.former_users, 1)
        if use.symbol.id not in own
    ]


def _tests(view: View, around: Sequence[SymbolRecord], walked: Mapping[int, float]) -> list[Ranked]:
    """Tests of the changed symbols, then tests that reach them indirectly, surest first."""
    direct = tests(view, around, walked)
    least = min((one.score for one in direct), default=1.0)
    known = {one.symbol.id for one in direct}
    further = [
        Ranked(record, least * sure, evidence=(Evidence("tests", 1, sure, reason),))
        for record, reason, sure in reaching_tests(view, [symbol.id for symbol in around])
        if record.id not in known
        and (record.kind is not Kind.MODULE or record.language in BLOCK_LANGUAGES)
    ]
    return direct + sorted(further, key=lambda one: -one.score)[:_TESTS]


def _shown(changed: Sequence[Changed]) -> list[Ranked]:
    """Changed definitions: code, then tests, then the rest; most changed lines first.

    A module is included only if nothing else in it changed.
    """
    defined = {one.symbol.file for one in changed if one.symbol.kind is not Kind.MODULE}
    most = max((one.lines for one in changed), default=1)
    inside = _lines_inside(changed)
    found: list[Ranked] = []
    for one in changed:
        if one.symbol.kind is Kind.MODULE and one.symbol.file in defined:
            continue
        if one.symbol.kind not in CALLABLE_KINDS | TYPE_KINDS and _set_inside(one, changed):
            continue
        lines = len(one.at | inside.get(one.symbol.id, set()))
        reason = f"changed in {lines} line{'s' * (lines > 1)}"
        proof = Evidence("diff", len(found) + 1, 1.0, reason)
        score = _CODE.get(one.symbol.file_kind, _ASIDE) + 0.2 * one.lines / most
        found.append(Ranked(one.symbol, score, evidence=(proof,)))
    return sorted(found, key=lambda one: -one.score)


def _with_blocks(view: View, changed: Sequence[Changed]) -> list[Changed]:
    """The changed symbols; of a file whose tests are blocks, these instead of the file."""
    found: list[Changed] = []
    for one in changed:
        if one.symbol.kind is not Kind.MODULE:
            found.append(one)
            continue
        blocks = changed_blocks(view, one.symbol, one.at)
        by_id = {block.id: block for block in blocks.values()}
        for id, block in sorted(by_id.items(), reverse=True):
            at = frozenset(line for line, around in blocks.items() if around.id == id)
            found.append(Changed(block, at))
        rest = one.at - blocks.keys()
        if rest:
            found.append(Changed(one.symbol, rest))
    return found


def _set_inside(attribute: Changed, changed: Sequence[Changed]) -> bool:
    """Whether all its lines are those of a changed function, which shows them."""
    return any(
        one.symbol.kind in CALLABLE_KINDS
        and one.symbol.file == attribute.symbol.file
        and attribute.at <= one.at
        for one in changed
    )


def _lines_inside(changed: Sequence[Changed]) -> dict[int, set[int]]:
    """The changed lines of symbols nested in each changed symbol: its text contains them too."""
    found: dict[int, set[int]] = {}
    owners = {one.symbol.id: one.symbol.parent for one in changed}
    for one in changed:
        owner = one.symbol.parent
        while owner in owners:
            found.setdefault(owner, set()).update(one.at)
            owner = owners[owner]
    return found


def _neighbours(
    view: View,
    seeds: Mapping[int, float],
    walked: Mapping[int, float],
    around: Sequence[SymbolRecord],
) -> list[Ranked]:
    near = [id for id, share in walked.items() if share >= _LEAST_WALKED and id not in seeds]
    near = sorted(view.by_place(near), key=lambda id: -walked[id])
    found: list[Ranked] = []
    for record in view.records(near[: 2 * _NEIGHBOURS]):
        aside = record.kind is Kind.MODULE or record.file_kind is FileKind.TEST
        if aside or is_noise(record, about_tests=False):
            continue
        share = walked[record.id]
        proof = Evidence("walk", len(found) + 1, share, _tie(view, record, around))
        score = _NEIGHBOUR_SHARE * (0.5 + 0.5 * min(1.0, share))
        found.append(Ranked(record, score, evidence=(proof,), proximity=share))
    return found[:_NEIGHBOURS]


def _tie(view: View, record: SymbolRecord, around: Sequence[SymbolRecord]) -> str:
    graph = view.index.graph
    for changed in around:
        for source, target in ((record, changed), (changed, record)):
            edge = edge_between(graph, source.id, target.id, _TIES)
            if edge is not None and edge[2] is not Provenance.AMBIGUOUS:
                return tie_words(edge[0], changed.name, source is record)
    return "near the change"


def _list(files: Sequence[str]) -> str:
    return ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
