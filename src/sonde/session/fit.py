"""Making a pack fit: what goes first if it does not, and what never goes.

The oldest history goes first, then the lowest evidence, then what merely helps. The
task, the diagnostics, the failures, the constitution and a part of the current file stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from sonde.pack.errors import BudgetTooSmall
from sonde.pack.tokens import TokenCounter
from sonde.session.context_pack import ContextPack, Piece, Rules, Shown
from sonde.session.current_file import SMALLEST, FilePart
from sonde.session.document import sections
from sonde.session.dropped import Dropped
from sonde.session.editor import GitState
from sonde.session.memory import digest
from sonde.session.render import FORMATS

_NAMED = 5  # things left out that are named; the rest is counted
_NO_ROOT = "0"
_KEPT = 0.85  # of each further token, the share that what must stay does not take itself
_SLACK = 24  # tokens that a smaller answer may need to say what it leaves out


def fit(
    pack: ContextPack,
    counter: TokenCounter,
    dropped: Dropped,
    part: Callable[[int], FilePart] | None = None,
) -> ContextPack | BudgetTooSmall:
    """The pack within its budget, with its text; `part` cuts the current file to a room."""
    named = _NAMED
    while True:
        pack = replace(pack, left_out=dropped.lines(named))
        done = _sealed(pack, counter)
        excess = done.tokens - pack.budget
        if excess <= 0:
            return done
        smaller = _smaller(pack, dropped, excess, counter, part)
        if smaller is not None:
            pack, dropped = smaller
        elif named:
            named = 0
        else:
            # Goal and rules get a share of the budget, so what must stay grows with it.
            return BudgetTooSmall(pack.budget, pack.budget + math.ceil((excess + _SLACK) / _KEPT))


def tokens_of(pack: ContextPack, counter: TokenCounter) -> int:
    """Exact tokens of a pack as it is."""
    return _sealed(pack, counter).tokens


def _sealed(pack: ContextPack, counter: TokenCounter) -> ContextPack:
    """The pack with its address, text and exact number of tokens."""
    head, *rest = sections(replace(pack, root=_NO_ROOT))
    root = digest(repr(rest))  # the same for every session and pass that sends the same content
    text = FORMATS[pack.format]([(head[0], {**head[1], "pack": root}), *rest])
    sealed = replace(pack, root=root)
    return replace(sealed, text=text, tokens=counter.count(text))


def _smaller(
    pack: ContextPack,
    dropped: Dropped,
    excess: int,
    counter: TokenCounter,
    part: Callable[[int], FilePart] | None,
) -> tuple[ContextPack, Dropped] | None:
    """The next smaller pack, without what matters least; None when all that is left must stay."""
    if pack.history:
        return _fewer_messages(pack, dropped, excess, counter)
    if pack.summaries or pack.evidence or pack.cited:
        return _less_evidence(pack, dropped, excess, counter)
    less = _less_workspace(pack.workspace)
    if less is not None:
        return replace(pack, workspace=less[0]), _and(dropped, less[1])
    rules = _fewer_rules(pack.rules)
    if rules is not None:
        return replace(pack, rules=rules[0]), _and(dropped, rules[1])
    if part is not None and pack.workspace.content:
        room = counter.count(pack.workspace.content) // 2
        cut = part(room)
        if room >= SMALLEST // 2 and cut.text != pack.workspace.content:
            shown = replace(pack.workspace, content=cut.text, part=cut.note)
            return replace(pack, workspace=shown), dropped
    return None


def _fewer_messages(
    pack: ContextPack, dropped: Dropped, excess: int, counter: TokenCounter
) -> tuple[ContextPack, Dropped]:
    messages = list(pack.history)
    gone = 0
    while messages and excess > 0:
        excess -= counter.count(messages.pop(0).content)
        gone += 1
    return replace(pack, history=tuple(messages)), replace(
        dropped, messages=dropped.messages + gone
    )


def _less_evidence(
    pack: ContextPack, dropped: Dropped, excess: int, counter: TokenCounter
) -> tuple[ContextPack, Dropped]:
    """Without the last lines about files, then the lowest pieces, then the last citations."""
    summaries, cited = list(pack.summaries), list(pack.cited)
    files = citations = 0
    while summaries and excess > 0:
        excess -= counter.count(summaries.pop())
        files += 1
    lowest = sorted(pack.evidence, key=_value)
    gone: list[Piece] = []
    while lowest and excess > 0:
        piece = lowest.pop(0)
        excess -= max(1, counter.count(piece.text))
        gone.append(piece)
    while cited and excess > 0:
        excess -= counter.count(cited.pop())
        citations += 1
    out = {piece.key for piece in gone}
    names = tuple(f"{p.symbol.qualname} {p.symbol.file}:{p.symbol.start_line}" for p in gone[::-1])
    return (
        replace(
            pack,
            evidence=tuple(piece for piece in pack.evidence if piece.key not in out),
            summaries=tuple(summaries),
            cited=tuple(cited),
        ),
        replace(
            dropped,
            symbols=(*names, *dropped.symbols),
            files=dropped.files + files,
            citations=dropped.citations + citations,
        ),
    )


def _value(piece: Piece) -> tuple[float, str, int, str]:
    return piece.score, piece.symbol.file, -piece.symbol.start_line, piece.symbol.qualname


def _less_workspace(shown: Shown) -> tuple[Shown, str] | None:
    """Without the next thing that only helps: open files, the diff, terminal output, git."""
    git = shown.git
    if shown.open_files:
        return replace(shown, open_files=()), "open files"
    if git is not None and git.diff:
        return replace(shown, git=GitState(git.branch, git.modified)), "git diff"
    if shown.terminal:
        return replace(shown, terminal=""), "terminal output"
    if git is not None and git.modified:
        return replace(shown, git=GitState(git.branch)), "modified files"
    return None


def _fewer_rules(rules: Rules) -> tuple[Rules, str] | None:
    if rules.gotchas:
        return replace(rules, gotchas=()), "gotchas"
    if rules.runbook:
        return replace(rules, runbook=()), "runbook"
    return None


def _and(dropped: Dropped, what: str) -> Dropped:
    return replace(dropped, other=(*dropped.other, what))
