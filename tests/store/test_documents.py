"""Documents: which words belong to which symbol."""

from __future__ import annotations

from sonde.extract import extract
from sonde.store.documents import Document, chunk_documents, symbol_documents

SOURCE = b'''\
"""Talks to the database."""
LIMIT_ROWS = 10


class DatabaseClient:
    retries: int = 3

    def connect(self, url):
        """Open a connection."""
        def attempt():
            return open_socket(url)
        return attempt() or failWithMessage("cannot reach host")
'''


def documents() -> dict[str, Document]:
    facts = extract("app/db/client_pool.py", "python", SOURCE)
    found = symbol_documents("app/db/client_pool.py", facts, SOURCE)
    return {symbol.qualname: each for symbol, each in zip(facts.symbols, found, strict=True)}


def words(text: str) -> set[str]:
    return set(text.split())


def test_a_name_counts_as_a_whole_and_as_its_parts() -> None:
    connect = documents()["DatabaseClient.connect"]
    assert {"failwithmessage", "fail", "with", "message"} <= words(connect.body)
    assert words(documents()["LIMIT_ROWS"].name) == {"limit_rows", "limit", "rows"}


def test_each_word_of_a_body_is_listed_once() -> None:
    for each in documents().values():
        assert len(each.body.split()) == len(words(each.body))


def test_text_belongs_to_the_innermost_callable_only() -> None:
    found = documents()
    assert "open_socket" in words(found["DatabaseClient.connect.attempt"].body)
    assert "open_socket" not in words(found["DatabaseClient.connect"].body)
    assert "cannot" in words(found["DatabaseClient.connect"].body)


def test_a_type_has_its_own_lines_and_the_names_of_its_methods() -> None:
    client = words(documents()["DatabaseClient"].body)
    assert {"retries", "connect"} <= client
    assert "failwithmessage" not in client


def test_concepts_are_file_folder_and_owner() -> None:
    concepts = words(documents()["DatabaseClient.connect"].concepts)
    assert {"client_pool", "client", "pool", "db", "databaseclient", "database"} <= concepts


def test_sections_of_a_text_are_documents_of_their_own() -> None:
    data = b"# Setup\n\nInstall the wheel.\n\n# Usage\n\nCall the client.\n"
    facts = extract("guide.md", "markdown", data)
    setup, usage = chunk_documents("guide.md", facts, data)
    assert "wheel" in words(setup.body)
    assert "wheel" not in words(usage.body)
    assert words(symbol_documents("guide.md", facts, data)[0].body) == set()


def test_a_quoted_member_with_blanks_adds_its_words_once() -> None:
    source = b'const table = class { "text script"() {} text() {} };\n'
    facts = extract("a.js", "javascript", source)
    for each in symbol_documents("a.js", facts, source):
        for field in each:
            assert len(field.split()) == len(words(field))


def test_names_are_split_alike_whatever_their_case() -> None:
    # those of one case, or with one capital in front, are split without an expression
    text = b"log_entry LOG_ENTRY Log_entry LogEntry Human URL a_b I_am test_test v2_api"
    (found,) = chunk_documents("a.txt", extract("a.txt", "", text), text)
    assert found.body.split() == [
        *("log_entry", "log", "entry", "logentry", "human", "url", "a_b", "i_am", "am"),
        *("test_test", "test", "v2_api", "v2", "api"),
    ]
