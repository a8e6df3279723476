"""Files by what their symbols are worth, and in a short search by their own name too."""

from __future__ import annotations

from sonde.rank.pipeline import Ranking

RULE = "file-named"
_SHARES = (1.0, 0.3, 0.1)  # what the best, second and third symbol give to their file
# A phrase of a few words looks for a place, and large files have a symbol for every phrase. A
# sentence tells what happens, often in several places, and file names said there mislead: searches
# of up to 12 words +.012 in NDCG (+.008 and +.016 on two halves of the repositories), with the same
# weight requests of 13 words and more lose .01.
_NAMED = 0.4
_PHRASE, _SENTENCE = 6, 12  # words


def ranked_files(ranking: Ranking, without: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The files of a ranking, best first, equal ones by path."""
    found: dict[str, list[float]] = {}
    for one in ranking.ranked:
        scores = found.setdefault(one.symbol.file, [])
        if len(scores) < len(_SHARES):
            scores.append(max(0.0, one.score))
    named = 0.0 if RULE in without else _weight_of_names(ranking)
    matcher = ranking.field.matcher
    worth = {
        file: sum(share * score for share, score in zip(_SHARES, scores, strict=False))
        + (named and named * matcher.said(_own_name(file)))
        for file, scores in found.items()
    }
    return tuple(sorted(worth, key=lambda file: (-worth[file], file)))


def _weight_of_names(ranking: Ranking) -> float:
    words = len(ranking.field.query.text.split())
    return _NAMED * min(1.0, max(0.0, (_SENTENCE - words) / (_SENTENCE - _PHRASE)))


def _own_name(file: str) -> str:
    return file.rpartition("/")[2].partition(".")[0]
