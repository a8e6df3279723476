"""What the title of a report finds on its own is raised; the first file is that of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from indexed_view import view_over

from sonde.rank.files import ranked_files
from sonde.rank.pipeline import Ranking, rank_query
from sonde.rank.rule import telling
from sonde.rank.titles import RULE
from sonde.retrieve.view import View
from sonde.understand.query import understand

TITLE = "The gate opens at wrong times"
REST = (
    "Our harbour has a crane that lifts containers from a ship to a lorry. Steps: moor the ship, "
    "lower the hook of the crane, lift a container, wait until the lorry is there and put the "
    "container down. Then the crane turns back to the ship and lifts the next container, and the "
    "lorry leaves. Expected: each container is lifted by the crane exactly once."
)
FILES = {
    "crane.py": (
        "class Crane:\n"
        '    """A crane that lifts containers from a ship to a lorry."""\n\n'
        "    def lower_hook(self, ship):\n        return ship\n\n"
        "    def lift_container(self, container, lorry):\n        return container, lorry\n"
    ),
    "gates.py": "def open_gate(times):\n    return times\n",
    "ships.py": "class Ship:\n    def moor(self, berth):\n        return berth\n",
}


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    with view_over(FILES, tmp_path_factory.mktemp("harbour")) as view:
        yield view


def asked(text: str, view: View, *without: str) -> Ranking:
    return rank_query(understand(text), view, frozenset(without))


def place(ranking: Ranking, name: str) -> int:
    return [one.symbol.name for one in ranking.ranked].index(name)


def by_the_title(ranking: Ranking) -> set[str]:
    return {one.symbol.name for one in ranking.ranked if RULE in dict(one.contributions)}


def test_what_the_title_speaks_of_is_raised_and_told(harbour: View) -> None:
    report = f"{TITLE}\n\n{REST}"
    with_it, without = asked(report, harbour), asked(report, harbour, RULE)
    assert place(with_it, "open_gate") < place(without, "open_gate")
    assert "open_gate" in by_the_title(with_it)
    assert not by_the_title(without)
    for one in with_it.ranked:
        assert sum(dict(one.contributions).values()) == pytest.approx(one.score)
    scores = [telling(one.score) for one in with_it.ranked]
    assert scores == sorted(scores, reverse=True)


def test_the_first_file_is_that_of_the_whole_report(harbour: View) -> None:
    ranking = asked(f"{TITLE}\n\n{REST}", harbour, RULE)
    assert ranked_files(ranking) == ("crane.py", "gates.py", "ships.py")
    owed = {one.symbol.id: one.score for one in ranking.ranked if one.symbol.file == "crane.py"}
    first = replace(ranking, by_title=owed)  # as if the title alone had brought the crane
    assert ranked_files(first) == ("gates.py", "crane.py", "ships.py")


@pytest.mark.parametrize("text", [TITLE, REST, f"{TITLE}\n\nIt opens again."])
def test_a_request_and_a_text_without_a_title_are_asked_once(text: str, harbour: View) -> None:
    assert not by_the_title(asked(text, harbour))


def test_a_first_line_as_long_as_a_report_is_no_title(harbour: View) -> None:
    assert len(REST.split()) > 50
    assert not by_the_title(asked(f"{REST}\n\n{REST}", harbour))


@pytest.mark.parametrize("line", ["Dear keepers,", "Please open this:", "# Gates"])
def test_a_first_line_that_says_hardly_anything_is_no_title(line: str, harbour: View) -> None:
    assert not by_the_title(asked(f"{line}\n\n{REST}", harbour))


def test_two_words_are_a_title_if_one_is_a_name(harbour: View) -> None:
    assert by_the_title(asked(f"`open_gate` twice\n\n{REST}", harbour))


def test_a_title_that_finds_nothing_changes_nothing(harbour: View) -> None:
    report = f"Zzzyx qqrw vvbn\n\n{REST}"
    scores = [[one.score for one in asked(report, harbour, *off).ranked] for off in ((), (RULE,))]
    assert scores[0] == scores[1]
