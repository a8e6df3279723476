"""The ranking as a whole: sums, ties, seeds, repeatability, bounded time."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from indexed_view import asked, view_over
from judged_repository import JUDGED, TASKS

from sonde.model import Frame
from sonde.rank.pipeline import Ranking, rank_query
from sonde.rank.rule import telling
from sonde.rank.score import own_table, rank
from sonde.retrieve.view import View
from sonde.understand.query import understand

TWINS = {
    f"{folder}/wheel.py": 'def spin_wheel():\n    """Spin the wheel."""\n    return 1\n'
    for folder in ("a", "b", "c")
}

OFF = frozenset({"repeated-name"})


def told(ranking: Ranking) -> list[tuple[object, ...]]:
    """All of a ranking that does not depend on ids or clocks."""
    return [
        (one.symbol.file, one.symbol.qualname, one.score, one.contributions, one.evidence)
        for one in ranking.ranked
    ]


@pytest.mark.parametrize("task", TASKS)
def test_contributions_sum_to_the_score(task: str, judged: View) -> None:
    ranked = rank_query(understand(task), judged).ranked
    assert ranked
    for one in ranked:
        assert sum(part for _, part in one.contributions) == pytest.approx(one.score, abs=1e-9)


@pytest.mark.parametrize("task", TASKS)
def test_the_best_score_is_first(task: str, judged: View) -> None:
    scores = [telling(one.score) for one in rank_query(understand(task), judged).ranked]
    assert scores[:80] == sorted(scores[:80], reverse=True)


@pytest.mark.parametrize("task", TASKS)
def test_the_same_task_gives_the_same_ranking(task: str, judged: View) -> None:
    query = understand(task)
    fresh = View(judged.index, judged.history, judged.models)  # nothing is left in memory
    assert told(rank_query(query, judged)) == told(rank_query(query, fresh))


def test_equal_scores_are_ordered_by_path(tmp_path: Path) -> None:
    with view_over(TWINS, tmp_path) as view:
        ranked = rank_query(
            understand("spin the wheel"), view, frozenset({"repeated-name", "meaning"})
        ).ranked
    functions = [one for one in ranked if one.symbol.name == "spin_wheel"]
    assert len({one.score for one in functions}) == 1
    assert [one.symbol.file for one in functions] == ["a/wheel.py", "b/wheel.py", "c/wheel.py"]


def test_the_order_of_candidates_does_not_decide_between_equals(tmp_path: Path) -> None:
    with view_over(TWINS, tmp_path) as view:
        field = rank_query(understand("spin the wheel"), view).field
        back = replace(field, records=field.records[::-1])
        forth, again = (
            [one.symbol.file for one in rank(each, own_table(each, OFF), OFF)[0]]
            for each in (field, back)
        )
    assert len(set(forth)) == 3
    assert again == forth


def test_the_order_in_which_files_were_indexed_does_not_show(tmp_path: Path) -> None:
    """Ids differ between the two indexes; nothing that is told may."""
    late = ("c/wheel.py", "storage/cloud.py", "app/zoo.py", "tests/test_client.py")
    files = {**JUDGED, **TWINS}
    with (
        view_over(files, tmp_path / "once") as once,
        view_over(files, tmp_path / "twice", first=late) as twice,
    ):
        for task in (*TASKS, "spin the wheel"):
            query = understand(task)
            assert told(rank_query(query, once)) == told(rank_query(query, twice)), task


def test_what_the_task_names_is_where_the_walk_starts(judged: View) -> None:
    ranking = rank_query(understand("`store_blob` of the StorageBackend"), judged)
    strongest = max(ranking.field.seeds, key=lambda id: ranking.field.seeds[id])
    assert judged.records([strongest])[0].qualname.startswith("StorageBackend")
    assert all(0 < weight <= 1 for weight in ranking.field.seeds.values())
    assert len(ranking.field.seeds) <= 25


def test_the_walk_adds_candidates_that_no_channel_proposed(judged: View) -> None:
    query = understand("`open_backend`")
    channels = frozenset(
        {"fulltext", "documentation", "tested", "aliases", "paths", "concepts", "meaning"}
    )
    ranked = rank_query(query, judged, channels).ranked
    walked = {one.symbol.qualname for one in ranked if not one.evidence}
    assert "DiskBackend" in walked
    still = rank_query(query, judged, channels | {"walk"}).ranked
    assert "DiskBackend" not in {one.symbol.qualname for one in still}


def test_the_innermost_frame_is_ranked_before_the_outer_one(judged: View) -> None:
    trace = (Frame("app/url.py", 6, "normalise_url"), Frame("app/session.py", 9, "open_session"))
    names = [one.symbol.qualname for one in rank_query(asked(frames=trace), judged).ranked]
    assert names.index("normalise_url") < names.index("open_session")


def test_tests_step_back_unless_they_are_asked_for(judged: View) -> None:
    def place(task: str) -> int:
        ranked = rank_query(understand(task), judged).ranked
        names = [one.symbol.name for one in ranked]
        return names.index("test_store_blob_on_disk")

    assert place("write a test that a disk backend stores a blob") < place(
        "a disk backend stores a blob"
    )


def test_statistics_tell_what_was_done(judged: View) -> None:
    ranking = rank_query(understand(TASKS[0]), judged)
    statistics = dict(ranking.statistics)
    assert statistics["seeds"] == len(ranking.field.seeds) > 0
    assert statistics["nodes walked"] == len(ranking.field.walked) > 0
    assert statistics["candidates"] == len(ranking.ranked) > 0


def test_a_query_that_says_nothing_ranks_nothing(judged: View) -> None:
    assert rank_query(asked("…"), judged).ranked == ()


def test_a_task_of_a_megabyte_is_ranked_in_bounded_time(judged: View) -> None:
    """Processor time, so that a busy machine does not decide."""
    words = " ".join(f"store_blob{n} Backend{n}.open the 'blob {n} is lost'" for n in range(25_000))
    text = f"storing a blob with the storage backend fails\n\n{words}"
    assert len(text) > 1_000_000
    began = time.process_time()
    ranking = rank_query(understand(text), judged)
    assert time.process_time() - began < 5.0
    assert ranking.ranked
