"""Identifiers that a plain phrase may refer to: "tree building" → build_tree, BuildTree."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.expression import expression
from sonde.understand.identifiers import has_code_shape
from sonde.understand.words import ACTION_VERBS, FILLER_WORDS, STOP_WORDS, stem

MAX_GENERATED = 90
_REACH = 3  # how many plain words before its noun a verb may be
_TOKEN = expression(r"[A-Za-z_]\w*(?:'[a-z]+)?|[^\sA-Za-z_]+")
_MARKED = expression(r"`[^`\n]{0,200}`")
_LEADS_NOWHERE = frozenset({"based", "including", "using", "via"})
_LEADING = 400  # characters: later sentences would only crowd out the first

Phrase = tuple[str, ...]


def generate_names(text: str) -> tuple[str, ...]:
    """Possible identifiers for the phrases of a text in three casings, most specific first."""
    ranked: dict[Phrase, float] = {}
    for run_number, run in enumerate(_runs(text[:_LEADING])):
        for score, phrase in _phrases(run):
            value = score - 0.01 * run_number
            if value > ranked.get(phrase, -1.0):
                ranked[phrase] = value
    names: dict[str, None] = {}
    for phrase in sorted(ranked, key=lambda phrase: -ranked[phrase]):
        names.update(dict.fromkeys(casings(phrase)))
    return tuple(names)[:MAX_GENERATED]


def casings(words: Phrase) -> tuple[str, str, str]:
    """snake_case, PascalCase and camelCase of some words."""
    pascal = "".join(word[:1].upper() + word[1:] for word in words)
    return "_".join(words), pascal, words[0] + pascal[len(words[0]) :]


def _runs(text: str) -> Iterator[list[str]]:
    """Stretches of plain words with nothing but spaces, hyphens or possessives between them."""
    run: list[str] = []
    for token in _TOKEN.findall(_MARKED.sub("|", text)):
        word = token.lower().split("'", 1)[0]
        if _is_plain(token) and len(word) > 1 and word not in STOP_WORDS:
            run.append(word)
        elif token != "-":
            if len(run) > 1:
                yield run
            run = []
    if len(run) > 1:
        yield run


def _is_plain(token: str) -> bool:
    """Whether a token is a word of prose that may be part of a name."""
    lowered = token.lower()
    if not token[0].isalpha() or lowered in _LEADS_NOWHERE or has_code_shape(token):
        return False
    return not (lowered.endswith("ly") and len(lowered) > 5)


def _phrases(run: list[str]) -> Iterator[tuple[float, Phrase]]:
    opens_with_verb = run[0] in ACTION_VERBS
    nouns = run[1:] if opens_with_verb else run
    for size, score in ((2, 2.5), (3, 2.45)):
        for start in range(len(nouns) - size + 1):
            words = tuple(nouns[start : start + size])
            if not _specific(words) or words[0].endswith("ing"):
                continue
            yield score, words
            single = (*words[:-1], stem(words[-1]) or words[-1])
            if single != words and not words[-1].endswith(("ing", "ed")):
                yield score - 0.1, single
    yield from _verb_and_noun(run)


def _verb_and_noun(run: list[str]) -> Iterator[tuple[float, Phrase]]:
    for place, word in enumerate(run):
        verb = _verb(word)
        if not verb:
            continue
        near = [
            *run[place + 1 : place + 1 + _REACH],
            *reversed(run[max(0, place - _REACH) : place]),
        ]
        for distance, noun in enumerate(near):
            if noun in ACTION_VERBS or len(noun) < 3:
                continue
            yield 2.2 - 0.2 * distance, (verb, stem(noun) or noun)


def _verb(word: str) -> str:
    if word in ACTION_VERBS:
        return word
    base = stem(word)
    is_verb = word.endswith(("ing", "ed", "ation")) or base in ACTION_VERBS
    return base if base and is_verb else ""


def _specific(words: Phrase) -> bool:
    long_enough = all(len(word) > 2 for word in words) and any(len(word) > 3 for word in words)
    return long_enough and not all(word in FILLER_WORDS for word in words)
