"""Cards say what a symbol is in as few words as their fidelity allows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pack_requests import Repository

from sonde.model import SymbolRecord
from sonde.pack import cards


def client() -> Repository:
    repository = Repository()
    methods = {f"step_{i}": "pass" for i in range(12)}
    repository.add_class("src/db.py", "Client", methods, "Talks to it.\nStill so.\n\nMore.")
    return repository


def documented(doc: str) -> SymbolRecord:
    return replace(client().symbols[1], doc=doc)


def test_compact_card_has_kind_signature_place_and_first_sentence() -> None:
    assert cards.compact(client().symbols[0]) == (
        "[class] class Client:\n  file: src/db.py:1\n  doc: Talks to it."
    )


def test_card_of_a_method_tells_its_owner() -> None:
    text = cards.compact(client().symbols[1])
    assert text.startswith("[method] Client.step_0: def step_0(self):\n")


def test_standard_card_adds_paragraph_and_at_most_eight_members() -> None:
    repository = client()
    owner = repository.symbols[0]
    members = cards.member_signatures(repository.members(owner))
    assert len(members) == 8
    text = cards.standard(owner, members)
    assert "doc: Talks to it. Still so.\n  members:\n    - def step_0(self):" in text


def test_an_owner_that_the_first_line_names_was_named_again() -> None:
    method = client().symbols[1]
    assert cards.standard(method).count("Client") == 1
    written = replace(method, signature="void Client::step_0(const std::string& path)")
    assert cards.headline(written) == "[method] void Client::step_0(const std::string& path)"


def test_a_sentence_that_goes_on_in_the_next_line_was_cut_within() -> None:
    doc = "Opens the connection for\nthe caller, who closes it. Retries.\n\nMore."
    method = replace(client().symbols[1], doc=doc)
    assert cards.summary(method) == "Opens the connection for the caller, who closes it."


def test_parameters_on_lines_of_their_own_left_blanks_in_a_signature() -> None:
    signature = "def step_0(\n    self,\n    path: list[\n        int\n    ],\n) -> None"
    method = replace(client().symbols[1], signature=signature)
    assert cards.signature(method) == "def step_0(self, path: list[int]) -> None"
    assert cards.member_signatures([method]) == ("def step_0(self, path: list[int]) -> None",)


def test_tags_of_a_doc_comment_were_shown_as_what_the_symbol_does() -> None:
    def told(doc: str) -> str:
        return cards.summary(documented(doc))

    assert told("@author Somebody <some@body.example>") == ""
    assert told("{@inheritdoc}") == ""
    assert told("@internal\n@param x\n\nOpens it.") == "Opens it."
    assert told("Opens it\n@param x the x") == "Opens it"
    assert told("@brief Opens it.\n@param x") == "Opens it."
    assert told("@deprecated Use open.") == "deprecated Use open."
    assert told("{@link Other} opens it.") == "Other opens it."


def test_full_is_the_source_as_indexed() -> None:
    repository = client()
    method = repository.symbols[3]
    assert cards.full(repository.source(method)) == "def step_2(self):\n        pass"


def test_hidden_characters_are_shown_and_a_page_long_signature_is_cut() -> None:
    symbol = replace(
        client().symbols[0], signature="f(" + "a, " * 500, doc="\u202eevil\x1b[0m", file="a\nb.py"
    )
    text = cards.compact(symbol)
    assert len(text) < 400
    assert "\\u202eevil\\x1b[0m" in text
    assert "file: a\\nb.py:1" in text


def test_a_signature_that_was_cut_when_it_was_read_looked_whole() -> None:
    long = replace(client().symbols[1], signature="def f(" + "x" * 294)
    assert len(long.signature) == 300
    assert cards.signature(long).endswith("…")


def test_a_sentence_ended_at_for_example() -> None:
    assert cards.summary(documented("A rule, e.g. `a: b`. More.")) == "A rule, e.g. `a: b`."


@pytest.mark.parametrize(
    ("doc", "told"),
    [
        ("eslint-disable-next-line @scope/no-merging", ""),
        ("go:build linux", ""),
        ("rubocop:disable Metrics/AbcSize\nAdds two numbers.", "Adds two numbers."),
        ("nolint is a list of rules.", "nolint is a list of rules."),
        ("=== Returns\n\n[String] the path", "[String] the path"),
        ("# Panics\n\nIf it is empty.", "If it is empty."),
    ],
)
def test_what_is_said_to_tools_and_headings_were_shown_as_the_doc(doc: str, told: str) -> None:
    assert cards.paragraph(documented(doc)) == told


@pytest.mark.parametrize(
    ("doc", "told"),
    [
        ("Uses a {@link Cart}-based {@code List<Row> rows}.", "Uses a Cart-based List<Row> rows."),
        ("See {@link Cart#add(Row) adding} and {@link #size}.", "See adding and size."),
        ("See {@linkplain shop.Cart\nthe cart}, {@link Cart#add}.", "See the cart, Cart.add."),
        ("Left open: {@link Cart", "Left open: {@link Cart"),
    ],
)
def test_links_in_a_doc_were_shown_with_their_marks(doc: str, told: str) -> None:
    assert cards.paragraph(documented(doc)) == told


def test_a_signature_that_was_cut_behind_a_space_looked_whole() -> None:
    long = replace(client().symbols[1], signature=f"def {'a' * 295} ")
    assert cards.signature(long) == f"def {'a' * 295}…"
