"""Names in backticks or with their owner: their definitions come before what mentions them."""

from __future__ import annotations

from pathlib import Path

import pytest
from indexed_view import view_over

from sonde.rank.pipeline import rank_query
from sonde.understand.query import understand

KEPT = '''\
class Keeper:
    """Keeps the values of the present request."""

    def keep_values(self, values):
        """Keep values for g, e.g. those of the request."""
        self.values = values

    def keep_value(self, value):
        """Keep one value, e.g. of the request."""
        self.values.append(value)


keeper = Keeper()
g = Keeper()
'''
USED = "from kept import keeper, g\n\n\ndef keep_request_values():\n    keeper.keep_values(g)\n"
MANY = {f"part{number}.py": "class Part:\n    keeper = 1\n" for number in range(6)}


def ranked(folder: Path, task: str, without: frozenset[str] = frozenset()) -> list[str]:
    with view_over({"kept.py": KEPT, "used.py": USED}, folder) as view:
        found = rank_query(understand(task), view, without).ranked
        return [one.symbol.qualname for one in found]


@pytest.mark.parametrize("name", ["keeper", "g"])
def test_a_marked_name_comes_before_what_mentions_it(tmp_path: Path, name: str) -> None:
    task = f"how does `{name}` keep the values of the request?"
    assert name in ranked(tmp_path, task)[:3]
    assert name not in ranked(tmp_path, task, frozenset({"marked"}))[:3]


def test_a_single_letter_that_is_not_marked_is_no_name(tmp_path: Path) -> None:
    assert "g" not in ranked(tmp_path, "how does g keep the values of the request?")


def test_a_marked_name_that_many_share_does_not_say_which_is_meant(tmp_path: Path) -> None:
    with view_over({"kept.py": KEPT, **MANY}, tmp_path) as view:
        found = rank_query(understand("where is `keeper` used?"), view).ranked
        assert not any(dict(one.contributions).get("marked") for one in found)


@pytest.mark.parametrize("name", ["`Part.keeper`", "Part.keeper"])
def test_a_name_with_its_owner_means_that_one(tmp_path: Path, name: str) -> None:
    files = {"kept.py": KEPT, "part.py": MANY["part0.py"]}
    with view_over(files, tmp_path) as view:
        found = rank_query(understand(f"explain {name}"), view).ranked
        marked = [one.symbol.qualname for one in found if dict(one.contributions).get("marked")]
        assert marked == ["Part.keeper"]


def test_a_marked_name_in_a_fixture_is_no_noise(tmp_path: Path) -> None:
    with view_over({"tests/fixtures/kept.py": KEPT, "used.py": USED}, tmp_path) as view:
        found = rank_query(understand("explain `Keeper.keep_value`"), view).ranked
        assert "Keeper.keep_value" in [one.symbol.qualname for one in found]
