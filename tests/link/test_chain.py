"""Receiver and type texts are read as the names they hold, or not at all."""

from __future__ import annotations

import pytest

from sonde.link.chain import closing, split, steps_of, type_name


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("self.client", "self client"),
        ("a.b(c.d(e), 'x').f", "a b() f"),
        ("super()", "super()"),
        ("this->pool", "this pool"),
        ("Vec::<u8>::new()", "Vec new()"),
        ("client?.pool", "client pool"),
        ("await self.get()", "self get()"),
        ("$this->db", "$this db"),
        ("(await c.get()).row", "c get() row"),
        ("(await c.get())", "c get()"),
        ("(row as Row).table", "Row() table"),
        ("((db.Row) row).table", "db Row() table"),
        ("(&db.Row{Id: 1})", "db Row()"),
        ("items[0].row", "items row"),
        ("items[1:2].row", ""),
        ("items[0][1].row", ""),
        ("handlers[name]().row", ""),
        ("'text'", ""),
        ("(a or b)", ""),
        ("", ""),
        ("a.", ""),
        ("f(", ""),
    ],
)
def test_steps(text: str, steps: str) -> None:
    found = [step.name + ("()" if step.called else "") for step in steps_of(text)]
    assert " ".join(found) == steps


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Client", "Client"),
        ("Optional[db.Client]", "db.Client"),
        ("Client | None", "Client"),
        ("?Client", "Client"),
        ("? extends Client", ""),
        ("Client | Server", ""),
        ("Awaitable[Client | None]", "Client"),
        ("dict[str, Client | None]", "dict"),
        ("'Client'", "Client"),
        ("*store.Client", "store.Client"),
        ("(*Client, error)", "Client"),
        ("[]Client", ""),
        ("Client[]", ""),
        ("Rows<Client>[]", ""),
        ("Client[F] => Unit", ""),
        ("map[string]Client", ""),
        ("&mut Client", "Client"),
        ("&'a Client", "Client"),
        ("Box<dyn Client>", "Client"),
        ("Promise<Client>", "Client"),
        ("\\Acme\\Client", "Acme.Client"),
        ("std::unique_ptr<Pool>", "Pool"),
        ("None", ""),
        ("", ""),
        ("(", ""),
        ("Optional[", ""),
        ("Optional[" * 5000 + "]" * 5000, ""),
    ],
)
def test_type_names(text: str, name: str) -> None:
    assert type_name(text) == name


@pytest.mark.parametrize(
    ("text", "end", "parts"),
    [
        ("(a, b) c", 6, ["(a, b) c"]),
        ("(a(b), c), d", 9, ["(a(b), c)", " d"]),
        ("(a, b", -1, ["(a, b"]),
        ("(a(b, c)", -1, ["(a(b, c)"]),
        ("() , x", 2, ["() ", " x"]),
    ],
)
def test_brackets_inside_brackets_are_passed_over(text: str, end: int, parts: list[str]) -> None:
    assert closing(text, 0) == end
    assert split(text, ",") == parts


def test_a_range_gives_a_part_and_an_index_an_element() -> None:
    assert [step.element for step in steps_of("rows[1..].iter()")] == [False, False]
    assert [step.element for step in steps_of("rows[1].next()")] == [True, False]
