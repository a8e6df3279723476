"""For every missed truth, the first stage that lost it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import metrics
from bench.adapters.contract import Adapter, Hit, Question
from bench.adapters.definitions import Definition
from bench.corpus import Corpus, places
from bench.data import Case, DataError, LocalizationCase, SymbolTask
from bench.suites import RANK_LIMIT

STAGES = ("not extracted", "not a candidate", "ranked low")
TOP = 10


@dataclass(frozen=True, slots=True)
class Miss:
    """A truth that is not among the first ten, and where it went."""

    case: str
    repo: str
    truth: str
    stage: str
    rank: int  # 0 where it is not a candidate


class NameSet:
    """Symbol names of a repository, asked with the strict rule of the symbol scorer."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_last: dict[str, set[str]] = {}
        for raw in names:
            name = metrics.canonical(raw).lower()
            self._by_last.setdefault(name.rsplit(".", 1)[-1], set()).add(name)

    def has(self, truth: str) -> bool:
        """Whether some symbol would count as this truth."""
        gold = metrics.canonical(truth).lower()
        candidates = self._by_last.get(gold.rsplit(".", 1)[-1], ())
        return any(metrics.strict_match(name, gold) for name in candidates)


def collect(
    cases: Sequence[Case],
    adapter: Adapter,
    definitions: Callable[[Path], list[Definition]],
    corpus: Corpus,
    scratch: Path,
) -> tuple[list[Miss], dict[str, int]]:
    """The misses of all cases, and how many truths each repository has."""
    missed: list[Miss] = []
    truths: dict[str, int] = {}
    with places(corpus, cases, scratch) as folders:
        for folder, group in folders:
            adapter.prepare(folder)
            known = definitions(folder)
            questions = [Question(case.id, case.query) for case in group]
            answers = {a.id: a for a in adapter.rank(folder, questions, RANK_LIMIT)}
            for case in group:
                truths[case.repo] = truths.get(case.repo, 0) + len(truth_of(case))
                missed.extend(misses_of(case, answers[case.id].symbols, known))
    return missed, truths


def truth_of(case: Case) -> tuple[str, ...]:
    """The symbols a case wants."""
    if isinstance(case, (SymbolTask, LocalizationCase)):
        return case.truth if isinstance(case, SymbolTask) else case.symbols
    raise DataError("misses are about symbols: use the symbols, localization or multilang suite")


def misses_of(case: Case, ranked: Sequence[Hit], known: Sequence[Definition]) -> list[Miss]:
    """The missed truths of one case, each with the first stage that lost it."""
    truth = truth_of(case)
    if isinstance(case, LocalizationCase):
        found = list(dict.fromkeys(metrics.normal_place(f"{h.file}::{h.name}") for h in ranked))
        gold = [metrics.normal_place(place) for place in truth]
        ranks = [found.index(place) + 1 if place in found else 0 for place in gold]
        extracted = {metrics.normal_place(f"{d.file}::{d.name}") for d in known}
        present = [place in extracted for place in gold]
    else:
        ranks = metrics.truth_ranks([hit.name for hit in ranked], truth)
        names = NameSet(definition.name for definition in known)
        present = [names.has(name) for name in truth]
    return [
        Miss(case.id, case.repo, name, _stage(rank, there), rank)
        for name, rank, there in zip(truth, ranks, present, strict=True)
        if not 0 < rank <= TOP
    ]


def _stage(rank: int, extracted: bool) -> str:
    if rank:
        return "ranked low"
    return "not a candidate" if extracted else "not extracted"


def miss_table(missed: Sequence[Miss], truths: Mapping[str, int]) -> str:
    """Counts of each stage per repository."""
    counts: dict[str, Counter[str]] = {repo: Counter() for repo in sorted(truths)}
    for miss in missed:
        counts[miss.repo][miss.stage] += 1
    total: Counter[str] = Counter()
    for row in counts.values():
        total += row
    counts["ALL"] = total
    totals = {**truths, "ALL": sum(truths.values())}
    lines = [f"{'':28s}{'truths':>8s}{'found':>8s}" + "".join(f"{s:>17s}" for s in STAGES)]
    for repo, row in counts.items():
        found = totals[repo] - row.total()
        cells = "".join(f"{row[stage]:>17d}" for stage in STAGES)
        lines.append(f"{repo:28.28s}{totals[repo]:>8d}{found:>8d}{cells}")
    return "\n".join(lines) + "\n"


def miss_lines(missed: Iterable[Miss]) -> str:
    """Every miss on a line, for reading."""
    return "".join(
        f"{miss.case}\t{miss.stage}\t{miss.rank or '-'}\t{miss.truth}\n" for miss in missed
    )
