"""Find the first stage that lost each missed truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import metrics
from bench.adapters.contract import Question
from bench.adapters.definitions import Definition
from bench.adapters.sonde import SondeAdapter
from bench.corpus import Corpus, places
from bench.data import Case, LocalizationCase
from bench.suites import PACK_BUDGET, CaseResult
from bench.trace import Trace, ranks_in, stage_recalls, truth_of

# In pipeline order. Not walked: a channel proposed it, but the walk did not reach it.
STAGES = ("not extracted", "not a candidate", "not walked", "ranked low", "cut by the budget")
TOP = 10


@dataclass(frozen=True, slots=True)
class Miss:
    """A truth that is not in the top ten or not in the pack, and where it was lost."""

    case: str
    repo: str
    truth: str
    stage: str
    rank: int  # 0 if it is not a candidate


class NameSet:
    """Symbol names of a repository, matched by the strict rule of the symbol scorer."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_last: dict[str, set[str]] = {}
        for raw in names:
            name = metrics.canonical(raw).lower()
            self._by_last.setdefault(name.rsplit(".", 1)[-1], set()).add(name)

    def has(self, truth: str) -> bool:
        """Whether some symbol would match this truth."""
        gold = metrics.canonical(truth).lower()
        candidates = self._by_last.get(gold.rsplit(".", 1)[-1], ())
        return any(metrics.strict_match(name, gold) for name in candidates)


@dataclass(frozen=True, slots=True)
class Collected:
    """The misses of some cases, and the recall of every stage in each case."""

    missed: tuple[Miss, ...]
    truths: Mapping[str, int]  # by repository
    results: tuple[CaseResult, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """Truths, those found, and those lost at each stage, per repository and in total."""
        lost: dict[str, Counter[str]] = {repo: Counter() for repo in sorted(self.truths)}
        for miss in self.missed:
            lost[miss.repo][miss.stage] += 1
        lost["ALL"] = sum(lost.values(), Counter())
        totals = {**self.truths, "ALL": sum(self.truths.values())}
        return {
            repo: {
                "truths": totals[repo],
                "found": totals[repo] - row.total(),
                **{stage: row[stage] for stage in STAGES},
            }
            for repo, row in lost.items()
        }


def collect(
    cases: Sequence[Case],
    adapter: SondeAdapter,
    definitions: Callable[[Path], list[Definition]],
    corpus: Corpus,
    scratch: Path,
) -> Collected:
    """Follow the truths of all cases through the stages."""
    missed: list[Miss] = []
    truths: dict[str, int] = {}
    results = []
    with places(corpus, cases, scratch) as folders:
        for folder, group in folders:
            adapter.prepare(folder)
            known = definitions(folder)
            questions = [Question(case.id, case.query) for case in group]
            traces = {each.id: each for each in adapter.trace(folder, questions, PACK_BUDGET)}
            for case in group:
                if not truth_of(case):
                    continue
                truths[case.repo] = truths.get(case.repo, 0) + len(truth_of(case))
                missed.extend(misses_of(case, traces[case.id], known))
                recalls = stage_recalls(case, traces[case.id])
                results.append(CaseResult(case.id, {"repo": case.repo}, recalls, 0.0))
    return Collected(tuple(missed), truths, tuple(results))


def misses_of(case: Case, trace: Trace, known: Sequence[Definition]) -> list[Miss]:
    """The missed truths of one case, each with the first stage that lost it."""
    truth = truth_of(case)
    if isinstance(case, LocalizationCase):
        extracted = {metrics.normal_place(f"{d.file}::{d.name}") for d in known}
        present = [metrics.normal_place(place) in extracted for place in truth]
    else:
        names = NameSet(definition.name for definition in known)
        present = [names.has(name) for name in truth]
    ranks, walked, packed = (
        ranks_in(case, places) for places in (trace.ranked, trace.walked, trace.packed)
    )
    found = []
    for at, name in enumerate(truth):
        stage = _stage(ranks[at], present[at], bool(walked[at]), bool(packed[at]))
        if stage:
            found.append(Miss(case.id, case.repo, name, stage, ranks[at]))
    return found


def _stage(rank: int, extracted: bool, walked: bool, packed: bool) -> str:
    """The first stage that lost a truth; empty if it got into the pack."""
    if not rank:
        return "not a candidate" if extracted else "not extracted"
    if rank > TOP:
        return "ranked low" if walked else "not walked"
    return "" if packed else "cut by the budget"


def miss_table(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Counts of each stage per repository."""
    columns = ("truths", "found", *STAGES)
    lines = [f"{'':28s}" + "".join(f"{name:>{_width(name)}s}" for name in columns)]
    for repo, row in counts.items():
        cells = "".join(f"{row[name]:>{_width(name)}d}" for name in columns)
        lines.append(f"{repo:28.28s}{cells}")
    return "\n".join(lines) + "\n"


def _width(name: str) -> int:
    return max(8, len(name) + 2)


def recall_table(recalls: Mapping[str, float]) -> str:
    """Recall of every stage at each depth, as text."""
    lines = [f"{'recall':28s}" + "".join(f"{f'@{d}':>8s}" for d in metrics.RECALL_DEPTHS)]
    for stage, row in by_stage(recalls).items():
        lines.append(f"{stage:28.28s}" + "".join(f"{value:>8.3f}" for value in row))
    return "\n".join(lines) + "\n"


def by_stage(recalls: Mapping[str, float]) -> dict[str, list[float]]:
    """Mean recalls, named "stage R50" and so on, as one row per stage."""
    stages = dict.fromkeys(name.rpartition(" R")[0] for name in recalls if " R" in name)
    return {
        stage: [recalls[f"{stage} R{depth}"] for depth in metrics.RECALL_DEPTHS] for stage in stages
    }


def miss_lines(missed: Iterable[Miss]) -> str:
    """Every miss on its own line, for reading."""
    return "".join(
        f"{miss.case}\t{miss.stage}\t{miss.rank or '-'}\t{miss.truth}\n" for miss in missed
    )
