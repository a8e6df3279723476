"""Words of letters and digits, such as the number of an error or of a rule, name one place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy

from sonde.rank.rule import Field, Rule, Values
from sonde.retrieve.match import stemmed
from sonde.retrieve.path_names import own_name

_FEW = 4  # files: a word in the names of more is not the number of one of them


def _numbered(field: Field) -> Values:
    """What the heaviest such word in the name of a candidate, or of its file, counts in the task.

    A long report says many words, and a number is only one of them. Still "E501 is raised twice" is
    about E501.py, whatever else it says.
    """
    words = field.matcher.words
    numbers = frozenset(filter(_is_number, words))
    if not numbers:
        return numpy.zeros(len(field.records))
    paths, places = field.files
    homes = places.tolist()
    of_files = _rare([numbers.intersection(stemmed(own_name(path))) for path in paths], paths)
    of_names = _rare([numbers.intersection(stemmed(each.name)) for each in field.records], homes)
    said = [of_files[home] | named for home, named in zip(homes, of_names, strict=True)]
    heaviest = [max(map(words.__getitem__, each), default=0.0) for each in said]
    return numpy.array(heaviest) / max(words.values())


def _rare(said: Sequence[frozenset[str]], homes: Sequence[Hashable]) -> list[frozenset[str]]:
    """Without the words that are said in many files; `homes` are the files of what says them."""
    files: dict[str, set[Hashable]] = {}
    for words, home in zip(said, homes, strict=True):
        for word in words:
            files.setdefault(word, set()).add(home)
    rare = frozenset(word for word, found in files.items() if len(found) <= _FEW)
    return [words & rare for words in said]


def _is_number(word: str) -> bool:
    return word.isalnum() and not word.isalpha() and not word.isdigit()


RULES = (Rule("numbered", 0.4, _numbered),)
