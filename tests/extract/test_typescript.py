"""TypeScript source beside the facts it must give."""

from __future__ import annotations

import pytest
from expect import facts_of, outline

from sonde.extract import extract
from sonde.model import FileFacts, Kind, RefKind

SOURCE = """\
import type { Row } from "./row";
import fs = require("fs");
import { Controller, Get } from "@nestjs/common";

// Serves cats.
@Controller("cats")
export abstract class Cats<T> extends Base<T> implements Named, N.Shape<Row> {
  @Input() private readonly name: string = "x";
  onEvent = async (event: Event): Promise<void> => {};
  constructor(private store: Store, public size?: number) { super(); }
  @Get(":id")
  async find(@Param("id") id: string, ...rest: Row[]): Promise<Map<string, Row>> {
    const page: Page<Row> = open<Row>(id) as Page;
    this.store!.cache?.clear();
    throw new Missing(id);
  }
  abstract feed(amount: number): void;
}

interface Named extends Other, N.Deep<Row> { label: string; rename(to: string): void; }
type Id = string | Row;
enum Mode { Fast = 1, Slow }
declare function helper(x: number): string;
namespace Tools { export function sharpen(): void {} }
export const table = { rows() {} } as const;
function pick(a: string): void;
function pick(a: unknown) {}
"""


def facts(language: str = "typescript") -> FileFacts:
    return extract("src/cats.ts", language, SOURCE.encode())


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_definitions_have_their_kind_owner_and_lines(language: str) -> None:
    found = [(s.kind.value, s.qualname, s.start_line) for s in facts(language).symbols[1:]]
    assert found == [
        ("class", "Cats", 6),
        ("field", "Cats.name", 8),
        ("method", "Cats.onEvent", 9),
        ("constructor", "Cats.constructor", 10),
        ("field", "Cats.store", 10),
        ("field", "Cats.size", 10),
        ("method", "Cats.find", 11),
        ("method", "Cats.feed", 17),
        ("interface", "Named", 20),
        ("field", "Named.label", 20),
        ("method", "Named.rename", 20),
        ("type alias", "Id", 21),
        ("enum", "Mode", 22),
        ("constant", "Mode.Fast", 22),
        ("constant", "Mode.Slow", 22),
        ("function", "helper", 23),
        ("namespace", "Tools", 24),
        ("function", "Tools.sharpen", 24),
        ("variable", "table", 25),
        ("method", "table.rows", 25),
        ("function", "pick", 26),
        ("function", "pick", 27),
    ]


def test_a_symbol_carries_types_decorators_and_bases() -> None:
    symbols = {s.qualname: s for s in facts().symbols}
    cats, find = symbols["Cats"], symbols["Cats.find"]
    assert cats.doc == "Serves cats."
    assert cats.decorators == ("Controller",)
    assert cats.bases == ("Base", "Named", "N.Shape")
    assert symbols["Named"].bases == ("Other", "N.Deep")
    assert find.decorators == ("Get",)
    assert find.params == (("id", "string", "", ""), ("rest", "Row[]", "", "..."))
    assert find.returns == "Promise<Map<string, Row>>"
    assert symbols["Cats.store"].returns == "Store"
    assert symbols["Cats.store"].visibility == "private"
    assert symbols["Cats.name"].visibility == "private"


def test_uses_imports_bindings_and_routes() -> None:
    read = facts()
    uses = {
        (r.kind.name, r.name, r.receiver, read.symbols[r.scope].qualname) for r in read.references
    }
    assert {
        ("BASE", "Base", "", "Cats"),
        ("BASE", "Shape", "N", "Cats"),
        ("BASE", "Deep", "N", "Named"),
        ("CALL", "clear", "this.store.cache", "Cats.find"),
        ("CALL", "open", "", "Cats.find"),
        ("RAISE", "Missing", "", "Cats.find"),
        ("TYPE", "Page", "", "Cats.find"),
        ("TYPE", "Store", "", "Cats.constructor"),
    } <= uses
    assert ("TYPE", "Cats", "", "Cats") not in uses
    assert [tuple(i)[:3] for i in read.imports] == [
        ("./row", "Row", "Row"),
        ("fs", "", "fs"),
        ("@nestjs/common", "Controller", "Controller"),
        ("@nestjs/common", "Get", "Get"),
    ]
    assert [(b.name, b.type, b.called) for b in read.bindings] == [("page", "Page<Row>", False)]
    assert [(r.method, r.path, read.symbols[r.scope].qualname) for r in read.routes] == [
        ("ANY", "cats", "Cats"),
        ("GET", "cats/:id", "Cats.find"),
    ]


def test_every_prefix_of_a_file_is_read_without_failing() -> None:
    data = SOURCE.encode()
    for end in range(0, len(data), 11):
        cut = extract("a.ts", "typescript", data[:end] + b"\xff" + data[end + 3 :])
        assert cut.symbols[0].kind is Kind.MODULE
        extract("a.tsx", "tsx", data[:end])


def test_a_parameter_that_is_only_readonly_is_a_field_as_well() -> None:
    source = b"class Disk { constructor(readonly name: string, readonly size?: number, n = 1) {} }"
    found = [(s.kind.value, s.qualname) for s in extract("a.ts", "typescript", source).symbols[2:]]
    assert found == [
        ("constructor", "Disk.constructor"),
        ("field", "Disk.name"),
        ("field", "Disk.size"),
    ]


def test_bug_constants_of_a_namespace_were_lost() -> None:
    source = b"namespace A { export const limit = 1; export namespace B { const run = () => 1 } }\n"
    found = extract("a.ts", "typescript", source)
    names = [(s.kind.value, s.qualname) for s in found.symbols[1:]]
    assert names == [
        ("namespace", "A"),
        ("variable", "A.limit"),
        ("namespace", "A.B"),
        ("function", "A.B.run"),
    ]


def test_bug_fields_below_their_decorators_had_no_signature() -> None:
    source = b"class A {\n  @Input()\n  @checked()\n  open = false;\n}\n"
    field = extract("a.ts", "typescript", source).symbols[2]
    assert (field.signature, field.start_line, field.end_line) == ("open = false", 2, 4)


def test_bug_generic_call_signatures_without_semicolons_lost_their_interface() -> None:
    source = """\
interface EachFunction {
  <T extends any[] | [any]>(cases: ReadonlyArray<T>): EachReturn<T>
  <T extends ReadonlyArray<any>>(cases: ReadonlyArray<T>): EachReturn<
    Extracted<T>
  >

  // the last one
  <T>(...args: any[]): EachReturn<any>
}
interface ForFunction {
  <T>(cases: ReadonlyArray<T>): ForReturn<T>
  name: string
}
"""
    found = facts_of("typescript", source)
    assert outline(found) == [
        "interface EachFunction 1-9",
        "interface ForFunction 10-13",
        "field ForFunction.name 12-12",
    ]


def test_bug_classes_that_a_property_holds_were_lost() -> None:
    source = """\
stub({
  Channel: class MockChannel {
    post() {}
  },
})
"""
    assert outline(facts_of("typescript", source)) == [
        "class Channel 2-4",
        "method Channel.post 3-3",
    ]


def test_bug_methods_of_an_object_type_were_functions_of_the_file() -> None:
    source = (
        "export type Queue = {\n  size: number;\n  add: (n: number) => void;\n  clear(): void;\n"
        "} & Base;\nconst held: { inner: () => void } = null;\n"
    )
    assert outline(facts_of("typescript", source)) == [
        "type alias Queue 1-5",
        "method Queue.clear 4-4",
        "variable held 6-6",
    ]
    plain = source.replace(" & Base", "")
    assert "field Queue.add 3-3" in outline(facts_of("typescript", plain))


def test_bug_a_function_given_to_a_cast_object_was_named_by_the_cast() -> None:
    source = b"""\
function show(row) {
  (
    row.shown as Row & {
      size?: () => number;
    }
  ).size = () => 3;
  (<any>window).hide = () => 1;
  row.part!.put = function () {};
  (row as any)['take'] = () => 2;
}
"""
    found = extract("a.ts", "typescript", source)
    assert [(each.qualname, each.owner) for each in found.symbols[2:5]] == [
        ("show.row.shown.size", "row.shown"),
        ("show.window.hide", "window"),
        ("show.row.part.put", "row.part"),
    ]


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_bug_the_type_of_a_module_given_to_a_call_cost_a_file_what_follows(language: str) -> None:
    source = b"""\
vi.mock('./cart', async original => {
  const own = await original<typeof import('./cart')>()
  return { ...own, add: vi.fn() }
})
describe('cart', () => {
  it('adds', () => {})
})
"""
    found = extract("cart.spec.ts", language, source)
    assert not found.diagnostics
    calls = [each.name for each in found.references if each.kind is RefKind.CALL]
    assert calls == ["mock", "fn", "describe", "it"]  # what is a parameter leads nowhere
