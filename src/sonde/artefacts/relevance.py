"""Which artefacts matter for a task: those of its folders, those that share its words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from sonde.artefacts.artefact import Artefact
from sonde.understand.identifiers import split_identifier
from sonde.understand.words import is_meaningful, stem

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]+")
_NEAR = 0.5  # for each folder that its scope is deeper than the root's
_OWN = 1.0  # written for this purpose


def words_of(text: str) -> frozenset[str]:
    """The stems of words that carry meaning."""
    found = set()
    for written in _WORD.findall(text[:20_000]):
        for word in split_identifier(written):
            if is_meaningful(word):
                found.add(stem(word) or word)
    return frozenset(found)


def by_relevance(
    artefacts: Sequence[Artefact], task: str, files: Iterable[str]
) -> list[tuple[float, Artefact]]:
    """Artefacts that apply to some of the files, most relevant first; ties as they were found."""
    paths = list(files)
    holding = [each for each in artefacts if not each.scope or any(map(each.holds_for, paths))]
    said = [words_of(f"{each.heading} {each.text}") for each in holding]
    common = Counter(word for words in said for word in words)
    wanted = words_of(task)
    scored = []
    for each, words in zip(holding, said, strict=True):
        # A word that every rule has says nothing about any of them.
        shared = sum(math.log(1 + len(holding) / common[word]) for word in words & wanted)
        depth = each.scope.count("/") + 1 if each.scope else 0
        score = shared / math.sqrt(1 + len(words)) + _NEAR * depth + _OWN * each.own
        scored.append((score, each))
    return sorted(scored, key=lambda row: -row[0])
