"""The suites: which cases, how they are asked, how an answer is scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from bench import data, metrics
from bench.adapters.contract import Adapter, PackPrediction, Prediction, Question
from bench.corpus import Corpus, main_language, places
from bench.data import (
    Case,
    LocalizationCase,
    RewordedTask,
    SearchCase,
    SweepCase,
    SymbolTask,
)

RANK_LIMIT = 500  # the deepest recall that is reported
PACK_BUDGET = 8000


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case, scored; small enough to be archived."""

    id: str
    groups: dict[str, str]  # repo, language, tier, category
    scores: metrics.Scores
    ms: float
    labels: tuple[str, str] = ("", "")  # expected and predicted intent
    stages: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """One kind of data and the figure that decides it."""

    name: str
    load: Callable[[Path], Sequence[Case]]
    headline: tuple[str, ...]
    packs: bool = False


SUITES = {
    suite.name: suite
    for suite in (
        Suite("symbols", data.load_symbols, ("sP10", "sR10", "sNDCG", "sMRR", "sR50", "sR500")),
        Suite("sweep", data.load_sweep, ("A1", "A2", "A3", "fileF1", "intent"), packs=True),
        Suite(
            "localization",
            data.load_localization,
            ("fileAcc@1", "fileAny@5", "fileAny@10", "funcAcc@10", "funcAny@10"),
        ),
        Suite(
            "multilang",
            data.load_localization,
            ("fileAcc@1", "fileAny@5", "fileAny@10", "funcAcc@10", "funcAny@10"),
        ),
        Suite("search", data.load_search, ("NDCG10", "NDCG10primary", "MRR")),
        Suite("rewordings", data.load_rewordings, ("overlap10", "worst10")),
    )
}

Answer = Prediction | PackPrediction
Watch = Callable[[str], None]


def run(
    suite: Suite,
    cases: Sequence[Case],
    adapter: Adapter,
    corpus: Corpus,
    scratch: Path,
    watch: Watch,
) -> tuple[list[CaseResult], dict[str, Answer]]:
    """Ask a tool every case and score its answers; answers come back by case id."""
    results, answers = [], {}
    with places(corpus, cases, scratch) as folders:
        for folder, group in folders:
            language = getattr(group[0], "language", "") or main_language(folder)
            adapter.prepare(folder)
            questions = [question for case in group for question in questions_of(case)]
            found = ask(suite, adapter, folder, questions)
            for case in group:
                said = [found.get(q.id) or _silence(suite, q.id) for q in questions_of(case)]
                answers[case.id] = said[0]
                results.append(score(case, said, language))
            watch(f"{suite.name} {adapter.name}: {len(results)}/{len(cases)} {group[0].repo}")
    return results, answers


def questions_of(case: Case) -> list[Question]:
    """The questions a tool is asked for a case: its query, then the same in other words."""
    others = case.rewordings if isinstance(case, RewordedTask) else ()
    first = Question(case.id, case.query)
    return [first, *(Question(f"{case.id}#{n}", text) for n, text in enumerate(others, 1))]


def ask(
    suite: Suite, adapter: Adapter, folder: Path, questions: Sequence[Question]
) -> dict[str, Answer]:
    """A tool's answers by question id."""
    if suite.packs:
        return {answer.id: answer for answer in adapter.pack(folder, questions, PACK_BUDGET)}
    return {answer.id: answer for answer in adapter.rank(folder, questions, RANK_LIMIT)}


def _silence(suite: Suite, case_id: str) -> Answer:
    """The empty answer assumed for a tool that did not answer."""
    if suite.packs:
        return PackPrediction(case_id, (), (), 0, "", 0.0)
    return Prediction(case_id, (), (), 0.0)


def score(case: Case, said: Sequence[Answer], language: str) -> CaseResult:
    """The scores of the answers to a case's questions."""
    groups = {"repo": case.repo, "language": language}
    answer = said[0]
    if isinstance(case, SweepCase):
        return _score_pack(case, cast(PackPrediction, answer), groups)
    ranked = cast(Prediction, answer)
    if isinstance(case, SymbolTask):
        groups["tier"] = case.tier
        scores = metrics.symbol_scores([hit.name for hit in ranked.symbols], case.truth)
    elif isinstance(case, RewordedTask):
        first, *others = [_places(cast(Prediction, each)) for each in said]
        scores = metrics.overlap_scores(first, others)
    elif isinstance(case, LocalizationCase):
        scores = metrics.localization_scores(
            ranked.files, _places(ranked), case.files, case.symbols
        )
    else:
        search = cast(SearchCase, case)
        groups["category"] = search.category
        scores = metrics.search_scores(ranked.files, search.relevant, search.secondary)
    return CaseResult(case.id, groups, scores, ranked.ms, stages=dict(ranked.stages))


def _places(answer: Prediction) -> list[str]:
    return [f"{hit.file}::{hit.name}" for hit in answer.symbols]


def _score_pack(case: SweepCase, answer: PackPrediction, groups: dict[str, str]) -> CaseResult:
    scores = metrics.pack_scores(
        answer.symbols, answer.files, answer.tokens, case.symbols, case.files
    )
    if case.intent and answer.intent:
        scores["intent"] = float(answer.intent == case.intent)
    groups["category"] = case.intent
    labels = (case.intent, answer.intent if case.intent else "")
    return CaseResult(case.id, groups, scores, answer.ms, labels)
