"""Results as files: what ran, on which machine, and the figures of every case."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from bench import metrics
from bench.compare import GROUPS
from bench.data import PROJECT, DataError
from bench.suites import CaseResult

RESULTS = PROJECT / "bench" / "results"
_PACKAGES = ("sonde", "tree-sitter", "tantivy", "numpy", "rapidfuzz", "rs-bpe")


def machine() -> dict[str, Any]:
    """The properties of this machine that the figures depend on."""
    return {
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in _PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


def commit() -> str:
    """The project's commit, marked if the work tree differs from it."""
    command = ["git", "-C", str(PROJECT)]
    head = subprocess.run([*command, "rev-parse", "--short=12", "HEAD"], capture_output=True)
    product = ["status", "--porcelain", "--", "src", "bench", ":!bench/results"]
    dirty = subprocess.run([*command, *product], capture_output=True).stdout.strip()
    return head.stdout.decode().strip() + ("+changes" if dirty else "")


def save_told(kind: str, told: Mapping[str, Any], out: Path | None = None) -> Path:
    """Archive a measurement of the index; its default name has the kind, date and commit."""
    now = datetime.now(UTC)
    path = out or RESULTS / "index" / f"{kind}-{now:%Y-%m-%d}-{commit()}.json"
    document = {
        "date": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "commit": commit(),
        "machine": machine(),
        **told,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return path


def run_record(
    suite: str,
    adapter: str,
    configuration: str,
    results: Sequence[CaseResult],
    seconds: float,
) -> dict[str, Any]:
    """One tool on one suite: means, groups, latency, and a small row for every case."""
    record: dict[str, Any] = {
        "suite": suite,
        "adapter": adapter,
        "configuration": configuration,
        "seconds": round(seconds, 1),
        "summary": summary(results),
        "groups": {name: _by_group(results, name) for name in GROUPS},
        "cases": {
            result.id: {
                **result.groups,
                "scores": _rounded(result.scores),
                "ms": round(result.ms, 1),
            }
            for result in sorted(results, key=lambda result: result.id)
        },
    }
    labels = [result.labels for result in results if result.labels[1]]
    if labels:
        record["confusion"] = metrics.confusion(labels)
    stages = sorted({stage for result in results for stage in result.stages or ()})
    if stages:
        record["stages"] = {
            stage: _rounded(metrics.latency([(r.stages or {}).get(stage, 0.0) for r in results]))
            for stage in stages
        }
    return record


def summary(results: Sequence[CaseResult]) -> dict[str, Any]:
    """Number of cases, mean scores and latency percentiles."""
    return {
        "cases": len(results),
        **_rounded(metrics.mean_scores(result.scores for result in results)),
        **{f"ms_{k}": round(v, 1) for k, v in metrics.latency([r.ms for r in results]).items()},
    }


def _by_group(results: Sequence[CaseResult], name: str) -> dict[str, Any]:
    members: dict[str, list[CaseResult]] = {}
    for result in results:
        if result.groups.get(name):
            members.setdefault(result.groups[name], []).append(result)
    return {value: summary(members[value]) for value in sorted(members)}


def _rounded(scores: metrics.Scores) -> metrics.Scores:
    return {name: round(value, 4) for name, value in scores.items()}


def save(runs: Sequence[dict[str, Any]], command: Sequence[str], out: str | None) -> Path:
    """Write an archive; its default name has the date and commit.

    Runs of the same day and commit share it: a new run replaces the same tool on the same suite.
    """
    now = datetime.now(UTC)
    path = Path(out) if out else RESULTS / f"{now:%Y-%m-%d}-{commit()}.json"
    known = load(path) if path.is_file() else {"runs": []}
    if known.get("commit") != commit():
        known = {"runs": []}
    typed = "python -m bench " + " ".join(command)
    new = {_key(run) for run in runs}
    document = {
        "date": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "commit": commit(),
        "machine": machine(),
        "runs": [
            *(run for run in known["runs"] if _key(run) not in new),
            *({"command": typed, **run} for run in runs),
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(document), encoding="utf-8")
    return path


def check_writable(out: str | None) -> None:
    """Refuse a file that cannot be written before anything is measured."""
    if not out:
        return
    path = Path(out)
    if path.is_file():
        load(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        if not path.stat().st_size:
            path.unlink()
    except OSError as error:
        raise DataError(f"no results can be written to {path}: {error.strerror}") from error


def _key(run: dict[str, Any]) -> tuple[str, str, str]:
    return run["suite"], run["adapter"], run["configuration"]


def render(document: dict[str, Any]) -> str:
    """JSON with one line per case, so that archives are small and diff well."""
    text = json.dumps({**document, "runs": []}, indent=1)
    runs = ",\n".join(_render_run(run) for run in document["runs"])
    return text.replace('"runs": []', f'"runs": [\n{runs}\n]') + "\n"


def _render_run(run: dict[str, Any]) -> str:
    cases = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(row, separators=(',', ':'))}"
        for name, row in run["cases"].items()
    )
    head = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}"
        for name, value in run.items()
        if name != "cases"
    )
    return f'{{{head},\n"cases": {{\n{cases}\n}}}}'


def load(path: Path) -> dict[str, Any]:
    """An archive from disk."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise DataError(f"{path} is not a results file: {error}") from error
    if not isinstance(document, dict) or "runs" not in document:
        raise DataError(f"{path} is not a results file")
    return document


def newest() -> Path | None:
    """The archive with the latest date; None if there is none."""
    found = [(load(path)["date"], path) for path in sorted(RESULTS.glob("*.json"))]
    return max(found)[1] if found else None


def command_line() -> list[str]:
    """The arguments as typed, with local folders shortened to their last part."""
    return [Path(a).name if os.path.isabs(a) else a for a in sys.argv[1:]]
