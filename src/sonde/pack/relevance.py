"""Which of the ranked symbols deserve a place at all, before any token is counted.

A budget is a ceiling, not a target: a symbol far below the best answer, or in the fifth file of a
task that names its function, costs the reader more than it gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.frozen import frozen
from sonde.model import Ranked
from sonde.pack.request import DEFAULT_BUDGET, PackRequest

FLOOR = 0.4  # of the best score; earlier designs kept neighbours of an exact hit down to 0.35
# Runners-up get one line each if their file is shown anyway, down to this share of the best score.
# Of symbols that merely stood next to the best in a file, 8 in 100 were needed; of runners-up, 15
# of the first twenty and 6 after those, at half the tokens that a card takes per needed symbol.
# Without such lines packs hold .057 less of what is needed. Compared with naming file neighbours,
# 20 lines hold .014 more, 25 hold .032 and 30 hold .047 for 40 tokens more (196 tasks of 14
# repositories, three wordings each).
MENTION_FLOOR = 0.2
MENTIONED = 25
NAMED_FLOOR = 0.5  # a spelled-out name counts only if it also ranked in the upper half
CLEAR_DROP = 0.6  # a drop to this share of the previous score ends the obvious answers
STRONG = 0.9  # of the best score: good enough to include although another file is in focus
MAX_OBVIOUS = 4  # more symbols than this are a topic, not a target
SIDE_FILES = 1  # files beside those in focus
OPEN_FILES = 4  # files in the answer to a task that names nothing
FILE_FLOOR = 0.65  # of the best score: the least that the best entry of a further file needs
FILE_ENTRIES = 3  # per file count towards it; more would favour large files
MAX_CARDS = 12  # not 20: after the twelfth, nothing was needed that did not have a full card
SMALLEST_CARD = 10  # tokens: a kind, a name and a place
# Tokens: one function, cards for a dozen others, and its callers. On 308 tasks of our own, 1,400
# for unclear ones held no more of what was needed (0.332; 0.340 with 700) at half as much again.
AIM = 700


@frozen
class Relevant:
    """The symbols worth showing, and how many tokens they are worth."""

    symbols: tuple[Ranked, ...]  # best first
    obvious: frozenset[int]  # ids of those the task is plainly about; empty when unsure
    aim: int  # tokens worth spending
    certainty: float  # 0 to 1: how far the answer stands out from what follows it

    @property
    def sure(self) -> bool:
        """Whether the task has an obvious target."""
        return bool(self.obvious)

    @property
    def targets(self) -> list[Ranked]:
        """What the task is about, primary target first; the best symbol if none is obvious."""
        found = [entry for entry in self.symbols if entry.symbol.id in self.obvious]
        return found or list(self.symbols[:1])


def relevant(request: PackRequest) -> Relevant:
    """Cut the ranking down to what the task needs."""
    ranked = request.ranked
    if request.given:
        some = tuple(ranked[: max(MAX_CARDS, request.budget // SMALLEST_CARD)])
        return Relevant(some, frozenset(), request.budget, 1.0)
    obvious = _obvious(ranked, request.named)
    extra = max(0, request.budget - DEFAULT_BUDGET)
    # Be economical up to the default budget; a larger budget was asked for deliberately.
    generosity = max(1.0, request.budget / DEFAULT_BUDGET)
    within = above_floor(ranked, FLOOR / generosity)
    if obvious and not extra:
        symbols = _focused(within, obvious)
    else:
        symbols = _of_best_files(within, generosity) if within else []
    return Relevant(
        symbols=tuple(symbols[: round(MAX_CARDS * generosity)]),
        obvious=frozenset(entry.symbol.id for entry in obvious),
        aim=min(request.budget, AIM + extra),
        certainty=_certainty(ranked, len(obvious)),
    )


def above_floor(ranked: Sequence[Ranked], floor: float = FLOOR) -> list[Ranked]:
    """The leading entries whose score is at least `floor` of the best one."""
    if not ranked:
        return []
    least = ranked[0].score * floor
    return [entry for entry in ranked if entry.score >= least] or [ranked[0]]


def _obvious(ranked: Sequence[Ranked], named: Sequence[str]) -> list[Ranked]:
    """The few symbols that the task spells out, or that tower above the rest."""
    if not ranked or ranked[0].score <= 0:
        return []
    spelled = [
        entry
        for entry in above_floor(ranked, NAMED_FLOOR)
        if any(_spells(name, entry) for name in named)
    ]
    if 0 < len(spelled) <= MAX_OBVIOUS:
        return spelled
    for end in range(1, min(MAX_OBVIOUS, len(ranked)) + 1):
        if end == len(ranked) or ranked[end].score <= CLEAR_DROP * ranked[end - 1].score:
            return list(ranked[:end])
    return []


def _spells(name: str, entry: Ranked) -> bool:
    """Whether this is the symbol's own name, or a longer or shorter qualification of it."""
    name = name.removesuffix("()")
    symbol = entry.symbol
    return (
        name in (symbol.name, symbol.qualname)
        or symbol.qualname.endswith("." + name)
        or ("." in symbol.qualname and name.endswith("." + symbol.qualname))
    )


def _focused(within: Sequence[Ranked], obvious: Sequence[Ranked]) -> list[Ranked]:
    """The obvious symbols, their neighbours in the file, and the best of very few other files."""
    files = {entry.symbol.file for entry in obvious}
    strong = STRONG * within[0].score
    side: set[str] = set()
    for entry in within:
        if entry.symbol.file not in files and entry.score >= strong and len(side) < SIDE_FILES:
            side.add(entry.symbol.file)
    chosen = {entry.symbol.id for entry in obvious}
    return [
        entry
        for entry in within
        if entry.symbol.id in chosen
        or entry.symbol.file in files
        or (entry.symbol.file in side and entry.score >= strong)
    ]


def _of_best_files(within: Sequence[Ranked], generosity: float) -> list[Ranked]:
    """The entries of the best one's file, and of the next files by the summed scores of their best.

    On 308 tasks of our own, 37 % of the files are wrong; 43 % if the first three are taken in the
    order of their best entries. Both find as much of what is needed.
    """
    worth: dict[str, list[float]] = {}
    for entry in within:
        worth.setdefault(entry.symbol.file, []).append(entry.score)
    first, *further = worth
    least = worth[first][0] * FILE_FLOOR if generosity == 1.0 else 0.0
    near = [file for file in further if worth[file][0] >= least]
    near.sort(key=lambda file: (-sum(worth[file][:FILE_ENTRIES]), file))
    chosen = {first, *near[: round(OPEN_FILES * generosity) - 1]}
    return [entry for entry in within if entry.symbol.file in chosen]


def _certainty(ranked: Sequence[Ranked], obvious: int) -> float:
    if not ranked or ranked[0].score <= 0:
        return 0.0
    following = ranked[max(1, obvious)].score if len(ranked) > max(1, obvious) else 0.0
    gap = 1.0 - max(0.0, following) / ranked[0].score
    # A spelled-out name is good evidence even if the scores are close together.
    return round(min(1.0, 0.5 + gap / 2 if obvious else gap), 3)
