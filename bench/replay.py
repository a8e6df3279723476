"""Replay of sessions: an issue begins one, the trace in it is the failure that comes back.

    python -m bench.replay --mirror DIR [--cases 100] [--data FILE] [--out FILE]

For each case: is the edited file, and the edited function, in context after the first pass; then
after a failure pass with the trace that the issue quotes or, without one, after `more`. Tokens sent
are compared with what the same two answers cost when nothing is remembered. The projects' own
tests are not run: their environments, several years old, cannot be had offline.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import archive
from bench.corpus import Corpus, places
from bench.data import PROJECT, Case, LocalizationCase, load_localization, resolve
from bench.suites import CaseResult
from sonde import Engine, Session
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.session.context_pack import ContextPack, Detail
from sonde.session.editor import Editor
from sonde.session.memory import SessionRecord
from sonde.session.session import SessionOptions

RESULTS = PROJECT / "bench" / "results" / "replay"
_OPTIONS = SessionOptions(without=frozenset({"feedback"}))
_TRACE = re.compile(
    r"^[ \t>]*Traceback \(most recent call last\):\n(?:.*\n){1,200}?[ \t>]*[A-Za-z_][\w.]*"
    r"(?:Error|Exception|Warning|Exit|Interrupt|Failure)\b.*$",
    re.M,
)
_FRAME = re.compile(r'^.*(?:File "[^"\n]+", line \d+|^\S+\.py:\d+: ).*$', re.M)


def trace_in(issue: str) -> str:
    """The traces that an issue quotes; "" if there are none."""
    whole = [match.group() for match in _TRACE.finditer(issue)]
    if whole:
        return "\n\n".join(whole)
    frames = _FRAME.findall(issue)
    return "\n".join(frames) if len(frames) > 1 else ""


def chosen(cases: Sequence[LocalizationCase], count: int) -> list[LocalizationCase]:
    """A selection spread evenly over all cases by name, so that every repository has its share."""
    ordered = sorted(cases, key=lambda case: case.id)
    if count >= len(ordered):
        return ordered
    return [ordered[number * len(ordered) // count] for number in range(count)]


def replay(engine: Engine, case: LocalizationCase) -> CaseResult:
    """One session of a case, scored after each pass."""
    began = time.process_time()
    session = Session.start(engine, case.query, Editor(), _OPTIONS)
    ms = (time.process_time() - began) * 1000.0
    groups = {"repo": case.repo, "category": "trace" if trace_in(case.query) else "no trace"}
    if not isinstance(session, Session) or session.pack is None:
        return CaseResult(case.id, groups, _scores("1", None, case), ms)
    scores = _scores("1", session.record, case)
    scores["tokens1"] = float(session.pack.tokens)
    output = trace_in(case.query)
    second = session.failure(output) if output else session.more()
    if isinstance(second, ContextPack):
        scores["tokens2"] = float(second.tokens)
        scores |= _against_repeating(engine, case, output, scores)
    scores |= _scores("2", session.record, case)
    return CaseResult(case.id, groups, scores, ms)


def _against_repeating(
    engine: Engine, case: LocalizationCase, output: str, scores: dict[str, float]
) -> dict[str, float]:
    """Tokens with memory, as a share of two full packs without."""
    if not output:
        return {}
    again = Session.start(engine, case.query, Editor(terminal=output), _OPTIONS)
    if not isinstance(again, Session) or again.pack is None:
        return {}
    sent = scores["tokens1"] + scores["tokens2"]
    return {"tokenShare": sent / (scores["tokens1"] + again.pack.tokens)}


def _scores(after: str, record: SessionRecord | None, case: LocalizationCase) -> dict[str, float]:
    """Whether any, and all, of the edited files and functions are in context."""
    files = record.files if record is not None else set()
    found = {f"file{after}Any": [path in files for path in case.files]}
    if case.symbols:
        shown = [record is not None and _has(record, key) for key in case.symbols]
        source = [record is not None and _has(record, key, source=True) for key in case.symbols]
        found |= {f"func{after}Any": shown, f"source{after}Any": source}
    scores = {name: float(any(hits)) for name, hits in found.items()}
    return scores | {name.replace("Any", "All"): float(all(hits)) for name, hits in found.items()}


def _has(record: SessionRecord, key: str, *, source: bool = False) -> bool:
    """Whether a symbol was shown: as a card or source, or inside its owner's source."""
    sent = record.sent.get(key)
    if sent is not None and (not source or sent.detail is not Detail.CARD):
        return True
    path, _, name = key.partition("::")
    owner = name.rpartition(".")[0]
    return bool(owner) and _has(record, f"{path}::{owner}", source=True)


def collect(
    cases: Sequence[Case], corpus: Corpus, scratch: Path, watch: Callable[[str], None]
) -> list[CaseResult]:
    """All cases, each repository's in order of time with one index."""
    results: list[CaseResult] = []
    with places(corpus, cases, scratch) as folders:
        for folder, group in folders:
            settings = Settings(scratch / "cache", DiscoverRules(excludes_file=None), workers=1)
            with Engine(folder, settings) as engine:
                engine.sync()
                for case in group:
                    assert isinstance(case, LocalizationCase)
                    results.append(replay(engine, case))
                    scores = results[-1].scores
                    told = " ".join(f"{name}={value:g}" for name, value in sorted(scores.items()))
                    watch(f"{len(results)}/{len(cases)} {case.id} {told}")
    return results


def table(results: Sequence[CaseResult]) -> str:
    """Means over all cases, and over those with and without a trace."""
    rows = []
    for name, group in (
        ("all", list(results)),
        ("trace", [each for each in results if each.groups["category"] == "trace"]),
        ("no trace", [each for each in results if each.groups["category"] != "trace"]),
    ):
        names = sorted({score for each in group for score in each.scores})
        means = {
            score: statistics.fmean(each.scores[score] for each in group if score in each.scores)
            for score in names
        }
        rows.append(
            f"{name} ({len(group)}): " + ", ".join(f"{k} {v:.3f}" for k, v in means.items())
        )
    return "\n".join(rows)


def main() -> int:
    """Replay, print the means, keep the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mirror", help="folder of bare clones named owner+name")
    parser.add_argument("--corpus", help="folder of materialised commits (default .corpus)")
    parser.add_argument("--data", help="localisation cases (default: the development set)")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--repos", default="", help="only these repositories, by last name")
    parser.add_argument("--out", help="archive to write")
    arguments = parser.parse_args()
    every = load_localization(resolve("localization", arguments.data))
    cases = chosen(every, arguments.cases)
    wanted = set(filter(None, arguments.repos.split(",")))
    cases = [case for case in cases if not wanted or case.repo.rsplit("/", 1)[-1] in wanted]
    corpus = Corpus.at(arguments.corpus, arguments.mirror)
    began = time.monotonic()
    with TemporaryDirectory(prefix="replay-") as scratch:
        results = collect(cases, corpus, Path(scratch), lambda line: print(line, flush=True))
    print(table(results))
    record = archive.run_record("replay", "sonde", "defaults", results, time.monotonic() - began)
    RESULTS.mkdir(parents=True, exist_ok=True)
    out = arguments.out or str(RESULTS / f"{time.strftime('%Y-%m-%d')}-{archive.commit()}.json")
    print(archive.save([record], ["replay", *archive.command_line()], out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
