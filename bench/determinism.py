"""The same questions give the same bytes, and no run sees what another left behind."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

from bench.adapters.contract import Question, Unavailable
from bench.adapters.sonde import SondeAdapter, isolated_environment
from bench.corpus import Corpus, places
from bench.data import Case
from bench.suites import PACK_BUDGET, CaseResult, questions_of
from sonde import Engine
from sonde.answers.feedback import Opinion
from sonde.config import ConfigProblem, load_settings

HEADLINE = ("same",)
_LIMIT = 50
_AT_ONCE = 4
_ALONE = 3  # questions that are each asked in a separate process

Answers = dict[str, str]  # question → digest of the whole answer except its timing


def collect(
    cases: Sequence[Case], corpus: Corpus, scratch: Path, watch: Callable[[str], None]
) -> list[CaseResult]:
    """Every check on every repository; the score is the share of answers that stayed the same."""
    results = []
    with places(corpus, cases, scratch) as folders:
        for folder, group in folders:
            repo = group[0].repo
            questions = [question for case in group for question in questions_of(case)]
            own = scratch / f"state-{folder.name}"
            for name, same in checks(folder, questions, own):
                groups = {"repo": repo, "category": name}
                results.append(CaseResult(f"{repo}: {name}", groups, {"same": same}, 0.0))
                watch(f"determinism {repo}: {name}: {'same' if same == 1.0 else 'DIFFERENT'}")
    return results


def checks(
    folder: Path, questions: Sequence[Question], scratch: Path
) -> Iterable[tuple[str, float]]:
    """Each check, with the share of answers equal to those of the first run."""
    before = _listing(folder)
    first = _run(scratch / "first")
    first.prepare(folder)
    expected = _answers(first, folder, questions)
    yield "asked again", _share(expected, [_answers(first, folder, questions)])
    yield "asked backwards", _share(expected, [_answers(first, folder, questions[::-1])])
    alone = questions[:_ALONE]
    yield "asked one by one", _share(expected, [_answers(first, folder, [q]) for q in alone])
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        jobs = [pool.submit(_answers, first, folder, questions) for _ in range(_AT_ONCE)]
        yield "asked in parallel", _share(expected, [job.result() for job in jobs])
    _leave_opinions(folder, scratch / "first", questions)
    second = _run(scratch / "second")
    with ThreadPoolExecutor(2) as pool:  # two writers: one waits, neither corrupts the index
        list(pool.map(second.prepare, [folder, folder]))
    yield "own index, others' feedback", _share(expected, [_answers(second, folder, questions)])
    strays = [path for name in ("first", "second") for path in _elsewhere(scratch / name)]
    yield "nothing outside its cache", float(not strays)
    yield "repository untouched", float(_listing(folder) == before)


def _run(scratch: Path) -> SondeAdapter:
    scratch.mkdir(parents=True)
    return SondeAdapter(scratch)


def _answers(adapter: SondeAdapter, folder: Path, questions: Sequence[Question]) -> Answers:
    """Digests of each question's ranking and pack."""
    ranked = [replace(each, ms=0.0, stages={}) for each in adapter.rank(folder, questions, _LIMIT)]
    packs = [replace(each, ms=0.0) for each in adapter.pack(folder, questions, PACK_BUDGET)]
    return {
        one.id: sha256(json.dumps([asdict(one), asdict(pack)]).encode()).hexdigest()
        for one, pack in zip(ranked, packs, strict=True)
    }


def _share(expected: Answers, runs: Sequence[Answers]) -> float:
    pairs = [(expected[id], digest) for run in runs for id, digest in run.items()]
    return sum(one == other for one, other in pairs) / len(pairs)


def _leave_opinions(folder: Path, scratch: Path, questions: Sequence[Question]) -> None:
    """Leave opinions in one run's state that would change its answers if they were used."""
    settings = load_settings(folder, isolated_environment(scratch))
    if isinstance(settings, ConfigProblem):
        raise Unavailable(settings.message)
    with Engine(folder, settings) as engine:
        symbols = engine.symbols()
        known = list(symbols) if isinstance(symbols, Iterable) else []
        if not known:
            raise Unavailable(f"no symbols of {folder.name}")
        name = next((each.qualname for each in known if each.parent), known[0].qualname)
        for question in questions:
            engine.feedback(Opinion(question.id, useful=(name,)))


def _elsewhere(scratch: Path) -> list[Path]:
    """What a run wrote where the user's own caches would be."""
    usual = Path(isolated_environment(scratch)["XDG_CACHE_HOME"])
    return sorted(usual.rglob("*sonde*")) if usual.exists() else []


def _listing(folder: Path) -> str:
    """A digest of the names, sizes and times of all files."""
    rows = []
    for path, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            status = os.lstat(os.path.join(path, name))
            rows.append(f"{path}/{name} {status.st_size} {status.st_mtime_ns}")
    return sha256("\n".join(rows).encode("utf-8", "surrogateescape")).hexdigest()
