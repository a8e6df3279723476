"""The channel of meaning: what a task says in other words."""

from __future__ import annotations

from pathlib import Path

from indexed_view import view_over

from sonde.rank.pipeline import rank_query
from sonde.retrieve.meaning import find, nearness
from sonde.understand.query import understand

SHOP = {
    "shop/files.py": (
        "def unlink_path(path):\n    path.unlink()\n\n\ndef read_text(path):\n    return path\n"
    ),
    "shop/text.py": "class Tokenizer:\n    def split(self, text):\n        return text.split()\n",
    "tests/test_files.py": "def test_delete_directory():\n    pass\n",
}
DELETING = understand("delete a directory")


def test_a_function_is_found_by_words_it_does_not_have(tmp_path: Path) -> None:
    with view_over(SHOP, tmp_path) as view:
        best = view.records([hit.id for hit in find(DELETING, view)])[0]
        assert best.qualname == "unlink_path"
        assert "meaning" in dict(rank_query(DELETING, view).ranked[0].contributions)


def test_tests_and_modules_have_no_meaning(tmp_path: Path) -> None:
    with view_over(SHOP, tmp_path) as view:
        with_meaning = {record.qualname for record in view.records(view.meanings.symbols.tolist())}
        assert with_meaning == {"unlink_path", "read_text", "Tokenizer", "Tokenizer.split"}


def test_the_nearest_is_at_most_one_and_unknown_words_are_near_to_nothing(tmp_path: Path) -> None:
    with view_over(SHOP, tmp_path) as view:
        assert 0.5 < nearness(DELETING, view).max() <= 1.0
        nothing = understand("qzxv wvkqq")
        assert not nearness(nothing, view).any()
        assert find(nothing, view) == []


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    with view_over(SHOP, tmp_path) as view:
        ranking = rank_query(DELETING, view, frozenset({"meaning"}))
        assert all("meaning" not in dict(one.contributions) for one in ranking.ranked)
        assert "meaning hits" not in dict(ranking.statistics)
