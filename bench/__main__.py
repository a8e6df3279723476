"""`python -m bench`: run suites, compare results, look at misses, bring the corpus."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import archive, corpus, data, table
from bench.adapters.contract import PackPrediction, Unavailable
from bench.adapters.registry import ADAPTERS
from bench.corpus import Corpus, CorpusError
from bench.data import Case, DataError
from bench.snapshot import GitError
from bench.suites import SUITES, Answer, Suite, run

_EXAMPLES = """examples:
  python -m bench corpus --mirror ~/mirrors     materialise the pinned commits
  python -m bench symbols --adapter sonde,bm25  two tools on the same tasks
  python -m bench all --out results.json        everything
  python -m bench symbols --ablate all          each rule switched off in turn
  python -m bench compare before.json after.json
  python -m bench misses                        where missed truths were lost
"""


def main(arguments: Sequence[str]) -> int:
    """Run a command; errors a user can act on end in one line."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.handler(options))
    except (DataError, CorpusError, GitError, Unavailable) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in (*SUITES, "all"):
        command = commands.add_parser(name, help=f"run the {name} suite" + "s" * (name == "all"))
        _add_case_options(command)
        command.add_argument("--adapter", default="sonde", help="tools, separated by commas")
        command.add_argument("--out", help="results file (default: bench/results/)")
        command.add_argument(
            "--predictions", help="folder for the answers as the scorers read them"
        )
        command.set_defaults(handler=_run_suites, suites=list(SUITES) if name == "all" else [name])
    bring = commands.add_parser("corpus", help="materialise the repositories of the cases")
    _add_case_options(bring)
    bring.add_argument("--suite", default="symbols,sweep,search", help="suites to prepare")
    bring.add_argument("--clone", metavar="URL", help="clone what is missing from URL/owner/name")
    bring.set_defaults(handler=_bring_corpus)
    return parser


def _add_case_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", help="data file (default: ../shared/bench)")
    command.add_argument("--corpus", help="folder of repositories (default: .corpus)")
    command.add_argument("--mirror", help="folder of bare clones (default: CORPUS/mirrors)")
    command.add_argument("--repos", help="only these repositories, separated by commas")
    command.add_argument("--limit-cases", type=int, help="only the first N cases of each suite")


def load_cases(suite: Suite, options: argparse.Namespace) -> list[Case]:
    """The cases an invocation asks for."""
    cases = list(suite.load(data.resolve(suite.name, options.data)))
    if options.repos:
        wanted = set(options.repos.split(","))
        cases = [case for case in cases if {case.repo, case.repo.split("/")[-1]} & wanted]
    cases = cases[: options.limit_cases]
    if not cases:
        raise DataError(f"no cases of '{suite.name}' are left")
    return cases


def _run_suites(options: argparse.Namespace) -> int:
    where = Corpus.at(options.corpus, options.mirror)
    names = options.adapter.split(",")
    unknown = [name for name in names if name not in ADAPTERS]
    if unknown:
        raise DataError(f"no adapter '{unknown[0]}'; there are {', '.join(ADAPTERS)}")
    records = []
    for suite_name in options.suites:
        suite = SUITES[suite_name]
        cases = load_cases(suite, options)
        for name in names:
            record = _run_one(suite, cases, name, (), where, options.predictions)
            if record is not None:
                records.append(record)
                print(table.run_table(record, suite.headline))
    path = archive.save(records, archive.command_line(), options.out)
    print(f"results: {path}")
    return 0 if records else 1


def _run_one(
    suite: Suite,
    cases: Sequence[Case],
    name: str,
    without: Sequence[str],
    where: Corpus,
    predictions: str | None,
) -> dict[str, Any] | None:
    """One tool on one suite in a scratch folder of its own; None when it is not installed."""
    start = time.perf_counter()
    where.root.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="run-") as folder:
        scratch = Path(folder)
        try:
            adapter = ADAPTERS[name](scratch, without)
            results, answers = run(suite, cases, adapter, where, scratch, _progress)
        except Unavailable as error:
            print(f"skipped {name} on {suite.name}: {error}", file=sys.stderr)
            return None
    if predictions:
        _write_predictions(Path(predictions), f"{suite.name}-{name}", answers)
    elapsed = time.perf_counter() - start
    return archive.run_record(suite.name, name, adapter.configuration, results, elapsed)


def _write_predictions(folder: Path, stem: str, answers: dict[str, Answer]) -> None:
    """The forms that score_symbols.py (.json) and score_localization.py (.jsonl) read."""
    folder.mkdir(parents=True, exist_ok=True)
    names: dict[str, list[str]] = {}
    lines = []
    for case_id, answer in answers.items():
        if isinstance(answer, PackPrediction):
            names[case_id], places = list(answer.symbols), list(answer.symbols)
        else:
            names[case_id] = [hit.name for hit in answer.symbols]
            places = [f"{hit.file}::{hit.name}" for hit in answer.symbols]
        row = {"id": case_id, "files": list(answer.files), "symbols": places}
        lines.append(json.dumps(row) + "\n")
    (folder / f"{stem}.json").write_text(json.dumps(names), encoding="utf-8")
    (folder / f"{stem}.jsonl").write_text("".join(lines), encoding="utf-8")


def _bring_corpus(options: argparse.Namespace) -> int:
    where = Corpus.at(options.corpus, options.mirror)
    for name in options.suite.split(","):
        suite = SUITES[name]
        for line in corpus.prepare(where, load_cases(suite, options), options.clone):
            print(line)
    return 0


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
