"""C#: `Row` and `Row<T>` of one namespace are two types."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

PLAIN = """\
namespace Shop;
public class Row {
    public Row() {}
    public void Save() {}
    public static Row Make() { return new Row(); }
}
"""
GENERIC = """\
namespace Shop;
public class Row<T> : Row {
    public Row(T value) {}
    public void Load() { Save(); }
    public static Row<T> Of(T value) { return new Row<T>(value); }
}
public class Row<K, V> : Row<K> {
    public void Both() { Load(); }
}
"""
USES = """\
namespace Shop;
class Uses {
    Row plain; Row<int> filled;
    void Fields() { plain.Save(); filled.Load(); }
    void Both(Row<int, int> pair) { pair.Both(); pair.Save(); }
    void Plain(Row row) { row.Save(); row.Load(); }
    void New() { var one = new Row<int>(1); one.Load(); var two = new Row(); two.Save(); }
    void Static() { Row.Make().Save(); }
}
"""
# the same name in one file, in either order, and in two
PLACES = {
    "two files": {"A.cs": PLAIN, "B.cs": GENERIC},
    "two files, the generic one first": {"B.cs": PLAIN, "A.cs": GENERIC},
}


@pytest.mark.parametrize("files", PLACES.values(), ids=PLACES)
def test_bug_types_that_differ_in_their_type_parameters_were_one(files: dict[str, str]) -> None:
    index = linked({**files, "Uses.cs": USES})
    plain = next(path for path, text in files.items() if text is PLAIN)
    generic = next(path for path, text in files.items() if text is GENERIC)
    assert f"{generic}:Row -> {plain}:Row" in index.edges(EdgeKind.EXTENDS)
    assert f"{plain}:Row -> {generic}:Row" not in index.edges(EdgeKind.EXTENDS)
    found = index.edges(EdgeKind.CALLS)
    assert f"{generic}:Row.Load -> {plain}:Row.Save" in found
    assert f"{generic}:Row.Both -> {generic}:Row.Load" in found
    assert f"{generic}:Row.Of -> {generic}:Row.Row" in found
    assert f"{plain}:Row.Make -> {plain}:Row.Row" in found
    assert f"{plain}:Row.Make -> {generic}:Row.Row" not in found
    uses = {each.removeprefix("Uses.cs:Uses.") for each in found if each.startswith("Uses")}
    assert uses == {
        f"Fields -> {plain}:Row.Save",
        f"Fields -> {generic}:Row.Load",
        f"Both -> {generic}:Row.Both",
        f"Both -> {plain}:Row.Save",
        f"Plain -> {plain}:Row.Save",
        f"New -> {generic}:Row",
        f"New -> {generic}:Row.Row",
        f"New -> {generic}:Row.Load",
        f"New -> {plain}:Row",
        f"New -> {plain}:Row.Row",
        f"New -> {plain}:Row.Save",
        f"Static -> {plain}:Row.Make",
        f"Static -> {plain}:Row.Save",
    }
    hinted = index.edges(EdgeKind.TYPE_HINT_OF)
    assert f"Uses.cs:Uses.Both -> {generic}:Row" in hinted
    assert f"Uses.cs:Uses.Both -> {plain}:Row" not in hinted
    assert f"Uses.cs:Uses.Plain -> {plain}:Row" in hinted


def test_types_of_one_name_in_one_file_keep_their_members_apart() -> None:
    text = PLAIN + GENERIC.partition("\n")[2] + USES.partition("\n")[2]
    index = linked({"A.cs": text})
    assert "A.cs:Uses.Plain -> A.cs:Row.Load" not in index.edges(EdgeKind.CALLS)
    assert "A.cs:Uses.Fields -> A.cs:Row.Load" in index.edges(EdgeKind.CALLS)
    assert "A.cs:Row -> A.cs:Row" in index.edges(EdgeKind.EXTENDS)


def test_parts_of_a_generic_type_are_one_type() -> None:
    index = linked(
        {
            "A.cs": "namespace N;\npartial class Row<T> { void One() { Two(); } }\n",
            "B.cs": "namespace N;\npartial class Row<T> { void Two() {} }\n",
            "C.cs": "namespace N;\npartial class Row { void Two() {} }\n",
        }
    )
    assert index.edges(EdgeKind.CALLS) == {"A.cs:Row.One -> B.cs:Row.Two"}
