"""The full-text channel's weights, on indexes with and without deleted documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.retrieve.fulltext import _terms
from sonde.store.documents import Document
from sonde.store.fulltext import FullText, FullTextWriter

_BODIES = ["lift crane", "lift", "lift container", "lift crane harbour", *["harbour"] * 30]


def _add(writer: FullTextWriter, bodies: list[str]) -> None:
    for file, body in enumerate(bodies, start=1):
        writer.add(file, f"{file}.py", [(file, Document("", "", "", "", "", "", body))])


def _scores(folder: Path) -> dict[int, float]:
    text = FullText(folder)
    return dict(text.search(_terms({"lift": 1.0, "crane": 1.0, "harbour": 0.5}, text), 10))


def test_deleted_documents_do_not_change_what_a_word_weighs(tmp_path: Path) -> None:
    once = FullTextWriter(tmp_path / "once", 0)
    _add(once, _BODIES)
    once.publish(1)
    again = FullTextWriter(tmp_path / "again", 0)
    _add(again, _BODIES)
    again.publish(1)
    for file in range(1, len(_BODIES)):  # the last stays, or the segment would go as a whole
        again.delete(file)
    _add(again, _BODIES[:-1])
    again.publish(2)
    assert FullText(tmp_path / "again" / "2").scored > len(_BODIES)
    assert _scores(tmp_path / "again" / "2") == pytest.approx(
        _scores(tmp_path / "once" / "1"), rel=0.02
    )
    once.close()
    again.close()


def test_a_synonym_counts_only_in_names(tmp_path: Path) -> None:
    writer = FullTextWriter(tmp_path, 0)
    named = Document("remove", "", "", "remove", "", "remove", "remove")
    told = Document("", "", "", "", "remove", "remove", "remove delete")
    writer.add(1, "a.py", [(1, named), (2, told)])
    writer.publish(1)
    terms = _terms({"delete": 1.0}, FullText(tmp_path / "1"))
    fields = {field: [word for word, _ in words] for field, words in terms.items() if words}
    assert fields == {"name": ["remove"], "qualname": ["remove"], "body": ["delete"]}
    writer.close()
