"""Context for a task: what is in it, and how it answers bad questions."""

from __future__ import annotations

import random
import string

import pytest
from example_repository import engine_over, write

from sonde import Engine
from sonde.answers.results import FAILURES, Answer, Refusal, message_of
from sonde.pack.errors import BudgetTooSmall, UnknownFormat, UnknownTokenizer
from sonde.pack.tokens import token_counter

CRASH = "fix the crash in DatabaseClient.connect when the URL is empty"


def shown(answer: Answer, section: str) -> dict[str, str]:
    """Qualified names in a section with their reasons."""
    return {
        item.symbol.qualname: item.reason
        for each in answer.pack.sections
        if each.name == section
        for item in each.items
    }


def test_a_task_shows_its_target_with_source_and_reason(shared):
    answer = shared.for_task(CRASH)
    assert "def connect(self) -> str:" in answer.text
    reasons = shown(answer, "snippets") | shown(answer, "definitions")
    assert any(reason.startswith("named ") for reason in reasons.values())


def test_reasons_have_words_of_the_task_and_not_their_stems(tmp_path):
    write(
        tmp_path, {"garden.py": 'def cut(tree):\n    """Pruning of a tree."""\n    return tree\n'}
    )
    with Engine(tmp_path) as engine:
        answer = engine.for_task("the pruning is wrong")
    assert shown(answer, "snippets") == {"cut": "text matches pruning"}


def test_a_symbol_was_said_to_match_words_that_it_does_not_have(tmp_path):
    garden = {
        "tree.py": "def cut(tree):\n    return tree.pruning()\n",
        "water.py": "def pour(can):\n    return can.watering()\n",
    }
    write(tmp_path, garden)
    task = "pruning before watering"
    own = {"cut": "text matches pruning", "pour": "text matches watering"}
    with Engine(tmp_path) as engine:
        packed = engine.for_task(task)
        ranked = {one.symbol.name: one.evidence[0].reason for one in engine.rank(task).ranked}
        proofs = {each.channel: each.reason for each in engine.why(task, "pour").evidence}
    assert (shown(packed, "snippets") | shown(packed, "definitions")).items() <= own.items()
    assert ranked == own
    assert proofs["fulltext"] == own["pour"]


def test_tests_and_callers_of_the_target_come_with_what_they_do(shared):
    sections = {section.name: section for section in shared.for_task(CRASH).pack.sections}
    assert any("test_connect_opens" in line for line in sections["tests"].lines)
    assert any("open_session" in line and "calls " in line for line in sections["callers"].lines)


def test_callers_are_shown_as_items_where_usages_are_asked_for(shared):
    answer = shared.for_task("find all callers of DatabaseClient.connect")
    assert shown(answer, "callers")["open_session"].startswith("calls ")


def test_a_small_word_within_a_name_was_a_reason(tmp_path):
    files = {
        "rows.py": "def find_in_batches(size):\n    return size\n\n\n"
        'def create(size):\n    """Rows in batches."""\n    return size\n'
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        ranked = engine.rank("fix `find_in_batches`").ranked
    reasons = {one.symbol.name: one.evidence[0].reason for one in ranked}
    assert reasons["create"] == "text matches batches"


def test_pieces_of_a_word_were_told_beside_it(tmp_path):
    source = 'def check(regexp):\n    """Takes a RegExp."""\n    return regexp\n'
    with engine_over(write(tmp_path / "work", {"a.py": source}), tmp_path / "cache") as engine:
        (found,) = engine.rank("a RegExp is not matched").ranked
    assert found.evidence[0].reason == "text matches regexp"


def test_words_of_the_file_and_owner_were_the_reason_of_all_they_hold(tmp_path):
    files = {
        "smart_playlist.py": "class SmartPlaylist:\n"
        "    def write_playlist(self):\n        return self.encoded()\n\n"
        "    def encoded(self):\n        return b''\n"
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        found = engine.rank("write the smart playlist as XSPF").ranked
    reasons = {one.symbol.name: one.evidence[0].reason for one in found}
    assert reasons["encoded"] == "called by write_playlist"


def test_imports_of_files_that_are_not_shown_or_are_tied_anyway_were_listed(tmp_path):
    files = {
        "ferry.py": "import harbour\nimport tide\n\ndef sail():\n    tide.rise()\n",
        "harbour.py": "DEPTH = 3\n\ndef dredge():\n    return DEPTH\n",
        "tide.py": "def rise():\n    return 1\n",
        "timetable.py": "import ferry\n\ndef depart():\n    return 2\n",
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        pack = engine.for_files(["ferry.py", "harbour.py", "tide.py"]).pack
    lines = [line for section in pack.sections for line in section.lines]
    assert lines == ["ferry.py -> harbour.py"]


def test_symbols_of_unrelated_files_stay_out(shared):
    assert "render_table" not in shared.for_task(CRASH).text


def test_source_stands_as_in_the_file_with_its_indentation(shared):
    answer = shared.for_task("explain `DatabaseClient.connect`", 50_000)
    assert '    def connect(self) -> str:\n        """Open' in answer.text


def test_statistics_tell_the_stages(shared):
    names = {name for name, _ in shared.for_task(CRASH).pack.statistics}
    assert {"understand ms", "rank ms", "support ms", "seeds", "nodes walked"} <= names


def test_a_spelled_out_name_is_more_certain_than_a_vague_wish(shared):
    sure = shared.for_task("fix `render_table`").pack.certainty
    vague = shared.for_task("improve how things about urls and clients and sessions work")
    assert 0.0 <= vague.pack.certainty < sure <= 1.0


def test_another_index_of_the_same_files_gives_the_same_bytes(shared, tmp_path):
    with engine_over(shared.root, tmp_path / "cache") as other:
        for format in ("xml", "markdown", "json", "yaml"):
            first = shared.for_task(CRASH, format=format)
            again = other.for_task(CRASH, format=format)
            assert not again.cached
            assert again.text == first.text
            assert again.pack.root == first.pack.root


def test_random_tasks_never_exceed_their_budget(shared):
    chance = random.Random(7)
    words = ["connect", "url", "empty", "`normalise_url`", "session", "test", "rows", "fix", "why"]
    count = token_counter("o200k").count
    with shared.hold():
        for _ in range(40):
            task = " ".join(chance.choices(words, k=chance.randint(1, 8)))
            budget = chance.choice([300, 1000, 8000, 50_000])
            answer = shared.for_task(task, budget)
            assert isinstance(answer, Answer | Refusal), (task, answer)
            if isinstance(answer, Answer):
                assert count(answer.text) == answer.pack.tokens <= budget


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("", "the task is empty"),
        (" \n\t ", "the task is empty"),
        ("the of and to", "no word to look for"),
        ("\x00\x01\x02\x03\x7f" * 50, "not text"),
        ("zzzqqq xyzzyplugh", "nothing in this workspace matches"),
    ],
)
def test_tasks_that_say_nothing_are_refused_in_one_line(shared, task, said):
    answer = shared.for_task(task)
    assert isinstance(answer, Refusal)
    assert said in answer.message
    assert "\n" not in answer.message


def test_a_symbol_named_like_a_greeting_could_not_be_asked_for(tmp_path):
    root = write(tmp_path / "work", {"greet.py": "def hello():\n    return 'thanks'\n"})
    with engine_over(root, tmp_path / "cache") as engine:
        assert "def hello" in engine.for_task("hello").text
        # a greeting that the code only says is no name
        assert "no word to look for" in engine.for_task("thanks").message


@pytest.mark.parametrize(
    "task",
    [
        "connect " * 130_000,
        "починить соединение в `DatabaseClient.connect`",
        "修复 DatabaseClient.connect 的崩溃",
        r"connect.*(url|[a-z+){2,} \d+ OR name:* AND -(",
        '"unbalanced AND (connect:',
        "connect\x00 the \x1b[31murl",
        "\ud800 connect",
    ],
    ids=["a megabyte", "russian", "chinese", "regex", "query syntax", "controls", "surrogate"],
)
def test_odd_texts_that_name_something_are_answered(shared, task):
    answer = shared.for_task(task)
    assert isinstance(answer, Answer)
    assert "connect" in answer.text
    assert answer.pack.tokens <= 8000


def test_random_garbage_is_answered_or_refused_but_never_raises(shared):
    chance = random.Random(3)
    alphabet = string.printable + "äß√�\u202e\U0001f600"
    with shared.hold():
        for _ in range(60):
            task = "".join(chance.choices(alphabet, k=chance.randint(1, 200)))
            answer = shared.for_task(task, 1000)
            assert isinstance(answer, (Answer, *FAILURES))


@pytest.mark.parametrize("budget", [0, -5])
def test_a_budget_that_holds_nothing_is_refused(shared, budget):
    assert "give a positive number" in message_of(shared.for_task(CRASH, budget))


def test_a_budget_smaller_than_the_smallest_card_names_what_is_needed(shared):
    refused = shared.for_task(CRASH, 20)
    assert isinstance(refused, BudgetTooSmall)
    assert isinstance(shared.for_task(CRASH, refused.minimum), Answer)


def test_unknown_formats_and_tokenizers_are_named(shared):
    assert isinstance(shared.for_task(CRASH, format="pdf"), UnknownFormat)
    assert isinstance(shared.for_task(CRASH, tokenizer="abacus"), UnknownTokenizer)


def test_rank_gives_definitions_and_files_without_modules(shared):
    answer = shared.rank("connect to the database", limit=3)
    assert len(answer.ranked) <= 3
    assert "module" not in {one.symbol.kind for one in answer.ranked}
    assert answer.files[0] == "app/client.py"
    assert answer.ms > 0


def test_rank_refuses_what_for_task_refuses(shared):
    assert isinstance(shared.rank("  "), Refusal)
    assert "a limit below 1" in shared.rank("normalise the URL", 0).message
