"""Scores of one case: flat `name → number` mappings that average over cases.

Agrees with the published scorers: a test runs both on the same predictions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

Scores = dict[str, float]

RECALL_DEPTHS = (50, 100, 500)
FILE_DEPTHS = (1, 3, 5, 10)
FUNCTION_DEPTHS = (1, 5, 10, 20)

_EXTENSIONS = ("go", "py", "ts", "tsx", "js", "jsx", "rs", "java", "cs", "rb")
_FILE_PREFIX = re.compile(rf"^(.*\.(?:{'|'.join(_EXTENSIONS)})):(.+)$")

# --------------------------------------------------------------------------- symbol names


def canonical(raw: str) -> str:
    """A symbol name without file, package or language separators; "" if it names no symbol."""
    text = raw.strip().rstrip(".").rstrip("(").replace("::", ".").replace("#", ".")
    prefixed = _FILE_PREFIX.match(text)
    if prefixed:
        return "" if prefixed.group(2).isdigit() else prefixed.group(2).strip()
    if "://" in text:
        text = text.split("://", 1)[1]
    after_file = _after_file_extension(text)
    if after_file is not None:
        return after_file
    if "/" in text:
        tail = text.rsplit("/", 1)[1]
        return tail.split(".", 1)[1] if "." in tail else tail
    parts = text.split(".")
    for index, part in enumerate(parts):
        if part[:1].isupper():
            return ".".join(parts[index:])
    return parts[-1]


def _after_file_extension(text: str) -> str | None:
    """What follows the last ".ext." of a dotted path; None if there is none."""
    places = [(text.rfind(f".{ext}."), len(ext) + 2) for ext in _EXTENSIONS]
    place, width = max(places, key=lambda found: found[0])
    return text[place + width :] if place >= 0 else None


def strict_match(a: str, b: str) -> bool:
    """Equal, or one is a dotted suffix of the other."""
    return a == b or a.endswith("." + b) or b.endswith("." + a)


def lenient_match(a: str, b: str) -> bool:
    """The published rule: strict, same last part with a shared qualifier, or a component run."""
    if strict_match(a, b):
        return True
    left, right = a.split("."), b.split(".")
    if left[-1] == right[-1] and (
        len(left) == 1 or len(right) == 1 or set(left[:-1]) & set(right[:-1])
    ):
        return True
    return _has_run(left, right) or _has_run(right, left)


def _has_run(outer: list[str], inner: list[str]) -> bool:
    width = len(inner)
    return any(outer[i : i + width] == inner for i in range(len(outer) - width + 1))


def distinct_names(names: Iterable[str]) -> list[str]:
    """Canonical lower-case names in order of first appearance."""
    folded = (canonical(name).lower() for name in names)
    return [name for name in dict.fromkeys(folded) if name]


# --------------------------------------------------------------------------- symbol tasks


def symbol_scores(predicted: Sequence[str], truth: Sequence[str], k: int = 10) -> Scores:
    """Lenient and strict P/R/NDCG/MRR at k, and strict recall further down."""
    names = distinct_names(predicted)
    gold = [canonical(name).lower() for name in truth]
    top = names[:k]
    ideal = _dcg([True] * min(k, len(gold)))
    lenient = [any(lenient_match(name, g) for g in gold) for name in top]
    strict, used = _strict_hits(top, gold)
    scores = {
        "P10": sum(lenient) / k,
        "R10": sum(any(lenient_match(name, g) for name in top) for g in gold) / len(gold),
        "NDCG": _dcg(lenient) / ideal,
        "MRR": _reciprocal(any(lenient_match(name, g) for g in gold) for name in names),
        "sP10": sum(strict) / k,
        "sR10": used / len(gold),
        "sNDCG": _dcg(strict) / ideal,
        "sMRR": _reciprocal(any(strict_match(name, g) for g in gold) for name in names),
    }
    for depth in RECALL_DEPTHS:
        scores[f"sR{depth}"] = _strict_hits(names[:depth], gold)[1] / len(gold)
    return scores


def _strict_hits(names: Sequence[str], gold: Sequence[str]) -> tuple[list[bool], int]:
    """Which names hit a truth not yet found, and how many truths were found."""
    used: set[str] = set()
    hits = []
    for name in names:
        found = next((g for g in gold if g not in used and strict_match(name, g)), None)
        if found:  # a truth that names no symbol is never found, as in the published scorer
            used.add(found)
        hits.append(bool(found))
    return hits, len(used)


def truth_ranks(predicted: Sequence[str], truth: Sequence[str]) -> list[int]:
    """Rank (1-based) at which each truth is first matched strictly, 0 if it never is."""
    names = distinct_names(predicted)
    return [
        next((i for i, name in enumerate(names, 1) if strict_match(name, gold)), 0)
        for gold in (canonical(raw).lower() for raw in truth)
    ]


def _dcg(hits: Sequence[bool]) -> float:
    return sum(hit / math.log2(i + 2) for i, hit in enumerate(hits))


def _reciprocal(hits: Iterable[bool]) -> float:
    first = next((i for i, hit in enumerate(hits) if hit), None)
    return 0.0 if first is None else 1 / (first + 1)


# --------------------------------------------------------------------------- localisation


def localization_scores(
    files: Sequence[str],
    symbols: Sequence[str],
    gold_files: Sequence[str],
    gold_symbols: Sequence[str],
) -> Scores:
    """Acc@k, Any@k and MRR for files and functions; a level without gold is left out."""
    scores: Scores = {}
    if gold_files:
        scores |= _level("file", files, set(gold_files), FILE_DEPTHS)
    if gold_symbols:
        gold = {normal_place(symbol) for symbol in gold_symbols}
        scores |= _level("func", [normal_place(s) for s in symbols], gold, FUNCTION_DEPTHS)
    return scores


def normal_place(place: str) -> str:
    """ "path::Qualified.name" with dots only; a constructor counts as its class."""
    path, _, name = place.partition("::")
    name = name.replace("::", ".").replace("#", ".").removesuffix(".__init__")
    return f"{path}::{name}"


def _level(name: str, predicted: Sequence[str], gold: set[str], depths: Sequence[int]) -> Scores:
    ranked = list(dict.fromkeys(predicted))
    scores: Scores = {}
    for k in depths:
        hits = len(gold & set(ranked[:k]))
        scores[f"{name}Acc@{k}"] = float(hits == min(k, len(gold)))
        scores[f"{name}Any@{k}"] = float(hits > 0)
    scores[f"{name}MRR"] = _reciprocal(place in gold for place in ranked)
    return scores


# --------------------------------------------------------------------------- search


def search_scores(
    files: Sequence[str], relevant: Sequence[str], secondary: Sequence[str]
) -> Scores:
    """NDCG@10 with binary relevance over all relevant files, and over the primary ones, if any."""
    ranked = list(dict.fromkeys(files))
    primary = {"NDCG10primary": ndcg(ranked, set(relevant))} if relevant else {}
    return {
        "NDCG10": ndcg(ranked, {*relevant, *secondary}),
        **primary,
        "MRR": _reciprocal(file in relevant or file in secondary for file in ranked),
    }


def ndcg(ranked: Sequence[str], gold: set[str], k: int = 10) -> float:
    """Binary NDCG at k."""
    return _dcg([item in gold for item in ranked[:k]]) / _dcg([True] * min(k, len(gold)))


# --------------------------------------------------------------------------- rewordings


def overlap_scores(original: Sequence[str], others: Sequence[Sequence[str]], k: int = 10) -> Scores:
    """How much of the top k stays when the question is reworded: mean and worst."""
    top = set(original[:k])
    shares = [len(top & set(other[:k])) / max(len(top), len(set(other[:k])), 1) for other in others]
    return {"overlap10": sum(shares) / len(shares), "worst10": min(shares)}


# --------------------------------------------------------------------------- packs (A1-A3)


def pack_scores(
    symbols: Sequence[str],
    files: Sequence[str],
    tokens: int,
    gold_symbols: Sequence[str],
    gold_files: Sequence[str],
) -> Scores:
    """A1 symbol recall, A2 wrong-file rate, A3 recall per 1,000 tokens, and file P/R/F1.

    A case that expects no symbols has full recall, and an empty pack no wrong files, as the
    published table counts them.
    """
    names = set(distinct_names(symbols))
    gold = [canonical(name).lower() for name in gold_symbols]
    found = sum(any(strict_match(name, g) for name in names) for g in gold)
    recall = found / len(gold) if gold else 1.0
    packed, wanted = set(files), set(gold_files)
    right = len(packed & wanted)
    precision = right / len(packed) if packed else 0.0
    file_recall = right / len(wanted) if wanted else 1.0
    both = precision + file_recall
    scores = {
        "A1": recall,
        "A2": len(packed - wanted) / len(packed) if packed else 0.0,
        "A3": recall / (tokens / 1000) if tokens else 0.0,
        "tokens": float(tokens),
        "fileP": precision,
        "fileR": file_recall,
        "fileF1": 2 * precision * file_recall / both if both else 0.0,
    }
    if gold:
        scores["definitionHit"] = float(found > 0)
    if found:
        scores["tokensPerSymbol"] = tokens / found
    return scores


def confusion(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Counts of predicted labels per expected label, both sorted."""
    table: dict[str, dict[str, int]] = {}
    for expected, predicted in sorted(pairs):
        row = table.setdefault(expected, {})
        row[predicted] = row.get(predicted, 0) + 1
    return table


# --------------------------------------------------------------------------- aggregates


def mean_scores(cases: Iterable[Scores]) -> Scores:
    """Mean of each score over the cases that have it."""
    columns: dict[str, list[float]] = {}
    for case in cases:
        for name, value in case.items():
            columns.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in columns.items()}


def percentile(values: Sequence[float], share: float) -> float:
    """Nearest-rank percentile; 0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def latency(milliseconds: Sequence[float]) -> Scores:
    """p50, p90, p95 and p99 of a run's latencies."""
    return {f"p{round(100 * s)}": percentile(milliseconds, s) for s in (0.5, 0.9, 0.95, 0.99)}
