"""Which of the ranked symbols deserve a place at all, before any token is counted.

A budget is a ceiling, not a target: what is far below the best answer, or in the fifth
file of a task that names its function, costs the reader more than it gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.frozen import frozen
from sonde.model import Ranked
from sonde.pack.request import DEFAULT_BUDGET, PackRequest

FLOOR = 0.4  # of the best score; the seeds keep neighbours of an exact hit down to 0.35
# What ranked next is named in a line where its file is shown anyway, down to this share of the best
# score. Of what only stood beside the best 8 in 100 were needed; of what ranked, 15 of the first
# twenty and 6 behind them, at half the tokens that a card takes for each needed one. With none
# packs hold .057 less of what is needed; with 20 .014 more than by what stands beside, with 25
# .032, with 30 .047 for 40 tokens more (196 tasks of 14 repositories, three wordings each).
MENTION_FLOOR = 0.2
MENTIONED = 25
NAMED_FLOOR = 0.5  # a spelled-out name counts when ranking, too, put it in the upper half
CLEAR_DROP = 0.6  # a score falling to this share of the one before ends the obvious answers
STRONG = 0.9  # of the best score: good enough to enter although another file is in focus
MAX_OBVIOUS = 4  # more symbols than this are a topic, not a target
SIDE_FILES = 1  # files beside those in focus
OPEN_FILES = 4  # files of an answer to a task that names nothing
FILE_FLOOR = 0.65  # of the best score: what the best entry of a further file must have
FILE_ENTRIES = 3  # of a file count for it; more would favour large files
MAX_CARDS = 12  # the seeds allow 20; behind the twelfth nothing was wanted that had not a full card
SMALLEST_CARD = 10  # tokens: a kind, a name and a place
# Tokens: one function, cards of a dozen others and its callers. On 308 tasks of our own 1,400 for
# unclear ones held no more of what was needed (0.332 of it; 0.340 with 700) for half as much again.
AIM = 700


@frozen
class Relevant:
    """The symbols worth showing, and how much showing them is worth."""

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
        """What the task is about, the primary target first; without an obvious one, the best."""
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
    # Up to the default budget we are economical; what is asked for beyond it is wanted.
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
    """Whether the name is the symbol's own, or a longer or shorter qualification of it."""
    name = name.removesuffix("()")
    symbol = entry.symbol
    return (
        name in (symbol.name, symbol.qualname)
        or symbol.qualname.endswith("." + name)
        or ("." in symbol.qualname and name.endswith("." + symbol.qualname))
    )


def _focused(within: Sequence[Ranked], obvious: Sequence[Ranked]) -> list[Ranked]:
    """The obvious symbols, their file neighbours, and the best of very few other files."""
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
    """The entries of the best one's file, and of near ones by what their best are worth together.

    On 308 tasks of our own 37 % of the files are wrong, 43 % when the first three are taken in the
    order of their best entries; as much of what was needed is found.
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
    # A spelled-out name is good evidence even where the scores lie close together.
    return round(min(1.0, 0.5 + gap / 2 if obvious else gap), 3)
