"""Rank files by their best symbols, a phrase that matches their name, and their candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sonde.rank.pipeline import Ranking
from sonde.retrieve.path_names import own_name

RULE = "file-sums"
_SHARES = (1.0, 0.3, 0.1)  # of the scores of a file's best, second and third symbol
# A phrase of a few words looks for a place, and a large file has some symbol for every phrase, so
# a file named like the phrase counts more. A sentence describes behaviour, often spread over
# several places: there a file counts more the more of its symbols are candidates, and file names
# mislead. Names give searches +.012 NDCG at .4 (+.008 and +.016 on two halves of the
# repositories); .5 was chosen on all of them and adds .001.
# Candidate counts give requests +.003, development tasks +.005, and issues with a file among the
# first five +.009. Either one, applied to the other kind of text, loses as much.
_NAMED = 0.5
_MANY = 0.1
_PHRASE, _SENTENCE = 6, 12  # words


def ranked_files(ranking: Ranking, without: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The files of a ranking, best first, equal ones by path.

    A report's title raises what it is about. That is nearer to the place than it is the place
    itself: the first file is that of the whole text, as if the title had not been asked.
    """
    files = _in_order(ranking, {}, without)
    if not ranking.by_title:
        return tuple(files)
    first = _in_order(ranking, ranking.by_title, without)[0]
    return (first, *(file for file in files if file != first))


def _in_order(ranking: Ranking, less: Mapping[int, float], without: frozenset[str]) -> list[str]:
    """The files by what their best symbols are worth, of which some count less."""
    found: dict[str, list[float]] = {}
    for one in ranking.ranked:
        score = one.score - less.get(one.symbol.id, 0.0)
        found.setdefault(one.symbol.file, []).append(max(0.0, score))
    worth = {
        file: sum(
            share * score
            for share, score in zip(_SHARES, sorted(scores, reverse=True), strict=False)
        )
        for file, scores in found.items()
    }
    if RULE not in without:
        phrase = _likeness_to_a_phrase(ranking.field.query.text)
        said = ranking.field.matcher.said
        for file, scores in found.items():
            if phrase:
                worth[file] += phrase * _NAMED * said(own_name(file))
            else:
                worth[file] += _MANY * math.log1p(len(scores))
    return sorted(worth, key=lambda file: (-worth[file], file))


def _likeness_to_a_phrase(text: str) -> float:
    """1 for a few words, 0 for a sentence."""
    return min(1.0, max(0.0, (_SENTENCE - len(text.split())) / (_SENTENCE - _PHRASE)))
