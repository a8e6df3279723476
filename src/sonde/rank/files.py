"""Files: what their symbols are worth, a phrase that is their name, how many are candidates."""

from __future__ import annotations

import math

from sonde.rank.pipeline import Ranking

RULE = "file-sums"
_SHARES = (1.0, 0.3, 0.1)  # what the best, second and third symbol give to their file
# A phrase of a few words looks for a place, and a large file has a symbol for every phrase: a file
# that is called so counts more. A sentence tells what happens, often in several places: there a
# file counts more the more of its symbols are candidates, and names of files mislead. Searches
# +.012 in NDCG by names (+.008 and +.016 on two halves of the repositories); by numbers requests
# +.003, development tasks +.005, issues with a file among the first five +.009. Each where it does
# not belong loses as much.
_NAMED = 0.5
_MANY = 0.1
_PHRASE, _SENTENCE = 6, 12  # words


def ranked_files(ranking: Ranking, without: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The files of a ranking, best first, equal ones by path."""
    found: dict[str, list[float]] = {}
    for one in ranking.ranked:
        found.setdefault(one.symbol.file, []).append(max(0.0, one.score))
    worth = {
        file: sum(share * score for share, score in zip(_SHARES, scores, strict=False))
        for file, scores in found.items()
    }
    if RULE not in without:
        phrase = _likeness_to_a_phrase(ranking.field.query.text)
        said = ranking.field.matcher.said
        for file, scores in found.items():
            if phrase:
                worth[file] += phrase * _NAMED * said(_own_name(file))
            else:
                worth[file] += _MANY * math.log1p(len(scores))
    return tuple(sorted(worth, key=lambda file: (-worth[file], file)))


def _likeness_to_a_phrase(text: str) -> float:
    """1 for a few words, 0 for a sentence."""
    return min(1.0, max(0.0, (_SENTENCE - len(text.split())) / (_SENTENCE - _PHRASE)))


def _own_name(file: str) -> str:
    return file.rpartition("/")[2].partition(".")[0]
