"""How well a symbol's own text covers the words of a task, field by field."""

from __future__ import annotations

import math
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sonde.lately import remembered
from sonde.retrieve.anywhere import Anywhere
from sonde.retrieve.fulltext import query_words
from sonde.retrieve.view import View
from sonde.understand.identifiers import split_identifier
from sonde.understand.words import stem

if TYPE_CHECKING:
    from sonde.model import Query, SymbolRecord

_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9]+")
_new: Any = tuple.__new__  # half the cost of calling the class
# Stems are cached as tuples. A set takes four times the memory; with sets the cache held a third as
# many, and two of three recomputed entries had been in it before.
_MEMO = 16_000
_TEXTS = 9_000
_PATHS = 3_000


@remembered(_MEMO)
def base_form(word: str) -> str:
    """A word without its inflection; cached, since all names are made of the same words."""
    return stem(word) or word


@remembered(_MEMO)
def stemmed(name: str) -> tuple[str, ...]:
    """The stems of an identifier's words, each once."""
    return tuple(dict.fromkeys(map(base_form, split_identifier(name))))


@remembered(_TEXTS)
def _stemmed_text(text: str) -> tuple[str, ...]:
    words = set(_TEXT.findall(text))
    plain = [word for word in words if word.isalpha() and word[1:].islower()]  # most are one word
    words.difference_update(plain)
    stems = set(map(base_form, map(str.lower, plain)))
    return tuple(stems.union(*map(stemmed, words)))


@remembered(_PATHS)
def _stemmed_path(path: str) -> tuple[str, ...]:
    stem_, _, _ = path.rpartition(".")
    return tuple(set[str]().union(*map(stemmed, stem_.split("/"))))


class Match(NamedTuple):
    """Share of the task's weight each field covers; `said` is the share of the name in the task."""

    name: float
    owner: float
    path: float
    doc: float
    said: float
    words: frozenset[str]  # of the task, found in the name or owner


SHARES = Match._fields[:-1]  # all but the words
_UNSAID: tuple[frozenset[str], float, float] = (frozenset(), 0.0, 0.0)
_NONE = Match(0.0, 0.0, 0.0, 0.0, 0.0, frozenset())


class Matcher:
    """The words of one task by stem, each with its weight and rarity."""

    def __init__(self, query: Query, view: View) -> None:
        self._view = view
        fulltext = view.index.fulltext
        documents = max(fulltext.documents, 1)
        self.words: dict[str, float] = {}
        self.forms: dict[str, list[str]] = {}  # spellings of each word in the task and its stems
        for word, weight in query_words(query, expand=False).items():
            found = max(fulltext.rarity_base(word), 1)
            rarity = math.log(1.0 + documents / found) / math.log(1.0 + documents)
            key = base_form(word)
            self.words[key] = max(self.words.get(key, 0.0), weight * rarity)
            self.forms.setdefault(key, []).append(word)
        # a name rarely says more than a few words of the task
        self._most = sum(sorted(self.words.values(), reverse=True)[:4]) or 1.0
        self._all = sum(self.words.values()) or 1.0
        self._stems = frozenset(self.words)
        # Shares computed before: candidates repeat the same few words.
        self._shares: dict[frozenset[str], float] = {}
        self._names: dict[str, tuple[frozenset[str], float, float]] = {}
        self._owners: dict[str, tuple[frozenset[str], float]] = {}
        self._paths: dict[str, float] = {}

    @cached_property
    def anywhere(self) -> Anywhere:
        """How much of the task symbols mention anywhere in their text."""
        return Anywhere(self, self._view)

    def match(self, record: SymbolRecord) -> Match:
        """The coverage of each field of a symbol."""
        if not self.words:
            return _NONE
        stems, name, file = self._stems, record.name, record.file
        named = self._names.get(name)
        if named is None:
            own = stemmed(name)
            said = stems.intersection(own)
            named = (said, self._share(said), len(said) / len(own)) if said else _UNSAID
            self._names[name] = named
        said, named_share, share = named
        owner = record.qualname.rpartition(".")[0]
        by_owner = self._owners.get(owner)
        if by_owner is None:
            owned = stems.intersection(stemmed(owner))
            by_owner = self._owners[owner] = (owned, self._share(owned) if owned else 0.0)
        owned, owner_share = by_owner
        placed = self._paths.get(file)
        if placed is None:
            there = stems.intersection(_stemmed_path(file))
            placed = self._paths[file] = self._share(there) if there else 0.0
        told = 0.0
        if (doc := record.doc) and (words := stems.intersection(_stemmed_text(doc))):
            told = min(1.0, self._weight(words) / self._all)
        words = said | owned if said else owned
        found: Match = _new(Match, (named_share, owner_share, placed, told, share, words))
        return found

    def said(self, name: str) -> float:
        """The share of a name's words that the task mentions."""
        own = stemmed(name)
        return len(self._stems.intersection(own)) / len(own) if own else 0.0

    def share(self, said: frozenset[str]) -> float:
        """The weight of some of the task's words, as a share of all of them."""
        return min(1.0, self._weight(said) / self._all) if said else 0.0

    def _share(self, said: frozenset[str]) -> float:
        """The weight of some of the task's words, as a share of what a name can cover; cached."""
        known = self._shares.get(said)
        if known is None:
            known = self._shares[said] = min(1.0, self._weight(said) / self._most)
        return known

    def _weight(self, said: frozenset[str]) -> float:
        """Sorted, because the last digit of a sum depends on its order, and the order of a set
        differs between processes."""
        if len(said) == 1:
            (word,) = said
            return self.words[word]
        return sum([self.words[word] for word in sorted(said)])
