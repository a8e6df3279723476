"""Full text: generations are frozen, deletes take effect, ties have one order."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.store.documents import Document
from sonde.store.errors import ProblemKind, StoreError
from sonde.store.fulltext import FullText, FullTextWriter


def document(name: str, body: str = "") -> Document:
    return Document(name, "", "", "", "", "", body)


def ids(text: FullText, word: str, field: str = "name", limit: int = 10) -> list[int]:
    return [id for id, _ in text.search({field: [(word, 1.0)]}, limit)]


def test_a_generation_stays_as_it_was_while_the_writer_goes_on(tmp_path: Path) -> None:
    writer = FullTextWriter(tmp_path, 0)
    writer.add(1, "a.py", [(10, document("old"))])
    writer.publish(1)
    first = FullText(tmp_path / "1")
    writer.delete(1)
    writer.add(1, "a.py", [(11, document("new"))])
    assert ids(first, "old") == [10]
    writer.publish(2)
    second = FullText(tmp_path / "2")
    assert (ids(first, "old"), ids(first, "new")) == ([10], [])
    assert (ids(second, "old"), ids(second, "new"), second.documents) == ([], [11], 1)
    writer.close()


def test_a_file_is_replaced_while_its_documents_wait_for_others(tmp_path: Path) -> None:
    writer = FullTextWriter(tmp_path, 0)
    writer.add(1, "a.py", [(10, document("old"))])
    writer.add(2, "b.py", [(20, document("other"))])
    writer.delete(1)
    writer.add(1, "a.py", [(11, document("new"))])
    writer.publish(1)
    text = FullText(tmp_path / "1")
    assert [ids(text, word) for word in ("old", "other", "new")] == [[], [20], [11]]
    writer.close()


def test_a_new_writer_starts_from_the_generation_and_not_from_what_a_killed_one_left(
    tmp_path: Path,
) -> None:
    writer = FullTextWriter(tmp_path, 0)
    writer.add(1, "a.py", [(10, document("kept"))])
    writer.publish(1)
    writer.add(2, "b.py", [(20, document("lost"))])
    writer.publish(2)  # as if the tables' commit had not happened any more
    writer.close()
    again = FullTextWriter(tmp_path, 1)
    again.publish(2)
    assert (ids(FullText(tmp_path / "2"), "kept"), ids(FullText(tmp_path / "2"), "lost")) == (
        [10],
        [],
    )
    again.close()


@pytest.mark.parametrize("count", [40, 2000])
def test_equal_scores_have_one_order_whatever_the_order_of_indexing(
    tmp_path: Path, count: int
) -> None:
    found = []
    for order in (range(count), reversed(range(count))):
        folder = tmp_path / str(len(found))
        writer = FullTextWriter(folder, 0)
        for file in order:
            writer.add(file + 1, f"f{file}.py", [(file + 1, document("same"))])
        writer.publish(1)
        found.append(ids(FullText(folder / "1"), "same", limit=5))
        writer.close()
    assert len(found[0]) == 5
    assert found[0] == found[1]


def test_chunks_and_symbols_are_searched_apart(tmp_path: Path) -> None:
    writer = FullTextWriter(tmp_path, 0)
    writer.add(1, "a.md", [(5, document("word"))])
    writer.add(1, "a.md", [(9, document("word"))], chunks=True)
    writer.publish(1)
    text = FullText(tmp_path / "1")
    assert ids(text, "word") == [5]
    assert [id for id, _ in text.search({"name": [("word", 1.0)]}, 5, chunks=True)] == [9]
    assert text.search({"name": [("word", 1.0)]}, 5, files=[2]) == []
    writer.close()


def test_weights_decide_between_fields(tmp_path: Path) -> None:
    writer = FullTextWriter(tmp_path, 0)
    writer.add(1, "a.py", [(1, document("parse")), (2, document("other", "parse"))])
    writer.publish(1)
    text = FullText(tmp_path / "1")
    heavy_body = {"name": [("parse", 0.1)], "body": [("parse", 9.0)]}
    assert [id for id, _ in text.search(heavy_body, 5)] == [2, 1]
    writer.close()


def test_a_damaged_generation_is_told_in_one_line(tmp_path: Path) -> None:
    place = tmp_path / "1"
    place.mkdir()
    (place / "meta.json").write_text('{"segments": [], "schema": 3}')
    with pytest.raises(StoreError) as error:
        FullTextWriter(tmp_path, 1)
    assert error.value.problem.kind is ProblemKind.CORRUPT
