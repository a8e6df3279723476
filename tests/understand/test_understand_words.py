"""Words, their other forms, and the identifiers a phrase may stand for."""

from __future__ import annotations

import pytest

from sonde.understand.query import understand
from sonde.understand.words import expansions, stem


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("parsing", "parse"),
        ("building", "build"),
        ("running", "run"),
        ("caching", "cache"),
        ("handling", "handle"),
        ("calling", "call"),
        ("cached", "cache"),
        ("failed", "fail"),
        ("requests", "request"),
        ("queries", "query"),
        ("classes", "class"),
        ("indices", "index"),
        ("schemas", "schema"),
        ("apis", "api"),
        ("uris", "uri"),
        ("canvas", ""),
        ("analysis", ""),
        ("serialization", "serialize"),
        ("validation", "validate"),
        ("string", ""),
        ("status", ""),
        ("process", ""),
        ("parser", ""),
    ],
)
def test_stems(word: str, base: str) -> None:
    assert stem(word) == base


def test_abbreviations_expand_both_ways() -> None:
    assert "context" in expansions("ctx")
    assert "ctx" in expansions("context")
    assert "authentication" in understand("the auth flow").components


def test_stop_words_and_the_wish_leave_no_component() -> None:
    assert understand("please add it to the other one").components == ()


def test_a_method_of_http_was_taken_for_a_word_without_meaning() -> None:
    assert "get" in understand("Add a GET endpoint").components
    assert "get" not in understand("how do I get the endpoint").components


def test_a_verb_that_names_a_thing_was_taken_for_the_wish() -> None:
    assert "modify" in understand("how does the modify agent choose files?").components
    weights = dict(understand("the merge driver loses a conflict").weights)
    assert weights["merge"] == weights["conflict"]


def test_only_a_verb_that_opens_the_text_is_the_wish() -> None:
    wished = dict(understand("Rewrite the address of a request").weights)
    told = dict(understand("How does a request get its address rewritten? We rewrite it").weights)
    assert wished["rewrite"] < wished["request"]
    assert told["rewrite"] == told["request"]


def test_a_verb_after_an_article_alone_is_still_the_wish() -> None:
    assert "fix" not in understand("the fix for the parser").components


def test_upper_case_terms_of_three_letters_are_kept() -> None:
    assert "dfs" in understand("skip the DFS for leaves").components


def test_noun_after_the_verb_comes_first() -> None:
    assert understand("add a new snapshot tool for large volumes").components[0] == "snapshot"


def test_words_of_other_languages_are_kept() -> None:
    assert "парсере" in understand("Исправить ошибку в парсере").components


def test_filler_weighs_less_than_the_subject() -> None:
    weights = dict(understand("the function returns a stale snapshot").weights)
    assert weights["snapshot"] > 2 * weights["function"]


def test_components_are_the_weighted_words() -> None:
    query = understand("make snapshot diffing faster")
    assert query.components == tuple(word for word, _ in query.weights)
    assert list(query.weights) == sorted(query.weights, key=lambda pair: -pair[1])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("show the blast radius", "BlastRadius"),
        ("show the blast radius", "blast_radius"),
        ("show the blast radius", "blastRadius"),
        ("tests for tree building", "build_tree"),
        ("parsing file change requests", "FileChangeRequest"),
        ("parsing file change requests", "parse_file"),
        ("validation of user input: email validation", "validate_email"),
    ],
)
def test_phrases_become_identifiers(text: str, name: str) -> None:
    assert name in understand(text).generated


def test_generated_names_are_bounded() -> None:
    text = " ".join(f"word{chr(97 + n % 26)}x{n}" for n in range(500))
    assert 0 < len(understand(text).generated) <= 90
