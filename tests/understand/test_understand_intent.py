"""The six intents from the words of a task alone."""

from __future__ import annotations

import pytest

from sonde.model import Intent
from sonde.understand.query import understand

SENTENCES = {
    Intent.BUG_FIX: [
        "fix the failing test",
        "Fix the login redirect for expired sessions",
        "the upload fails when the file is empty",
        "the app hangs on startup",
        "memory leak in the connection pool",
        "why does login return 500?",
        "contest results are ranked in the wrong order",
        "Dates are off by one day since the last release, this is a regression",
        "clicking save does nothing, it should store the form but the data is lost and not saved",
        "users are reporting that search misses some rows",
        "ValueError when the list is empty",
        "tests are flaky on CI",
        "cannot open files with spaces in the name",
        "debug the race condition in the scheduler",
        "[BUG] tooltip is not shown on hover",
        "update the tokenizer to handle nested quotes correctly",
    ],
    Intent.TEST_WRITING: [
        "add tests for the parser",
        "write unit tests for Cart.total",
        "write a regression test for the timezone handling",
        "increase test coverage of the billing module",
        "please create integration tests covering the payment flow",
        "we need tests for the retry logic",
        "test the date parser with leap years",
        "add missing specs for the mailer",
    ],
    Intent.REFACTOR: [
        "rename load to load_rows",
        "refactor the session store to use dataclasses",
        "move the helpers into their own module",
        "extract the parsing logic into a separate class",
        "split this huge function into smaller ones",
        "remove the deprecated options",
        "simplify the conditionals in the router",
        "clean up the duplicated validation code",
        "convert callbacks to promises",
        "replace the global registry with dependency injection",
    ],
    Intent.IMPLEMENTATION: [
        "implement pagination for the list endpoint",
        "add error handling for failed uploads",
        "can you please add a dark mode?",
        "we need to support arrays in the query language",
        "it would be nice to have a --json flag",
        "Support for reading compressed files",
        "improve performance of the tokenizer",
        "create a command that prints the latest release",
        "make the specific message shorter",
        "use this module as a testing ground for the new allocator",
        "allow users to set the tolerance",
        "introduce a rate limiter for the public API",
        "How do I register a custom converter?",
        "parse durations such as 5m and 2h in the config",
    ],
    Intent.DEFINITION_LOOKUP: [
        "where is the session store defined",
        "what is a snapshot?",
        "what does the retry policy do?",
        "what is the purpose of the scheduler?",
        "How does the cache work?",
        "explain how sessions are stored",
        "show me the definition of Session",
        "DatabaseClient.connect",
        "where are failed jobs stored?",
        "which file is the router declared in?",
    ],
    Intent.USAGE_EXPLORATION: [
        "how is the Snippet class used?",
        "who calls the parse function?",
        "find all callers of connect",
        "find usages of the retry decorator",
        "which modules import config?",
        "what would break if I change the signature of save()?",
        "list all references to MAX_ROWS",
        "show every call site of flush",
        "trace how a request flows through the router to the handler",
        "what depends on the event bus?",
    ],
}


@pytest.mark.parametrize(
    ("intent", "text"), [(intent, text) for intent, texts in SENTENCES.items() for text in texts]
)
def test_intent_of_a_sentence(intent: Intent, text: str) -> None:
    query = understand(text)
    assert query.intent is intent
    assert 0.0 < query.confidence <= 1.0


def test_table_is_large_enough_to_mean_something() -> None:
    assert sum(map(len, SENTENCES.values())) >= 60


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("/fix the cart", Intent.BUG_FIX),
        ("/test the cart", Intent.TEST_WRITING),
        ("/refactor where is it", Intent.REFACTOR),
        ("/implement fix for crash", Intent.IMPLEMENTATION),
        ("/explain the cart", Intent.DEFINITION_LOOKUP),
        ("/explain who calls the cart", Intent.USAGE_EXPLORATION),
    ],
)
def test_commands_choose_outright_and_vanish(text: str, intent: Intent) -> None:
    query = understand(text)
    assert (query.intent, query.confidence) == (intent, 1.0)
    assert text.split(maxsplit=1)[0][1:] not in query.components


def test_a_path_is_not_a_command() -> None:
    assert understand("/test/data is not found").confidence < 1.0


@pytest.mark.parametrize(
    "text", ["add tests for the parser", "fix the failing test", "the test suite is slow"]
)
def test_about_tests(text: str) -> None:
    assert understand(text).about_tests


@pytest.mark.parametrize(
    "text",
    [
        "show the latest release",
        "a specific contest rule",
        "use it as a testing ground",
        "attest the signature",
    ],
)
def test_words_that_only_contain_test_are_not_about_tests(text: str) -> None:
    query = understand(text)
    assert not query.about_tests
    assert query.intent is not Intent.TEST_WRITING
