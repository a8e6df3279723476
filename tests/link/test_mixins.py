"""Classes that get members by a call: mixins of JavaScript, `Foo.include Bar` of Ruby."""

from __future__ import annotations

import pytest
from workspace import linked

from sonde.model import EdgeKind

MADE = """\
export class Base { start() {} }
export function Timed(B) { return class extends B { stamp() {} }; }
export const Tagged = (B) => class Inner extends B { tag() {} };
export function Named(B) {
  class Labelled extends B { label() {} }
  return Labelled;
}
function plain(options) { function stamp() {} return options; }
export class User extends Timed(Tagged(Named(Base))) {
  go() { this.stamp(); this.tag(); this.label(); this.start(); }
}
export class Other extends plain({ a: Base }) { go() { this.stamp(); } }
const Held = Timed(Base);
class Third extends Held { go() { this.stamp(); } }
"""
USED = """\
import * as made from "./made";
import { User } from "./made";
export class Admin extends made.Timed(User) implements Row { run() { this.stamp(); this.tag(); } }
"""


@pytest.mark.parametrize("ending", ["ts", "js"])
def test_bug_what_a_mixin_gives_to_a_class_was_unknown(ending: str) -> None:
    made, used = f"made.{ending}", f"used.{ending}"
    found = linked({made: MADE, used: USED.replace(" implements Row", "")})
    calls = found.edges(EdgeKind.CALLS)
    assert {edge for edge in calls if ".go ->" in edge or ".run ->" in edge} == {
        f"{made}:User.go -> {made}:Timed.stamp",
        f"{made}:User.go -> {made}:Tagged.Inner.tag",
        f"{made}:User.go -> {made}:Named.Labelled.label",
        f"{made}:User.go -> {made}:Base.start",
        f"{made}:Third.go -> {made}:Timed.stamp",
        f"{used}:Admin.run -> {made}:Timed.stamp",
        f"{used}:Admin.run -> {made}:Tagged.Inner.tag",
    }
    assert f"{used}:Admin -> {made}:User" in found.edges(EdgeKind.EXTENDS)


def test_what_a_class_implements_beside_a_mixin_is_kept() -> None:
    found = linked({"made.ts": MADE, "used.ts": f"interface Row {{ id: number }}\n{USED}"})
    assert "used.ts:Admin -> used.ts:Row" in found.edges(EdgeKind.IMPLEMENTS)


RUBY = """\
module Bar
  def bar; end
end
module Baz
  def baz; end
end
module Shop
  class Foo
    def go
      bar
      baz
    end
  end
end
%s
"""


@pytest.mark.parametrize(
    "mixed",
    [
        "Shop::Foo.include Bar\n::Shop::Foo.prepend(Baz)",
        "Shop::Foo.send(:include, Bar, Baz)",
        "Shop::Foo.extend Bar\nShop::Foo.public_send :include, Baz",
    ],
)
def test_bug_modules_mixed_in_from_outside_a_class_gave_it_nothing(mixed: str) -> None:
    found = linked({"a.rb": RUBY % mixed})
    assert found.edges(EdgeKind.CALLS) == {
        "a.rb:Shop.Foo.go -> a.rb:Bar.bar",
        "a.rb:Shop.Foo.go -> a.rb:Baz.baz",
    }
    assert "a.rb:Shop.Foo -> a.rb:Baz" in found.edges(EdgeKind.EXTENDS)


def test_a_module_mixed_in_by_another_file_is_a_base() -> None:
    found = linked({"a.rb": RUBY % "", "b.rb": "module Shop\n  Foo.include Bar\nend\n"})
    assert found.edges(EdgeKind.EXTENDS) == {"a.rb:Shop.Foo -> a.rb:Bar"}
