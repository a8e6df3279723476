"""Cards say what a symbol is in as few words as their fidelity allows."""

from __future__ import annotations

from dataclasses import replace

from pack_requests import Repository

from sonde.model import Kind
from sonde.pack import cards


def client() -> Repository:
    repository = Repository()
    methods = {f"step_{i}": "pass" for i in range(12)}
    repository.add_class("src/db.py", "Client", methods, "Talks to it.\nStill so.\n\nMore.")
    return repository


def test_compact_card_has_kind_signature_place_and_first_doc_line() -> None:
    assert cards.compact(client().symbols[0]) == (
        "[class] class Client:\n  file: src/db.py:1\n  doc: Talks to it."
    )


def test_card_of_a_method_tells_its_owner() -> None:
    text = cards.compact(client().symbols[1])
    assert text.startswith("[method] Client.step_0: def step_0(self):\n")


def test_standard_card_adds_paragraph_parent_and_at_most_eight_members() -> None:
    repository = client()
    owner, method = repository.symbols[:2]
    members = cards.member_signatures(repository.members(owner))
    assert len(members) == 8
    text = cards.standard(owner, members)
    assert "doc: Talks to it. Still so.\n  members:\n    - def step_0(self):" in text
    assert "  parent: Client" in cards.standard(method)


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


def test_a_file_whose_name_has_dots_was_part_of_a_parent_that_does_not_exist() -> None:
    module = replace(
        client().symbols[0], kind=Kind.MODULE, name="menu.module", qualname="menu.module"
    )
    assert "parent:" not in cards.standard(module)
