"""What a pack holds: the right things, once, at the right fidelity, and what it left out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pack_requests import Repository, ranked, request_for

from sonde.model import Fidelity, Intent, Item, Pack, PackEdge
from sonde.pack.assemble import assemble
from sonde.pack.errors import BudgetTooSmall, UnknownFormat, UnknownTokenizer
from sonde.pack.profile import profile
from sonde.pack.relevance import MENTIONED
from sonde.pack.render import render
from sonde.pack.request import PackRequest
from sonde.pack.tokens import TokenCounter


@pytest.fixture
def repository() -> Repository:
    made = Repository()
    made.add_class("src/db.py", "Client", {"connect": "a = 1", "close": "b = 2"}, "Talks.")
    made.add_class("src/big.py", "Big", {f"m{i}": "x = 1\n" * 60 for i in range(20)})
    made.add_function("src/use.py", "serve", "Client().connect()")
    made.add_function("tests/test_db.py", "test_connect", "Client().connect()")
    made.add_function("src/huge.py", "huge", "value = compute(value)\n" * 3000)
    return made


def packed(request: PackRequest) -> Pack:
    pack = assemble(request)
    assert isinstance(pack, Pack)
    return pack


def shown(pack: Pack) -> dict[str, Item]:
    return {item.symbol.qualname: item for section in pack.sections for item in section.items}


def section_of(pack: Pack, qualname: str) -> str:
    for section in pack.sections:
        if any(item.symbol.qualname == qualname for item in section.items):
            return section.name
    return ""


@pytest.mark.parametrize("intent", list(Intent))
def test_shares_of_every_intent_sum_to_one(intent: Intent) -> None:
    assert sum(profile(intent)) == pytest.approx(1.0)


def test_primary_target_gets_its_full_source(repository: Repository) -> None:
    pack = packed(request_for(repository, {"Client.connect": 1.0, "serve": 0.2}))
    item = shown(pack)["Client.connect"]
    assert item.fidelity is Fidelity.FULL
    assert item.text == "def connect(self):\n        a = 1"
    assert section_of(pack, "Client.connect") == "snippets"


def test_every_symbol_the_task_names_gets_its_source(repository: Repository) -> None:
    scores = {"Big.m1": 1.0, "serve": 0.9, "Client.close": 0.8}
    pack = packed(request_for(repository, scores, named=["serve", "Client.close"]))
    for name in ("serve", "Client.close"):
        assert shown(pack)[name].fidelity is Fidelity.FULL


def test_class_too_large_to_open_is_shown_by_its_ranked_methods(repository: Repository) -> None:
    pack = packed(request_for(repository, {"Big": 1.0, "Big.m2": 0.5}, named=["Big"]))
    assert shown(pack)["Big"].fidelity is Fidelity.STANDARD
    assert shown(pack)["Big.m2"].fidelity is Fidelity.FULL


def test_class_shown_in_full_does_not_also_print_its_methods(repository: Repository) -> None:
    request = request_for(
        repository, {"Client": 1.0, "Client.connect": 0.95, "Client.close": 0.9}, task="x"
    )
    pack = packed(request)
    assert list(shown(pack)) == ["Client"]
    assert render(pack, "xml").count("def connect") == 1
    assert pack.omitted == ""


def test_method_listed_by_itself_is_not_listed_again_as_a_member(repository: Repository) -> None:
    pack = packed(request_for(repository, {"Big": 1.0, "Big.m3": 0.9}))
    items = shown(pack)
    assert items["Big"].fidelity is Fidelity.STANDARD
    assert "def m3(self):" not in items["Big"].members
    assert "Big.m3" in items


def test_source_that_cannot_fit_leaves_a_card(repository: Repository) -> None:
    pack = packed(request_for(repository, {"huge": 1.0}))
    assert shown(pack)["huge"].fidelity is not Fidelity.FULL
    assert pack.tokens < 200


def test_room_went_to_longer_cards_of_functions_instead_of_sources(repository: Repository) -> None:
    repository.add_function("src/db.py", "late", "late = 1", "Is late.\nVery.")
    repository.add_function(
        "src/huge.py", "vast", "value = compute(value)\n" * 3000, "Is vast.\nVery."
    )
    scores = {"Client.connect": 1.0, "vast": 0.95, "late": 0.9, "Big.m1": 0.85, "huge": 0.8}
    items = shown(packed(request_for(repository, scores)))
    assert items["vast"].fidelity is Fidelity.COMPACT
    assert items["late"].fidelity is Fidelity.FULL


def test_sure_answer_is_far_below_the_budget(repository: Repository) -> None:
    scores = {"Client.connect": 1.0, "Big": 0.4, "serve": 0.4, "huge": 0.3}
    pack = packed(request_for(repository, scores, named=["Client.connect"]))
    assert list(shown(pack)) == ["Client.connect"]
    assert pack.tokens < 200


def test_tests_and_callers_have_their_sections_by_intent(repository: Repository) -> None:
    by_name = {symbol.qualname: symbol for symbol in repository.symbols}
    repository.links.append((by_name["serve"].id, "calls", by_name["Client.connect"].id))
    request = request_for(
        repository,
        {"Client.connect": 1.0},
        tests=[ranked(by_name["test_connect"], 1.0, "tests connect")],
        callers=[ranked(by_name["serve"], 1.0, "calls connect")],
        imports=lambda files: [("src/db.py", "src/url.py")],
    )
    pack = packed(request)
    assert pack.sections[-1].lines == ("src/db.py -> src/url.py",)
    # A bug is told of tests and callers in a line each.
    hints = {section.name: section.lines for section in pack.sections if not section.items}
    assert any("test_connect" in line for line in hints["tests"])
    assert any("serve" in line and "calls connect" in line for line in hints["callers"])
    # Where they are what was asked for they are items of their own.
    tested = packed(replace(request, intent=Intent.TEST_WRITING))
    assert section_of(tested, "test_connect") == "tests"
    used = packed(replace(request, intent=Intent.USAGE_EXPLORATION))
    assert section_of(used, "serve") == "callers"
    assert shown(used)["serve"].reason == "calls connect"
    # Looking up a definition has no share for callers.
    lookup = packed(replace(request, intent=Intent.DEFINITION_LOOKUP))
    assert section_of(lookup, "serve") == ""


def test_what_stands_beside_a_symbol_that_is_not_shown_was_shown(repository: Repository) -> None:
    names = ("Client.close", "serve")
    beside = [ranked(each, 0.35) for each in repository.symbols if each.qualname in names]
    pack = packed(request_for(repository, {"Client.connect": 1.0}, neighbours=beside))
    assert "Client.close" in shown(pack)
    assert "serve" not in shown(pack)


def test_lines_of_what_ranked_next_stood_before_cards(repository: Repository) -> None:
    beside = [ranked(each, 5.0) for each in repository.symbols if each.qualname == "Big.m4"]
    scores = {"huge": 1.0, "Big": 0.9}
    definitions = packed(request_for(repository, scores, neighbours=beside)).sections[0]
    assert [item.symbol.qualname for item in definitions.items] == ["huge", "Big", "Big.m4"]
    assert definitions.items[-1].fidelity is Fidelity.OUTLINE


def test_more_is_mentioned_of_what_ranked_next_when_more_is_asked_for(
    repository: Repository,
) -> None:
    beside = [ranked(each, 0.3) for each in repository.symbols if each.file == "src/big.py"]
    many = [one for one in beside for _ in range(MENTIONED // 4)]
    request = request_for(repository, {"Big.m0": 1.0}, neighbours=many)
    few = len(shown(packed(request)))
    assert few < len(shown(packed(replace(request, budget=16000))))


def test_callers_of_a_symbol_that_is_not_shown_were_shown(repository: Repository) -> None:
    by_name = {symbol.qualname: symbol for symbol in repository.symbols}
    repository.links.append((by_name["serve"].id, "calls", by_name["Client.connect"].id))
    repository.links.append((by_name["huge"].id, "calls", by_name["Big.m1"].id))
    callers = [ranked(by_name[name], 1.0, "calls it") for name in ("huge", "serve")]
    pack = packed(request_for(repository, {"Client.connect": 1.0}, callers=callers))
    lines = [line for section in pack.sections for line in section.lines]
    assert any("serve" in line for line in lines)
    assert not any("huge" in line for line in lines)


def test_edges_among_the_chosen_only(repository: Repository) -> None:
    ids = {symbol.qualname: symbol.id for symbol in repository.symbols}
    repository.links = [
        (ids["huge"], "calls", ids["Client.connect"]),
        (ids["huge"], "calls", ids["serve"]),
        (ids["Client"], "contains", ids["Client.connect"]),
    ]
    pack = packed(request_for(repository, {"Client.connect": 1.0, "huge": 0.9}))
    assert pack.edges == (PackEdge("huge", "calls", "Client.connect"),)


def test_what_a_source_in_the_pack_shows_was_told_as_a_relation(repository: Repository) -> None:
    ids = {symbol.qualname: symbol.id for symbol in repository.symbols}
    repository.links = [
        (ids["serve"], "calls", ids["Client.connect"]),
        (ids["huge"], "calls", ids["Client.connect"]),
    ]
    names = ["serve", "Client.connect", "huge"]
    pack = packed(request_for(repository, dict.fromkeys(names, 1.0), named=names))
    assert shown(pack)["serve"].fidelity is Fidelity.FULL
    assert pack.edges == (PackEdge("huge", "calls", "Client.connect"),)


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (("calls", "tests"), "tests"),
        (("calls", "decorates"), "decorates"),
        (("type_hint_of", "calls", "references"), "calls"),
        (("type_hint_of", "references"), "type_hint_of"),
    ],
)
def test_one_symbol_was_said_to_call_and_to_test_another(
    repository: Repository, kinds: tuple[str, ...], told: str
) -> None:
    ids = {symbol.qualname: symbol.id for symbol in repository.symbols}
    repository.links = [(ids["huge"], kind, ids["Client.connect"]) for kind in kinds]
    pack = packed(request_for(repository, {"Client.connect": 1.0, "huge": 0.9}))
    assert pack.edges == (PackEdge("huge", told, "Client.connect"),)


def test_one_edge_was_told_as_a_reason_a_caller_and_a_relation(repository: Repository) -> None:
    by_name = {symbol.qualname: symbol for symbol in repository.symbols}
    repository.add_function("src/db.py", "caller", "Client().connect()")
    caller = repository.symbols[-1]
    repository.links.append((caller.id, "calls", by_name["Client.connect"].id))
    why = ranked(caller, 0.3, "calls connect")
    request = request_for(repository, {"Client.connect": 1.0}, callers=[why], neighbours=[why])
    assert render(packed(request), "xml").count("calls") == 1
    other = replace(request, neighbours=[ranked(caller, 0.3, "text matches it")])
    assert "callers" in {section.name for section in packed(other).sections}


def test_tests_of_a_symbol_that_is_not_shown_were_shown(repository: Repository) -> None:
    by_name = {symbol.qualname: symbol for symbol in repository.symbols}
    repository.links.append((by_name["test_connect"].id, "tests", by_name["huge"].id))
    tests = [ranked(by_name["test_connect"], 1.0, "tests it")]
    scores = {"Client.connect": 1.0, "huge": 0.1}
    for target, expected in (("huge", False), ("Client.connect", True)):
        repository.links[-1] = (by_name["test_connect"].id, "tests", by_name[target].id)
        pack = packed(request_for(repository, scores, tests=tests))
        lines = [line for section in pack.sections for line in section.lines]
        assert any("test_connect" in line for line in lines) is expected


def test_left_out_is_told_with_the_budget_that_includes_it(repository: Repository) -> None:
    scores = {"Client.connect": 1.0, "serve": 0.3, "huge": 0.3, "Big.m1": 0.2, "Big.m2": 0.2}
    request = request_for(repository, scores)
    pack = packed(request)
    assert pack.omitted == "4 more symbols from 3 files: budget 16000"
    assert "left out: 4 more symbols from 3 files: budget 16000" in render(pack, "xml")
    wider = packed(replace(request, budget=16000))
    assert len(shown(wider)) > len(shown(pack))


@pytest.mark.parametrize("budget", [-5, 0, 1, 20])
def test_too_small_budget_names_the_minimum_that_works(repository: Repository, budget: int) -> None:
    request = request_for(repository, {"Client.connect": 1.0, "serve": 0.9}, budget=budget)
    error = assemble(request)
    assert isinstance(error, BudgetTooSmall)
    assert str(budget) in str(error)
    assert packed(replace(request, budget=error.minimum)).tokens <= error.minimum


def test_tight_budget_keeps_the_primary_target(repository: Repository) -> None:
    scores = {"Big": 1.0, "Client.connect": 0.99, "serve": 0.98, "huge": 0.97, "Client": 0.96}
    for budget in range(90, 400, 10):
        pack = assemble(request_for(repository, scores, budget=budget))
        assert isinstance(pack, BudgetTooSmall) or "Big" in shown(pack)


def test_unknown_format_and_tokenizer_are_error_values(repository: Repository) -> None:
    request = request_for(repository, {"serve": 1.0})
    assert isinstance(assemble(replace(request, format="pdf")), UnknownFormat)
    assert isinstance(assemble(replace(request, tokenizer="gpt9")), UnknownTokenizer)


def test_nothing_ranked_gives_an_empty_pack(repository: Repository) -> None:
    pack = packed(request_for(repository, {}))
    assert pack.sections == ()
    assert render(pack, "xml").startswith("<!-- intent: BUG_FIX, confidence: 0.90, pack: ")


def test_state_of_the_index_is_marked(repository: Repository) -> None:
    request = request_for(
        repository, {"serve": 1.0}, stale=("a.py", "b.py", "c.py", "d.py"), indexed_share=0.999
    )
    text = render(packed(request), "markdown")
    assert "partial: 99 % of the files are indexed so far" in text
    assert "not refreshed: a.py, b.py, c.py and 1 more" in text


def test_root_depends_on_content_budget_and_task_but_not_on_their_spelling(
    repository: Repository,
) -> None:
    request = request_for(repository, {"serve": 1.0}, task="Fix  the\nCrash")
    root = packed(request).root
    assert len(root) == 16
    assert packed(replace(request, task="fix the crash ")).root == root
    assert packed(replace(request, task="fix the smash")).root != root
    assert packed(replace(request, budget=7999)).root != root
    repository.texts[next(s.id for s in repository.symbols if s.name == "serve")] += "# more"
    assert packed(request).root != root


def test_tokens_are_those_of_the_rendered_text(repository: Repository) -> None:
    for tokenizer in ("o200k", "cl100k", "chars4"):
        request = request_for(repository, {"serve": 1.0, "Big": 0.9}, tokenizer=tokenizer)
        pack = packed(request)
        assert pack.tokens == TokenCounter(tokenizer).count(render(pack, "xml"))
