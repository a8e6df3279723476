"""The project's rules in context packs, budgets by window, and boosts by time."""

from __future__ import annotations

import pytest
from session_shop import TASK, Clock, begun

from sonde.answers.results import Refusal
from sonde.engine import Engine
from sonde.session.boosts import CAP, KEPT, accessed, boost
from sonde.session.editor import Editor, Message
from sonde.session.retrieval import RetrievalCache
from sonde.session.session import SessionOptions
from sonde.session.window import allowance


def test_rules_are_sent_once_then_cited_and_again_when_they_change(own: Engine):
    (own.root / "AGENTS.md").write_text("- Never reserve stock twice.\n")
    session = begun(own)
    assert "Never reserve stock twice." in session.pack.text
    assert "1 rule sent before" in session.plan(["refund"]).text
    (own.root / "AGENTS.md").write_text("- Never reserve stock at all.\n")
    assert "Never reserve stock at all." in session.plan(["refund"]).text


def test_bug_work_in_one_language_was_given_the_commands_of_another(own: Engine):
    (own.root / "package.json").write_text('{"scripts": {"test": "jest", "dev": "vite"}}')
    (own.root / "tox.ini").write_text("[testenv]\n[testenv:lint]\n")
    assert dict(begun(own).pack.rules.runbook) == {
        "test": "tox",
        "lint": "tox -e lint",
        "run": "npm run dev",
    }


def test_bug_the_commands_of_a_package_did_not_say_where_they_run(own: Engine):
    (own.root / "shop" / "tox.ini").write_text("[testenv]\n")
    assert dict(begun(own).pack.rules.runbook) == {"test": "(cd shop && tox)"}


def test_rules_without_room_are_listed_with_their_file(own: Engine):
    rules = "".join(f"- Always follow rule {n} about thing {n} of the shop.\n" for n in range(200))
    (own.root / "AGENTS.md").write_text(rules)
    pack = begun(own, options=SessionOptions(budget=1200)).pack
    assert 1 <= len(pack.rules.constitution) < 200
    left = 200 - len(pack.rules.constitution)
    assert f"{left} rules of AGENTS.md" in pack.left_out


def test_history_goes_first_when_there_is_no_room_and_is_listed(shop: Engine):
    history = [Message("user", f"message {n} " + "with many words " * 30) for n in range(5)]
    pack = begun(shop, options=SessionOptions(budget=420), history=history).pack
    assert len(pack.history) < 5
    assert any("oldest message" in line for line in pack.left_out)
    kept = [message.content.split()[1] for message in pack.history]
    assert kept == [str(n) for n in range(5 - len(kept), 5)]


@pytest.mark.parametrize(
    ("window", "complex_task", "expected"),
    [
        (32_000, True, (12_000, 4_000)),
        (8_000, False, (3_000, 1_000)),
        (128_000, False, (8_000, 8_000)),
        (128_000, True, (24_000, 8_000)),
        (64_000, True, (24_000, 8_000)),
    ],
)
def test_the_window_of_the_model_decides_the_tokens(
    window: int, complex_task: bool, expected: tuple[int, int]
):
    allowed = allowance(window, complex_task)
    assert (allowed.available, allowed.reserved) == expected


def test_the_shares_are_those_of_the_seed():
    allowed = allowance(32_000, True)
    shares = (allowed.task, allowed.workspace, allowed.artefacts, allowed.evidence, allowed.history)
    assert shares == (500, 1_000, 1_000, 8_000, 1_500)


def test_a_boost_halves_in_three_minutes_and_has_a_cap():
    assert boost((0.0,), 0.0) == pytest.approx(1.0)
    assert boost((0.0,), 180.0) == pytest.approx(0.5)
    assert boost((0.0,) * 10, 0.0) == CAP == 2.0
    assert boost((0.0,), 3_600.0) == 0.0


def test_twenty_accesses_are_kept():
    accesses: dict[str, tuple[float, ...]] = {}
    for at in range(30):
        accesses = accessed(accesses, ["a"], float(at))
    assert accesses["a"] == tuple(float(at) for at in range(10, 10 + KEPT))
    assert KEPT == 20


def test_the_cache_keeps_a_thousand_entries_and_drops_the_oldest(shop: Engine):
    cache = RetrievalCache()
    view = shop.ask(lambda state: state.view)
    for number in range(1_001):
        cache.put((str(number),), view, Refusal(str(number)), 0.0)
    assert len(cache) == 1_000
    assert cache.get(("0",), view, 1.0) is None
    assert cache.get(("1000",), view, 1.0) == Refusal("1000")
    assert cache.get(("1000",), view, 300.0) is None


def test_the_same_input_gives_the_same_bytes(own: Engine):
    texts = {begun(own, TASK, Editor(), clock=Clock()).pack.text for _ in range(3)}
    assert len(texts) == 1
