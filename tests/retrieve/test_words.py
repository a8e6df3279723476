"""Full text, concepts and aliases: what plain words of a task find."""

from __future__ import annotations

from indexed_view import asked, names_of, reasons

from sonde.retrieve import aliases, concepts, fulltext, vocabulary
from sonde.retrieve.view import View
from sonde.understand.query import understand


def test_words_of_the_documentation_find_their_symbol(view: View) -> None:
    hits = fulltext.find(asked(components=("customer", "owes")), view)
    assert names_of(hits, view)[0] == "Invoice"
    assert hits == sorted(hits, key=lambda hit: -hit.score)


def test_a_rare_word_counts_more_than_one_that_is_everywhere(view: View) -> None:
    hits = fulltext.find(asked(components=("plugin", "invoice")), view)
    assert names_of(hits, view)[0] == "Invoice"


def test_a_word_of_the_same_meaning_finds_less_surely(view: View) -> None:
    words = fulltext.query_words(asked(components=("remove",)))
    assert words["remove"] > words["delete"] > 0
    assert "delete" not in fulltext.query_words(asked(components=("remove",)), expand=False)


def test_a_whole_identifier_counts_more_than_its_parts() -> None:
    words = fulltext.query_words(asked(compounds=("normalise_url",)))
    assert words["normalise_url"] > words["normalise"]


def test_a_long_text_is_searched_by_its_first_words_only() -> None:
    many = tuple(f"word{number}" for number in range(500))
    words = fulltext.query_words(asked(components=many), expand=False)
    assert "word0" in words
    assert len(words) < 100


def test_tests_do_not_fill_the_list_unless_they_are_asked_for(view: View) -> None:
    def tests_found(about_tests: bool) -> int:
        query = asked(components=("flamingo",), about_tests=about_tests)
        return sum(view.is_test(hit.id) for hit in fulltext.find(query, view))

    assert tests_found(about_tests=True) >= 60
    assert 0 < tests_found(about_tests=False) < 60
    query = asked(components=("flamingo",))
    assert "feed_birds" in names_of(fulltext.find(query, view), view)


def test_a_query_without_words_finds_nothing(view: View) -> None:
    assert fulltext.find(asked("??"), view) == []


def test_a_phrase_of_several_words_names_a_concept(view: View) -> None:
    found = reasons(concepts.find(asked("Add a rate limit for each client"), view), view)
    assert found["RateLimiter"] == "usual name for 'rate limit'"


def test_one_common_word_is_no_concept(view: View) -> None:
    assert concepts.find(asked("throttling"), view) == []
    assert concepts.find(asked("limit the rate"), view) == []


def test_names_that_half_of_any_code_has_are_no_targets_of_a_concept(view: View) -> None:
    found = names_of(concepts.find(asked("where is the entry point of the program"), view), view)
    assert "main" in found
    assert "run" not in found  # the table names it, the example has it
    targets = {target for concept in vocabulary.concepts() for target in concept.targets}
    assert not targets & {"get", "set", "new", "run", "use", "of", "call", "post"}
    assert min(map(len, targets)) >= 4


def test_concepts_of_a_language_need_that_language(view: View) -> None:
    languages = {concept.language for concept in vocabulary.concepts()}
    assert {"", "python", "go"} <= languages
    go = next(one for one in vocabulary.concepts() if one.language == "go")
    python = next(one for one in vocabulary.concepts() if one.language == "python")
    assert view.languages >= {"python"}
    assert "go" not in view.languages
    for concept, found in ((go, False), (python, True)):
        asked_for = concept.said[0][0]
        hits = concepts.find(asked(f"how about the {asked_for}"), view)
        assert bool(hits) is found or not _has_target(view, concept.targets)


def _has_target(view: View, targets: tuple[str, ...]) -> bool:
    return any(view.index.ids_named(target.lower()) for target in targets)


def test_what_a_phrase_named_symbol_calls_is_meant_too(view: View) -> None:
    query = understand("how is the blast radius of a change found")
    found = reasons(aliases.find(query, view), view)
    assert found == {"transitive_callers": "used for 'blast radius'"}


def test_no_alias_without_a_symbol_named_by_the_phrase(view: View) -> None:
    assert aliases.find(understand("how is the splash zone of a change found"), view) == []
