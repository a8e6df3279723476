"""`python -m bench`: run suites, compare results, look at misses, bring the corpus."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import ablation, archive, compare, corpus, data, determinism, misses, report, table
from bench.adapters.contract import PackPrediction, Unavailable
from bench.adapters.definitions import from_sonde
from bench.adapters.registry import ADAPTERS
from bench.adapters.sonde import SondeAdapter, isolated_environment
from bench.adapters.tools import install
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
  python -m bench rewordings                    the same tasks in other words
  python -m bench determinism                   the same bytes, nothing left behind
"""


def main(arguments: Sequence[str]) -> int:
    """Run a command; errors a user can act on end in one line."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.handler(options))
    except (DataError, CorpusError, GitError, Unavailable) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader closed the pipe; print nothing more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


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
        command.add_argument(
            "--ablate", metavar="RULE", help="a ranking rule to switch off, or all"
        )
        command.set_defaults(handler=_run_suites, suites=list(SUITES) if name == "all" else [name])
    bring = commands.add_parser("corpus", help="materialise the repositories of the cases")
    _add_case_options(bring)
    bring.add_argument("--suite", default="symbols,sweep,search", help="suites to prepare")
    bring.add_argument("--clone", metavar="URL", help="clone what is missing from URL/owner/name")
    bring.set_defaults(handler=_bring_corpus)
    pair = commands.add_parser("compare", help="paired differences between two results files")
    pair.add_argument("before", type=Path)
    pair.add_argument("after", type=Path)
    pair.add_argument(
        "--adapters", metavar="A,B", help="tool A of the first against B of the second"
    )
    pair.set_defaults(handler=_compare)
    lost = commands.add_parser("misses", help="where missed truths were lost")
    _add_case_options(lost)
    lost.add_argument(
        "--suite", default="symbols", choices=("symbols", "localization", "multilang")
    )
    lost.add_argument("--list", action="store_true", help="print every miss")
    lost.add_argument("--out", help="results file (default: bench/results/)")
    lost.set_defaults(handler=_misses)
    equal = commands.add_parser("determinism", help="same questions, same bytes, no shared state")
    _add_case_options(equal)
    equal.add_argument("--out", help="results file (default: bench/results/)")
    equal.set_defaults(handler=_determinism)
    other = commands.add_parser("install", help="install other tools to be measured beside ours")
    other.add_argument("tools", nargs="+", metavar="TOOL", help="codegraph, aider")
    other.set_defaults(handler=_install)
    page = commands.add_parser("report", help="write docs/benchmarks.md")
    page.add_argument("results", type=Path, nargs="?", help="results file (default: the newest)")
    page.set_defaults(handler=_report)
    return parser


def _add_case_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", help="data file (default: ../shared/bench)")
    command.add_argument("--corpus", help="folder of repositories (default: .corpus)")
    command.add_argument("--mirror", help="folder of bare clones (default: CORPUS/mirrors)")
    command.add_argument("--repos", help="only these repositories, separated by commas")
    command.add_argument(
        "--limit-cases", type=_count, metavar="N", help="only the first N cases of each suite"
    )


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of cases")
    return int(text)


def load_cases(suite: Suite, options: argparse.Namespace) -> list[Case]:
    """The cases selected on the command line."""
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
    where.root.mkdir(parents=True, exist_ok=True)
    names = options.adapter.split(",")
    _check(options, names)
    suites = [SUITES[name] for name in options.suites]
    chosen = {suite.name: load_cases(suite, options) for suite in suites}
    found = 0
    for suite in suites:
        cases, records = chosen[suite.name], []
        for name in names:
            # Each tool starts from scratch; only the ablations of a run share its index.
            with TemporaryDirectory(prefix="run-") as scratch:
                record = _run_one(suite, cases, name, where, Path(scratch), options)
                if record is not None:
                    records.append(record)
                    print(table.run_table(record, suite.headline))
        # Saved after every suite, so that a failing one does not lose the others' figures.
        if records:
            print(f"results: {archive.save(records, archive.command_line(), options.out)}")
        found += len(records)
    if not found:
        raise DataError("no tool could be run")
    return 0


def _check(options: argparse.Namespace, adapters: Sequence[str]) -> None:
    """Refuse what cannot work before anything is measured."""
    unknown = [name for name in adapters if name not in ADAPTERS]
    if unknown:
        raise DataError(f"no adapter '{unknown[0]}'; there are {', '.join(ADAPTERS)}")
    if options.data and len(options.suites) > 1:
        raise DataError("--data is of one suite's form: name the suite instead of 'all'")
    if options.ablate:
        ablation.rule_names(options.ablate)
        if "sonde" not in adapters:
            raise DataError("--ablate switches rules of sonde off: add it to --adapter")
    archive.check_writable(options.out)


def _run_one(
    suite: Suite,
    cases: Sequence[Case],
    name: str,
    where: Corpus,
    scratch: Path,
    options: argparse.Namespace,
) -> dict[str, Any] | None:
    """One tool on one suite, with the requested ablations; None if it is not installed."""
    try:
        record, answers = _measure(suite, cases, name, where, scratch, ())
        if options.ablate and name == "sonde":
            rows = []
            for rule in ablation.rule_names(options.ablate):
                without, _ = _measure(suite, cases, name, where, scratch, (rule,))
                rows += ablation.ablation_rows(rule, record, without, suite.headline)
            record["ablation"] = rows
            print(ablation.ablation_table(rows))
    except Unavailable as error:
        print(f"skipped {name} on {suite.name}: {error}", file=sys.stderr)
        return None
    if options.predictions:
        _write_predictions(Path(options.predictions), f"{suite.name}-{name}", answers)
    return record


def _measure(
    suite: Suite,
    cases: Sequence[Case],
    name: str,
    where: Corpus,
    scratch: Path,
    without: Sequence[str],
) -> tuple[dict[str, Any], dict[str, Answer]]:
    """The record of one run, and its answers."""
    start = time.perf_counter()
    adapter = ADAPTERS[name](scratch, without)
    results, answers = run(suite, cases, adapter, where, scratch, _progress)
    elapsed = time.perf_counter() - start
    record = archive.run_record(suite.name, name, adapter.configuration, results, elapsed)
    return record, answers


def _write_predictions(folder: Path, stem: str, answers: dict[str, Answer]) -> None:
    """Write the formats that score_symbols.py (.json) and score_localization.py (.jsonl) read."""
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
    names = options.suite.split(",")
    unknown = [name for name in names if name not in SUITES]
    if unknown:
        raise DataError(f"no suite '{unknown[0]}'; there are {', '.join(SUITES)}")
    if options.data and len(names) > 1:
        raise DataError("--data is of one suite's form: name it with --suite")
    for name in names:
        for line in corpus.prepare(where, load_cases(SUITES[name], options), options.clone):
            print(line)
    return 0


def _compare(options: argparse.Namespace) -> int:
    before, after = archive.load(options.before), archive.load(options.after)
    names = tuple(options.adapters.split(",")) if options.adapters else None
    if names is not None and len(names) != 2:
        raise DataError("--adapters takes two tools separated by a comma")
    pairs = [p for p in compare.matching_runs(before, after, names) if p[0]["suite"] in SUITES]
    for old, new in pairs:
        print(f"{new['suite']}: {old['adapter']} → {new['adapter']}")
        found = compare.differences(old, new, SUITES[new["suite"]].headline)
        print(compare.comparison_table(found) if found else "no case is in both\n")
    if not pairs:
        print("no run of one file has a counterpart in the other", file=sys.stderr)
    return 0 if pairs else 1


def _misses(options: argparse.Namespace) -> int:
    archive.check_writable(options.out)
    where = Corpus.at(options.corpus, options.mirror)
    cases = load_cases(SUITES[options.suite], options)
    start = time.perf_counter()
    with TemporaryDirectory(prefix="run-") as folder:
        scratch = Path(folder)
        environment = isolated_environment(scratch)
        found = misses.collect(
            cases, SondeAdapter(scratch), lambda repo: from_sonde(repo, environment), where, scratch
        )
    elapsed = time.perf_counter() - start
    record = archive.run_record("misses", "sonde", options.suite, found.results, elapsed)
    record["misses"] = found.counts()
    if options.list:
        print(misses.miss_lines(found.missed))
    print(misses.miss_table(record["misses"]))
    print(misses.recall_table(record["summary"]))
    print(f"results: {archive.save([record], archive.command_line(), options.out)}")
    return 0


def _determinism(options: argparse.Namespace) -> int:
    archive.check_writable(options.out)
    where = Corpus.at(options.corpus, options.mirror)
    cases = load_cases(SUITES["rewordings"], options)
    start = time.perf_counter()
    with TemporaryDirectory(prefix="run-") as scratch:
        results = determinism.collect(cases, where, Path(scratch), _progress)
    elapsed = time.perf_counter() - start
    record = archive.run_record("determinism", "sonde", "defaults", results, elapsed)
    print(table.run_table(record, determinism.HEADLINE))
    print(f"results: {archive.save([record], archive.command_line(), options.out)}")
    return 0 if all(result.scores["same"] == 1.0 for result in results) else 1


def _install(options: argparse.Namespace) -> int:
    for name in options.tools:
        install(name)
    return 0


def _report(options: argparse.Namespace) -> int:
    source = options.results or archive.newest()
    if source is None:
        raise DataError("no results yet: run `python -m bench all` first")
    print(report.write_page(archive.load(source), source))
    return 0


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
