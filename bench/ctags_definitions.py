"""Our definitions against universal-ctags: `python -m bench.ctags_definitions REPO…`.

A definition of ctags counts as found when we have one of the same name that starts on its line
or encloses it (we count decorators and annotations to a definition, ctags does not). What is
missing is counted by its reason; shares and reasons are kept in bench/results/index/. A second
share is of what the source defines: without objects, owners and lambdas that ctags calls classes
and methods, and with functions that have two names and are ours by the other, among them those
that a macro defines, which are ours by the name that the macro is given.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from bench import archive
from bench.adapters.contract import Unavailable
from bench.adapters.definitions import Definition, find_ctags, from_ctags
from bench.ctags_reasons import NO_DEFINITION, OTHER_NAMES, reason
from sonde.discover.rules import DiscoverRules
from sonde.discover.walk import discover
from sonde.extract import extract

# ctags' kinds for functions, methods and types. Not compared: variables and members, and kinds for
# things that define nothing (Rust impl blocks, C++ namespaces, Python import aliases).
COMPARED_KINDS = frozenset(
    {
        "annotation", "class", "delegate", "enum", "func", "function", "generator", "interface",
        "macro", "method", "methodSpec", "object", "protocol", "record", "singletonMethod",
        "struct", "talias", "trait", "type", "typedef", "union",
    }
)  # fmt: skip
# Kinds that are functions or types in one language only.
COMPARED_IN_LANGUAGE = frozenset({("Python", "member"), ("Ruby", "module")})
_EXAMPLES = 5


class Comparison(NamedTuple):
    """What ctags has and we lack, by language."""

    total: Counter[str]  # in files that we index
    missing: dict[str, list[Definition]]
    elsewhere: Counter[str]  # in files that we leave out, such as vendored and minified ones
    ours: Mapping[tuple[str, int], Set[str]]  # names of our definitions by file and first line


def compared(definition: Definition) -> bool:
    """Whether ctags calls this a function, method or type."""
    if (definition.language, definition.kind) in COMPARED_IN_LANGUAGE:
        return True
    # ctags invents names for anonymous functions and types.
    anonymous = re.match(r"__anon|(?i:anonymous(function|class))|<lambda>$", _last(definition.name))
    return definition.kind in COMPARED_KINDS and not anonymous


def _last(name: str) -> str:
    operator = re.search(r"(?:^|\.)(operator\b(?!.*\.__anon).*)", name)
    if operator is not None:
        return re.sub(r"\s", "", operator[1])  # of a conversion the type may have dots and blanks
    return name.rsplit(".", 1)[-1].removeprefix("#").strip()


def our_definitions(repo: Path) -> list[Definition]:
    """What extraction finds in the files that are indexed; no index is needed for that."""
    return [
        Definition(each.qualname, each.kind.value, file.path, each.start_line, each.end_line)
        for file in discover(repo, DiscoverRules()).files
        for each in extract(file.path, file.language, (repo / file.path).read_bytes()).symbols[1:]
    ]


def compare_definitions(theirs: Sequence[Definition], ours: Sequence[Definition]) -> Comparison:
    """The definitions that ctags has and we do not."""
    places: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    names: dict[tuple[str, int], set[str]] = defaultdict(set)
    for definition in ours:
        name = _last(definition.name)
        places[definition.file, name].append((definition.start_line, definition.end_line))
        names[definition.file, definition.start_line].add(name)
    total: Counter[str] = Counter()
    elsewhere: Counter[str] = Counter()
    missing: dict[str, list[Definition]] = defaultdict(list)
    indexed = {definition.file for definition in ours}
    for definition in filter(compared, theirs):
        if definition.file not in indexed:
            elsewhere[definition.file] += 1
            continue
        total[definition.language] += 1
        spans = places.get((definition.file, _last(definition.name)), ())
        if not any(first <= definition.start_line <= last for first, last in spans):
            missing[definition.language].append(definition)
    return Comparison(total, missing, elsewhere, names)


def comparison_text(found: Comparison) -> str:
    """Share found per language, and the differences by ctags kind with examples."""
    lines = []
    for language in sorted(found.total):
        lost = found.missing.get(language, [])
        total = found.total[language]
        share = 100 * (total - len(lost)) / total
        lines.append(f"{language}: {share:.2f} % of {total} found")
        by_kind: dict[str, list[Definition]] = defaultdict(list)
        for definition in lost:
            by_kind[definition.kind].append(definition)
        for kind in sorted(by_kind, key=lambda kind: (-len(by_kind[kind]), kind)):
            examples = ", ".join(
                f"{d.name} {d.file}:{d.start_line}" for d in by_kind[kind][:_EXAMPLES]
            )
            lines.append(f"  {len(by_kind[kind]):>6d} {kind}: {examples}")
    if found.elsewhere:
        files = ", ".join(f"{file} ({count})" for file, count in found.elsewhere.most_common(8))
        lines.append(
            f"in {len(found.elsewhere)} files that are not indexed: {found.elsewhere.total()} "
            f"definitions: {files}"
        )
    return "\n".join(lines) + "\n"


def record(found: Comparison, repo: Path) -> dict[str, Any]:
    """The archived record of one repository."""
    return {
        language: {
            "definitions": total,
            "found": total - len(found.missing.get(language, ())),
            "missing": dict(
                Counter(
                    reason(repo, each, _ours_at(found, each))
                    for each in found.missing.get(language, ())
                ).most_common()
            ),
        }
        for language, total in sorted(found.total.items())
    }


def _ours_at(found: Comparison, theirs: Definition) -> frozenset[str]:
    """The names of ours that begin on a line or, below a macro, on the next."""
    lines = (theirs.start_line, theirs.start_line + 1)
    return frozenset().union(*(found.ours.get((theirs.file, line), ()) for line in lines))


def totals(repositories: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The same over all repositories, with the share of each language in percent."""
    summed: dict[str, tuple[Counter[str], Counter[str]]] = defaultdict(
        lambda: (Counter(), Counter())
    )
    for languages in repositories.values():
        for language, figures in languages.items():
            counts, missing = summed[language]
            counts.update(definitions=figures["definitions"], found=figures["found"])
            missing.update(figures["missing"])
    return {
        language: {
            **counts,
            "percent": round(100 * counts["found"] / counts["definitions"], 2),
            "percent of what the source defines": _defined(counts, missing),
            "missing": dict(missing.most_common()),
        }
        for language, (counts, missing) in sorted(summed.items())
    }


def _defined(counts: Mapping[str, int], missing: Mapping[str, int]) -> float:
    real = counts["definitions"] - sum(missing.get(each, 0) for each in NO_DEFINITION)
    found = counts["found"] + sum(missing.get(each, 0) for each in OTHER_NAMES)
    return round(100 * found / max(real, 1), 2)


def save(repositories: Mapping[str, Mapping[str, Any]]) -> Path:
    """Archive beside the cost of the index."""
    version = subprocess.run([find_ctags(), "--version"], capture_output=True, text=True).stdout
    told = {
        "ctags": version.split(",")[0],
        "command": "python -m bench.ctags_definitions " + " ".join(repositories),
        "languages": totals(repositories),
        "repositories": repositories,
    }
    return archive.save_told("ctags", told)


def main() -> int:
    """Compare each repository named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repos", nargs="+", type=Path, metavar="REPO")
    options = parser.parse_args()
    repositories: dict[str, dict[str, Any]] = {}
    try:
        for repo in options.repos:
            found = compare_definitions(from_ctags(repo), our_definitions(repo))
            repositories[repo.name.partition("@")[0]] = record(found, repo)
            print(f"{repo.name}\n{comparison_text(found)}", flush=True)
    except Unavailable as error:
        print(f"ctags_definitions: {error}", file=sys.stderr)
        return 2
    for language, figures in totals(repositories).items():
        print(f"{language}: {figures}")
    print(f"results: {save(repositories)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
