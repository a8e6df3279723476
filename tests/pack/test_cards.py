"""Cards say what a symbol is in as few words as their fidelity allows."""

from __future__ import annotations

from dataclasses import replace

from pack_requests import Repository

from sonde.pack import cards


def client() -> Repository:
    repository = Repository()
    methods = {f"step_{i}": "pass" for i in range(12)}
    repository.add_class("src/db.py", "Client", methods, "Talks to it.\nStill so.\n\nMore.")
    return repository


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
        return cards.summary(replace(client().symbols[1], doc=doc))

    assert told("@author Somebody <some@body.example>") == ""
    assert told("{@inheritdoc}") == ""
    assert told("@internal\n@param x\n\nOpens it.") == "Opens it."
    assert told("Opens it\n@param x the x") == "Opens it"
    assert told("@brief Opens it.\n@param x") == "Opens it."
    assert told("@deprecated Use open.") == "deprecated Use open."
    assert told("{@link Other} opens it.") == "{@link Other} opens it."


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
