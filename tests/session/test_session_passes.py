"""The three passes and `more`: what each sends, and what it does not send again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from time import time

import pytest
import yaml
from session_shop import CHECKOUT, EDITOR, FAILED, TASK, Clock, begun, copy_shop, engine_over

from sonde.answers.feedback import Opinion
from sonde.answers.results import Refusal
from sonde.engine import Engine
from sonde.pack.errors import BudgetTooSmall
from sonde.pack.tokens import TokenCounter
from sonde.session.context_pack import ContextPack, Detail
from sonde.session.editor import Diagnosis, Editor, GitState, Message
from sonde.session.session import Session, SessionOptions, sessions
from sonde.session.task import TaskSpec


def passed(pack: object) -> ContextPack:
    assert isinstance(pack, ContextPack), pack
    return pack


def test_the_yaml_has_the_sections_of_the_seed_in_order(shop: Engine):
    task = TaskSpec(TASK, "/fix", ("tests pass",), ("keep the signature",))
    editor = replace(EDITOR, terminal="$ pytest\n1 failed", git=GitState("main", (CHECKOUT,)))
    history = [Message("user", "fix the stock")]
    session = begun(shop, task, editor, history=history)
    data = yaml.safe_load(session.pack.text)
    assert list(data) == [
        *("session", "pass", "pack", "goal", "slash_command", "acceptance_criteria"),
        *("constraints", "current_file", "selection", "content", "open_files", "diagnostics"),
        *("terminal_output", "git_status", "evidence", "files", "history"),
    ]
    assert data["slash_command"] == "/fix"
    assert data["diagnostics"][0]["line"] == 27
    assert {"file", "lines", "symbol", "reason", "content"} <= set(data["evidence"][0])
    assert data["history"] == [{"role": "user", "content": "fix the stock"}]


@pytest.mark.parametrize("format", ["yaml", "json", "markdown", "xml"])
def test_every_format_says_the_same_within_the_budget(shop: Engine, format: str):
    pack = begun(shop, options=SessionOptions(budget=1500, format=format)).pack
    assert TokenCounter().count(pack.text) == pack.tokens <= 1500
    for said in ("def place_order", "stock is reserved before the charge", CHECKOUT):
        assert said in pack.text
    if format == "json":
        assert json.loads(pack.text)["current_file"] == CHECKOUT


def test_a_command_before_the_goal_is_taken_from_it(shop: Engine):
    task = begun(shop, "/explain how a coupon lowers the price", Editor()).pack.task
    assert (task.command, task.goal) == ("/explain", "how a coupon lowers the price")


def test_an_unknown_command_is_refused_with_the_known_ones(shop: Engine):
    answer = Session.start(shop, TaskSpec("do it", "/dance"))
    assert isinstance(answer, Refusal)
    assert "/fix" in answer.message


def test_what_the_current_file_shows_is_not_evidence_as_well(shop: Engine):
    pack = begun(shop).pack
    assert "def place_order" in pack.workspace.content
    assert all(piece.symbol.qualname != "Checkout.place_order" for piece in pack.evidence)


def test_a_file_outside_the_workspace_is_refused(shop: Engine):
    answer = Session.start(shop, TASK, Editor("../secret.py"))
    assert isinstance(answer, Refusal)
    assert "outside" in answer.message


def test_a_plan_gets_what_its_steps_need_and_cites_the_rest(shop: Engine):
    session = begun(shop)
    sent = set(session.record.sent)
    pack = passed(session.plan(["release stock in PaymentGateway.refund", "update the tests"]))
    assert {piece.step for piece in pack.evidence} <= {1, 2}
    new = {piece.key for piece in pack.evidence if piece.detail is not Detail.CHANGED}
    assert not new & {key for key in sent if session.record.sent[key].number == 1}
    assert any("(pass 1)" in line for line in pack.cited)


def test_an_empty_plan_is_refused(shop: Engine):
    assert isinstance(begun(shop).plan(["  "]), Refusal)


def test_a_failure_brings_the_failing_test_and_its_subject(shop: Engine):
    pack = passed(begun(shop, editor=Editor(), task="refund a payment").failure(FAILED))
    assert [failure.test.rpartition("::")[2] for failure in pack.failures] == [
        "test_declined_card_puts_stock_back"
    ]
    source = "\n".join(piece.text for piece in pack.evidence)
    assert "def test_declined_card_puts_stock_back" in source
    assert "def place_order" in source


def test_bug_a_failing_test_was_said_to_be_in_the_current_file_or_selected(shop: Engine):
    output = FAILED[FAILED.index("FAILED tests/") :]  # no trace, which would name it first
    pack = passed(begun(shop, task="refund a payment").failure(output))
    name = "test_declined_card_puts_stock_back"
    said = [piece.reason for piece in pack.evidence if piece.symbol.name == name]
    assert said == ["fails in the output"]


def test_bug_a_rust_test_beside_the_code_had_no_subject_and_warnings_were_failures(own: Engine):
    source = (
        "pub fn make(n: u8) -> u8 { n }\nfn unused() {}\n"
        "#[cfg(test)]\nmod tests {\n    use super::*;\n"
        "    #[test]\n    fn makes() { assert_eq!(make(3), 4); }\n}\n"
    )
    (own.root / "src").mkdir()
    (own.root / "src" / "lib.rs").write_text(source)
    warning = "warning: function `unused` is never used\n --> src/lib.rs:2:4\n\n"
    output = (
        f"{warning}running 1 test\ntest tests::makes ... FAILED\n\nfailures:\n\n"
        "---- tests::makes stdout ----\n\nthread 'tests::makes' panicked at src/lib.rs:7:18:\n"
        "assertion `left == right` failed\n  left: 3\n right: 4\n\n\n"
        "failures:\n    tests::makes\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored;\n"
    )
    pack = passed(begun(own, task="refund a payment").failure(output))
    assert [failure.test for failure in pack.failures] == ["tests::makes"]
    reasons = {piece.symbol.name: piece.reason for piece in pack.evidence}
    assert reasons["make"] == "tested by makes"
    assert "unused" not in reasons
    assert "1 warning in the output, not shown" in pack.notes
    pack = passed(begun(own, task="refund a payment").failure(warning))
    reasons = {piece.symbol.name: piece.reason for piece in pack.evidence}
    assert reasons["unused"] == "warning at line 2"


def test_bug_a_failing_block_of_a_spec_file_brought_nothing(own: Engine):
    (own.root / "web").mkdir()
    (own.root / "web" / "sum.ts").write_text(
        "export function sum(a: number) {\n  return a;\n}\n"
        "export function other(a: number) {\n  return a;\n}\n"
    )
    (own.root / "web" / "sum.test.ts").write_text(
        "import { other, sum } from './sum';\n\n"
        "describe('sum', () => {\n"
        "  it('is first', () => {\n    expect(sum(1)).toBe(other(1));\n  });\n\n"
        "  it('adds', () => {\n    expect(sum(2)).toBe(3);\n  });\n});\n"
    )
    output = (
        " FAIL  web/sum.test.ts > sum > adds\nAssertionError: expected 2 to be 3\n\n"
        " ❯ web/sum.test.ts:9:20\n\n Test Files  1 failed (1)\n      Tests  1 failed (1)\n"
    )
    pack = passed(begun(own, task="refund a payment").failure(output))
    reasons = {piece.symbol.name: piece.reason for piece in pack.evidence}
    assert reasons["sum"] == "used around the failing test at line 9"
    assert "other" not in reasons


def test_bug_a_diff_was_cut_before_what_it_changes(own: Engine):
    diff = (
        f"diff --git a/{CHECKOUT} b/{CHECKOUT}\nindex 6a017e35..aff509f0 100644\n"
        f"--- a/{CHECKOUT}\n+++ b/{CHECKOUT}\n@@ -1,2 +1,2 @@\n-import old\n+import new\n"
    )
    editor = replace(EDITOR, git=GitState("main", (CHECKOUT,), diff))
    shown = begun(own, editor=editor, options=SessionOptions(budget=1500)).pack.workspace.git
    assert shown.diff == diff.partition("100644\n")[2].strip()


def test_bug_a_failing_test_was_taken_for_its_module_or_for_one_of_another_class(own: Engine):
    body = (
        "class TestOne:\n    def test_sum(self):\n        assert 1\n\n\n"
        "class TestTwo:\n    def test_sum(self):\n        assert 2\n\n\n"
        "def test_totals():\n    assert 3\n"
    )
    (own.root / "tests" / "test_totals.py").write_text(body)
    for test in ("TestTwo::test_sum", "test_totals"):
        output = f"FAILED tests/test_totals.py::{test} - AssertionError\n1 failed in 0.1s\n"
        pack = passed(begun(own, task="refund a payment").failure(output))
        failing = [each.symbol.qualname for each in pack.evidence if "fails in" in each.reason]
        assert failing == [test.replace("::", ".")]


@pytest.mark.parametrize("path", ["/home/ci/shop/shop/orders/cart.py", "orders/cart.py"])
def test_bug_the_file_of_a_failure_had_the_path_of_the_machine_that_ran_it(shop: Engine, path: str):
    output = f"{path}:14: error: Name 'x' is not defined  [name-defined]\n"
    pack = passed(begun(shop).failure(output))
    assert [failure.file for failure in pack.failures] == ["shop/orders/cart.py"]


def test_bug_a_failing_test_was_a_bare_signature_in_a_small_budget_that_stayed_empty(own: Engine):
    orders = "".join(
        f"    order_{n} = {{'customer': {n}, 'lines': ({n}, {n})}}\n" for n in range(20)
    )
    body = f"def test_totals():\n{orders}    assert order_1 == order_2\n"
    (own.root / "tests" / "test_totals.py").write_text(body)
    output = "FAILED tests/test_totals.py::test_totals - AssertionError\n1 failed in 0.1s\n"
    pack = passed(begun(own, task="refund a payment").failure(output, 3000))
    assert [piece.detail for piece in pack.evidence if piece.symbol.name == "test_totals"] == [
        Detail.FULL
    ]


def test_a_failure_after_the_start_sends_less_than_a_new_start(shop: Engine):
    session = begun(shop)
    again = begun(shop, editor=replace(EDITOR, terminal=FAILED)).pack
    assert passed(session.failure(FAILED)).tokens < again.tokens / 2


def test_output_that_cannot_be_read_is_refused(shop: Engine):
    answer = begun(shop).failure(b"\x00\x01\x02\x7f" * 100_000)
    assert isinstance(answer, Refusal)


def test_bug_an_output_without_a_word_was_taken_for_a_failure(shop: Engine):
    for output in ("", b"", " \n\n"):
        answer = begun(shop).failure(output)
        assert isinstance(answer, Refusal)
        assert "empty" in answer.message


def test_more_sends_the_next_best_and_nothing_twice(shop: Engine):
    session = begun(shop, "discounts, coupons and money", Editor(), SessionOptions(budget=700))
    first = {piece.key for piece in session.pack.evidence}
    second = {piece.key for piece in passed(session.more()).evidence}
    assert second
    assert not first & second


def test_the_receiver_can_ask_for_the_full_text_again(shop: Engine):
    session = begun(shop)
    pack = passed(session.more(["Checkout.place_order"]))
    assert "def place_order" in pack.evidence[0].text


def test_a_source_that_was_asked_for_by_name_is_not_cut_to_a_card_while_there_is_room(own: Engine):
    body = "".join(f"    total = total + line_{n}\n" for n in range(150))
    place = own.root / "shop/orders/long.py"
    place.write_text(f"def add_lines(total):\n{body}    return total\n")
    session = begun(own, "discounts", Editor(), SessionOptions(budget=3000))
    (piece,) = passed(session.more(["add_lines"])).evidence
    assert piece.detail is Detail.FULL
    pack = passed(session.more(["add_lines", "Checkout.place_order"], budget=900))
    assert {piece.symbol.name: piece.detail for piece in pack.evidence}["add_lines"] is Detail.CARD
    assert re.search(r"the source of add_lines, [\d,]+ tokens: give a larger budget", pack.text)


def test_one_step_or_name_is_not_taken_for_its_letters(shop: Engine):
    session = begun(shop)
    assert passed(session.plan("refund a payment")).steps == ("refund a payment",)
    assert passed(session.more("Checkout.place_order")).evidence[0].symbol.name == "place_order"


def test_a_negative_budget_was_refused_as_a_window(shop: Engine):
    answer = Session.start(shop, TASK, options=SessionOptions(budget=-3))
    assert str(answer) == "a budget of -3 tokens holds nothing: give a positive number"


def test_a_name_that_nothing_has_is_refused_with_near_names(shop: Engine):
    answer = begun(shop).more(["place_ordr"])
    assert isinstance(answer, Refusal)
    assert "place_order" in answer.message


def test_what_changed_since_it_was_sent_comes_as_a_difference(own: Engine):
    session = begun(own)
    place = own.root / CHECKOUT
    place.write_text(place.read_text().replace("self._reserve(cart)\n", "pass\n", 1))
    pack = passed(session.plan(["refund"]))
    (changed,) = [p for p in pack.evidence if p.symbol.qualname == "Checkout.place_order"]
    assert changed.detail is Detail.CHANGED
    assert "-        self._reserve(cart)" in changed.text
    assert "+        pass" in changed.text
    again = passed(session.plan(["refund"]))
    assert all(piece.detail is not Detail.CHANGED for piece in again.evidence)


def test_what_is_gone_is_said(own: Engine):
    session = begun(own)
    (own.root / CHECKOUT).unlink()
    assert any(
        "Checkout.place_order" in line and "gone" in line
        for line in passed(session.plan(["refund"])).cited
    )


def test_another_process_goes_on_where_one_stopped(own: Engine, tmp_path: Path):
    id = begun(own).id
    with engine_over(own.root, tmp_path / "cache") as other:
        session = Session.open(other, id, clock=Clock())
        assert isinstance(session, Session)
        assert any("(pass 1)" in line for line in passed(session.failure(FAILED)).cited)


def test_two_processes_in_one_session_lost_each_others_passes(own: Engine, tmp_path: Path):
    session = begun(own, clock=time)
    script = (
        "import sys, pathlib\n"
        "from session_shop import engine_over\n"
        "from sonde.session.session import Session\n"
        "with engine_over(*map(pathlib.Path, sys.argv[1:3])) as engine:\n"
        "    session = Session.open(engine, sys.argv[3])\n"
        "    print(flush=True), sys.stdin.readline()\n"
        "    print([session.plan([f'step {n} of the order']).number for n in range(3)])\n"
    )
    words = (sys.executable, "-c", script, str(own.root), str(tmp_path / "cache"), session.id)
    path = os.pathsep.join(sys.path)
    two = [
        subprocess.Popen(
            words, text=True, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": path}
        )
        for _ in range(2)
    ]
    for process in two:  # each has opened the session before either goes on with it
        process.stdout.readline()
    numbers = [json.loads(process.communicate("\n", 60)[0]) for process in two]
    assert sorted(numbers[0] + numbers[1]) == [2, 3, 4, 5, 6, 7]
    passed(session.plan(["the last step of the order"]))
    assert [each.number for each in session.record.passes] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_session_that_another_process_ended_is_not_brought_back(own: Engine):
    session = begun(own)
    other = Session.open(own, session.id, clock=Clock())
    assert not isinstance(other.end(), Refusal)
    assert "there is no session" in session.more().message
    assert isinstance(Session.open(own, session.id, clock=Clock()), Refusal)


def test_a_session_expires_a_day_after_its_last_use(own: Engine):
    clock = Clock()
    id = begun(own, clock=clock).id
    clock.now += 23 * 3600
    session = Session.open(own, id, clock=clock)
    assert isinstance(session, Session)
    passed(session.more())
    clock.now += 23 * 3600
    assert isinstance(Session.open(own, id, clock=clock), Session)
    clock.now += 2 * 3600
    assert isinstance(Session.open(own, id, clock=clock), Refusal)


def test_of_too_many_sessions_the_oldest_go(own: Engine, tmp_path: Path):
    (kept,) = (tmp_path / "cache").rglob(f"{begun(own).id}.json")
    for number in range(245):
        copied = kept.with_name(f"{number:016x}.json")
        copied.write_bytes(kept.read_bytes())
        os.utime(copied, (number, number))
    newest = begun(own, id="f" * 16).id
    left = {path.stem for path in kept.parent.glob("*.json")}
    assert len(left) == 200
    assert {newest, kept.stem, f"{244:016x}"} < left
    assert f"{0:016x}" not in left


def test_sessions_are_for_their_owner_only_and_outside_the_workspace(own: Engine, tmp_path: Path):
    before = sorted(own.root.rglob("*"))
    id = begun(own).id
    (kept,) = (tmp_path / "cache").rglob(f"{id}.json")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    assert sorted(own.root.rglob("*")) == before


@pytest.mark.parametrize("id", ["../index", "", "0123456789abcdeg", "x" * 4000, "last"])
def test_an_id_that_is_none_opens_nothing(shop: Engine, id: str):
    assert isinstance(Session.open(shop, id), Refusal)


def test_a_session_belongs_to_its_workspace(own: Engine, tmp_path: Path):
    session = begun(own)
    with engine_over(copy_shop(tmp_path / "other"), tmp_path / "cache") as other:
        assert isinstance(Session.open(other, session.id, clock=Clock()), Refusal)
        assert sessions(other, Clock()) == []


def test_what_one_session_sent_changes_no_other_answer(own: Engine):
    def asked() -> tuple[str, list[tuple[str, float]]]:
        other = begun(own, TASK, Editor(), id="f" * 16, clock=Clock())
        ranked = own.rank(TASK).ranked
        return other.pack.text, [(one.symbol.qualname, one.score) for one in ranked]

    before = asked()
    session = begun(own, "explain the coupons of a cart", Editor(), clock=Clock())
    for _ in range(3):
        session.more()
    passed(session.more(["Cart.add"]))
    assert session.boosts(), "this session has rules of its own"
    assert asked() == before


def test_a_torn_file_is_no_session(own: Engine, tmp_path: Path):
    id = begun(own).id
    (kept,) = (tmp_path / "cache").rglob(f"{id}.json")
    kept.write_text(kept.read_text()[:100])
    assert isinstance(Session.open(own, id, clock=Clock()), Refusal)


def test_feedback_is_heard_in_its_session_only(own: Engine):
    praised = begun(own, id="1" * 16)
    other = begun(own, id="2" * 16, task="another task about refunds")
    name = "apply_coupon"
    own.feedback(Opinion(praised.pack.root, useful=(name,)))
    rules = dict(praised.boosts())["shop/orders/discounts.py::apply_coupon"]
    assert dict(rules)["feedback"] == 0.25
    assert all("feedback" not in dict(rules) for _, rules in other.boosts())


def test_the_rules_of_a_session_can_be_switched_off(own: Engine):
    options = SessionOptions(without=frozenset({"session-boost", "feedback"}))
    session = begun(own, options=options)
    own.feedback(Opinion(session.pack.root, useful=("apply_coupon",)))
    assert session.boosts() == []


def test_an_unknown_rule_is_refused(shop: Engine):
    answer = Session.start(shop, TASK, options=SessionOptions(without=frozenset({"nonsense"})))
    assert isinstance(answer, Refusal)


def test_the_end_judges_what_was_sent_by_the_change(own: Engine):
    session = begun(own)
    place = own.root / CHECKOUT
    old = "        self._reserve(cart)\n"
    line = place.read_text().split("\n").index(old.rstrip("\n")) + 1
    patch = f"--- a/{CHECKOUT}\n+++ b/{CHECKOUT}\n@@ -{line},1 +{line},0 @@\n-{old}"
    told = session.end(patch)
    assert told.recall == 1.0
    assert isinstance(Session.open(own, session.id), Refusal)


def test_a_budget_below_what_must_stay_is_refused_with_the_minimum(shop: Engine):
    answer = Session.start(shop, TASK, EDITOR, SessionOptions(budget=40))
    assert isinstance(answer, BudgetTooSmall)
    enough = begun(shop, options=SessionOptions(budget=answer.minimum)).pack
    assert enough.tokens <= answer.minimum


def test_the_named_minimum_is_enough_although_goal_and_rules_grow_with_it(own: Engine):
    rules = "".join(f"- Always follow rule {n} about thing {n} of the shop.\n" for n in range(200))
    (own.root / "AGENTS.md").write_text(rules)
    many = tuple(Diagnosis(CHECKOUT, n, f"complaint {n} about stock") for n in range(1, 60))
    goal = "place_order must not reserve stock " * 60
    editor = replace(EDITOR, diagnostics=many)
    answer = Session.start(own, goal, editor, SessionOptions(budget=150))
    assert isinstance(answer, BudgetTooSmall)
    begun(own, goal, editor, SessionOptions(budget=answer.minimum))


def test_retrieval_is_asked_once_in_five_minutes(own: Engine):
    from sonde.session import session as module

    clock = Clock()
    options = SessionOptions(budget=5000)
    begun(own, options=options, clock=clock)
    hits = module._CACHE.hits
    begun(own, options=options, clock=clock)
    assert module._CACHE.hits == hits + 1
    assert isinstance(
        Session.start(own, TASK, EDITOR, SessionOptions(budget=40), clock=clock), BudgetTooSmall
    )
    assert module._CACHE.hits == hits + 2, "a smaller budget finds the same"
    clock.now += 301
    begun(own, options=options, clock=clock)
    assert module._CACHE.hits == hits + 2
    place = own.root / CHECKOUT
    place.write_text(place.read_text() + "\n\ndef added() -> None:\n    pass\n")
    begun(own, options=options, clock=clock)
    assert module._CACHE.hits == hits + 2, "another generation is another question"


@pytest.mark.parametrize("line", ["var a=1;" * 30_000, "\0" * 300_000])
def test_a_current_file_of_one_endless_line_left_no_room_for_a_pack(own: Engine, line: str):
    (own.root / "packed.js").write_text(line)
    pack = begun(own, editor=Editor(current_file="packed.js")).pack
    assert pack.tokens <= pack.budget
    assert pack.workspace.content.startswith("… line 1\n")
    assert pack.workspace.part == "lines 1-1 of 1: the rest has no room"


def test_half_of_the_room_for_a_long_selection_went_to_other_lines(own: Engine):
    (own.root / "long.py").write_text("".join(f"value_{n} = {n}\n" for n in range(400)))
    editor = Editor(current_file="long.py", selection=(101, 300))
    shown = begun(own, editor=editor, options=SessionOptions(budget=2000)).pack.workspace
    assert shown.part == "lines 190-210 of 401: the rest has no room"
