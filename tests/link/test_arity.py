"""C#: `Row` and `Row<T>` of one namespace are two types."""

from __future__ import annotations

import pytest
from workspace import calls, linked

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


METHODS = """\
namespace Shop;
public class Row { public void Save() {} }
public class User { public void Greet() {} }
public class Reply { public void Close() {} }
public class Reply<T> : Reply { public T Data { get; set; } public void Read() {} }
public class Store {
    public Reply Get() { return null; }
    public T Get<T>() { return default; }
    public Task<Reply<T>> Get<T>(int id) { return null; }
    public User Get<K, V>() { return null; }
    public List<T> All<T>(params T[] rows) { return null; }
    public void Put<T>(T row) {}
    public void Put(Row row) {}
    public void Reset<T>() {}
    public void Reset() {}
}
"""
CALLERS = """\
namespace Elsewhere;
using Shop;
class Uses {
    Store shop;
    void None() { var x = shop.Get(); x.Close(); }
    void One() { var x = shop.Get<User>(); x.Greet(); }
    void Chained() { shop.Get<Row>().Save(); }
    async void Awaited() { var x = await shop.Get<Row>(1); x.Read(); x.Data.Save(); }
    void Two() { var x = shop.Get<int, List<int>>(); x.Greet(); }
    void Listed() { foreach (var x in shop.All<User>()) { x.Greet(); } }
    void Inferred(User user) { shop.Put(user); }
    void Typed(Row row) { shop.Put<Row>(row); }
    void Plain() { shop.Reset(); }
    void Given() { shop.Reset<Row>(); }
}
"""


def test_bug_a_call_with_type_arguments_returned_what_the_first_overload_does() -> None:
    found = calls(linked({"Shop.cs": METHODS, "Uses.cs": CALLERS}))
    assert {each.removeprefix("Uses.") for each in found} == {
        "None -> Store.Get@7",
        "None -> Reply.Close@4",
        "One -> Store.Get@8",
        "One -> User.Greet@3",
        "Chained -> Store.Get@8",
        "Chained -> Row.Save@2",
        "Awaited -> Store.Get@9",
        "Awaited -> Reply.Read@5",
        "Awaited -> Row.Save@2",
        "Two -> Store.Get@10",
        "Two -> User.Greet@3",
        "Listed -> Store.All@11",
        "Listed -> User.Greet@3",
        "Inferred -> Store.Put@12",
        "Typed -> Store.Put@12",
        "Plain -> Store.Reset@15",
        "Given -> Store.Reset@14",
    }


def test_bug_a_generic_extension_was_hidden_by_a_member_of_its_name() -> None:
    store = """\
class Store { public void Get() {} }
class Row { public void Save() {} }
static class Extensions {
    public static T Get<T>(this Store store, int id) {}
}
class Uses {
    void One(Store store) { var x = store.Get<Row>(1); x.Save(); }
}
"""
    assert calls(linked({"Store.cs": store})) == {
        "Uses.One -> Extensions.Get@4",
        "Uses.One -> Row.Save@2",
    }


def test_bug_what_a_kotlin_function_with_a_type_argument_returns_was_unknown() -> None:
    scope = """\
class Row { fun save() {} }
class Scope {
  inline fun <reified T : Any> get(): T = TODO()
}
fun one(scope: Scope) { scope.get<Row>().save() }
fun two(scope: Scope) { val x = scope.get<Row>(); x.save() }
"""
    assert calls(linked({"Scope.kt": scope})) == {
        "one -> Scope.get@3",
        "one -> Row.save@1",
        "two -> Scope.get@3",
        "two -> Row.save@1",
    }
