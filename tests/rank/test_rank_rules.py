"""Rules: each has a name, can be switched off by it, and matters somewhere."""

from __future__ import annotations

import pytest
from judged_repository import TASKS

from sonde.model import Ranked
from sonde.rank import correction, diversity, reranking, seeds, titles
from sonde.rank.pipeline import Ranking, rank_query
from sonde.rank.rules import ALL
from sonde.retrieve import implementors
from sonde.retrieve.gather import CHANNELS
from sonde.retrieve.view import View
from sonde.understand.query import understand

RULES = [rule.name for rule in ALL] + [diversity.RULE, reranking.RULE, titles.RULE]
SOURCES = [channel.name for channel in CHANNELS] + [implementors.CHANNEL_NAME]


def order(ranking: Ranking) -> list[tuple[str, str, float]]:
    """What a ranking says, without the explanation."""
    return [(one.symbol.file, one.symbol.qualname, one.score) for one in ranking.ranked]


@pytest.fixture(scope="module")
def complete(judged: View) -> dict[str, Ranking]:
    """The ranking of each task with every rule."""
    return {task: rank_query(understand(task), judged) for task in TASKS}


def rules_of(ranked: tuple[Ranked, ...]) -> set[str]:
    return {name for one in ranked for name, _ in one.contributions}


def channels_of(ranked: tuple[Ranked, ...]) -> set[str]:
    return {proof.channel for one in ranked for proof in one.evidence}


def test_rules_have_names_of_their_own() -> None:
    assert len(set(RULES)) == len(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_switched_off_is_silent_and_the_ranking_another(
    rule: str, judged: View, complete: dict[str, Ranking]
) -> None:
    spoken = [task for task in TASKS if rule in rules_of(complete[task].ranked)]
    changed = 0
    for task in spoken:
        without = rank_query(understand(task), judged, frozenset({rule}))
        assert rule not in rules_of(without.ranked)
        changed += order(without) != order(complete[task])
    assert changed, f"no task is ranked otherwise without {rule}: add one to TASKS"


@pytest.mark.parametrize("channel", SOURCES)
def test_a_channel_switched_off_proposes_nothing(
    channel: str, judged: View, complete: dict[str, Ranking]
) -> None:
    heard = [task for task in TASKS if channel in channels_of(complete[task].ranked)]
    assert heard, f"no task is answered by {channel}: add one to TASKS"
    for task in heard:
        without = rank_query(understand(task), judged, frozenset({channel}))
        assert channel not in channels_of(without.ranked)


def test_the_noise_filter_switched_off_lets_fixtures_in(judged: View) -> None:
    query = understand("what does database_client give")
    everything = rank_query(query, judged, frozenset({"noise"}))
    assert "tests/conftest.py" in {file for file, _, _ in order(everything)}
    assert "tests/conftest.py" not in {file for file, _, _ in order(rank_query(query, judged))}


def test_path_seeds_switched_off_leave_the_walk_fewer_seeds(judged: View) -> None:
    query = understand(TASKS[5])
    meaning = frozenset({"meaning"})  # it finds the types of those packages, too
    some = rank_query(query, judged, meaning).field.seeds
    fewer = rank_query(query, judged, meaning | {"path-seeds"}).field.seeds
    assert set(fewer) < set(some)


def test_types_go_first_where_the_graph_is_large(
    judged: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds, "_TYPES_FIRST_ABOVE", 10)
    query = understand("store a blob with the storage backend")
    first = rank_query(query, judged).field.seeds
    without = rank_query(query, judged, frozenset({"types-first"})).field.seeds
    assert first != without


def test_everything_can_be_switched_off_at_once(judged: View) -> None:
    off = frozenset({*RULES, *SOURCES, "noise", "path-seeds", "types-first"})
    assert rank_query(understand(TASKS[0]), judged, off).ranked == ()
    rules = frozenset({*RULES, correction.RULE})
    ranked = rank_query(understand(TASKS[0]), judged, rules).ranked
    assert ranked
    assert {one.score for one in ranked} == {0.0}
