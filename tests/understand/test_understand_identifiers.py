"""Which words of a text are names of code, and what a name is made of."""

from __future__ import annotations

import pytest

from sonde.understand.identifiers import split_identifier
from sonde.understand.query import understand


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("HTTPServer", ["http", "server"]),
        ("XMLHttpRequest", ["xml", "http", "request"]),
        ("getURLs", ["get", "urls"]),
        ("parse_json_line", ["parse", "json", "line"]),
        ("kebab-case-name", ["kebab", "case", "name"]),
        ("utf8_decode", ["utf8", "decode"]),
        ("sha256sum", ["sha256", "sum"]),
        ("OAuth2Client", ["oauth2", "client"]),
        ("__init__", ["init"]),
        ("MAX_SIZE", ["max", "size"]),
        ("Outer.inner::Deep", ["outer", "inner", "deep"]),
        ("解析器", ["解析器"]),
        ("___", []),
        ("", []),
    ],
)
def test_names_split_into_words(name: str, words: list[str]) -> None:
    assert split_identifier(name) == words


def test_backticks_make_a_name_exact() -> None:
    query = understand("fix the crash in `DatabaseClient.connect` when `url` is `None`")
    assert query.exact == ("DatabaseClient.connect", "url")
    assert "DatabaseClient" in query.compounds


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("speed up load_all_rows please", "load_all_rows"),
        ("the RowReader is slow", "RowReader"),
        ("calling RowReader.close twice hangs", "RowReader.close"),
        ("Reader::close leaks", "Reader.close"),
        ("Reader#close leaks", "Reader.close"),
        ("it happens after obj.delete() returns", "obj.delete"),
        ("call halt() early", "halt"),
        ("self.row_count is wrong", "row_count"),
        ("pkg.rows.make_reader fails", "pkg.rows.make_reader"),
        ("put @Immutable on it", "Immutable"),
        ("the option MAX_ROWS is ignored", "MAX_ROWS"),
        ("how is the Snippet class used", "Snippet"),
    ],
)
def test_code_in_prose_is_a_compound(text: str, name: str) -> None:
    assert name in understand(text).compounds


@pytest.mark.parametrize(
    "text",
    [
        "some tools, e.g. parsers, i.e. readers, etc. are slow",
        "since 3.9 and v2.0.1 it is slow",
        "on Node.js it is slow",
        "see example.com or https://docs.example.org/some_page/readFile.html",
        "we use GitHub and JavaScript on macOS",
        "the foo.bar thing is slow",
        "it works.The next one does not",
        "many error(s) and URLs or APIs",
        "thanks to @somebody for this",
    ],
)
def test_prose_is_not_taken_for_code(text: str) -> None:
    query = understand(text)
    assert query.compounds == ()
    assert query.exact == ()


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("look at src/app/core.py first", "src/app/core.py"),
        ("look at core.py first", "core.py"),
        ("in `lib/http/client.rb`", "lib/http/client.rb"),
        (r"C:\code\app\Main.cs is broken", "/code/app/Main.cs"),
        ("everything under acme/db/models is slow", "acme/db/models"),
        ("the package `acme.rows`", "acme/rows"),
        ("see https://github.com/acme/rows/blob/0f3a/lib/read.js#L20-L31 for it", "lib/read.js"),
    ],
)
def test_files_and_folders_are_paths(text: str, path: str) -> None:
    assert path in understand(text).paths


@pytest.mark.parametrize(
    "text", ["and/or", "client/server split", "application/json", "on Node.js"]
)
def test_slashes_in_prose_are_not_paths(text: str) -> None:
    assert understand(text).paths == ()


def test_link_to_a_line_points_there() -> None:
    query = understand("see https://github.com/acme/rows/blob/0f3a/lib/read.js#L20-L31")
    assert [(frame.file, frame.line) for frame in query.frames] == [("lib/read.js", 20)]
    assert query.confidence < 0.9  # a link is not a stack trace


def test_a_task_of_one_letter_was_refused_though_a_symbol_has_that_name() -> None:
    assert understand(" g ").exact == ("g",)
    assert understand("3").exact == ()
