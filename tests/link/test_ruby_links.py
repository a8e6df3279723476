"""Ruby tells no types: what methods give, what specs speak of, what hides a method."""

from __future__ import annotations

import pytest
from workspace import calls, linked

from sonde.model import EdgeKind

ROW = (
    "class Key\n  def go; end\nend\n"
    "class Row\n  attr_reader :key\n  def initialize(size = 1)\n    @key = Key.new\n  end\n"
    "  def make; Key.new; end\n  def kept\n    @kept ||= Key.new(1)\n  end\n"
    "  def again\n    make\n    self\n  end\n  def passed; build(1); end\n"
    "  def build(x)\n    return if x.nil?\n    Key.new\n  end\n"
    "  def either(x)\n    return Row.new if x\n    Key.new\n  end\n"
    "  def self.first; new; end\n  class << self\n    def only; Row.new; end\n  end\nend\n"
)
SPEC = (
    "RSpec.describe Row do\n  subject(:row) { described_class.new(size: 2) }\n"
    "  let(:made) { row.make }\n  let(:plain) { build(:row) }\n  let(:kind) { Class.new(Row) }\n"
    "  it 'runs' do\n    %s\n  end\n"
    "  describe Key do\n    it { %s }\n  end\nend\n"
)


@pytest.mark.parametrize(
    "use", ["make", "kept", "again.make", "passed", "build(1)", "key", "again.again.key"]
)
def test_the_last_expression_of_a_method_tells_what_it_gives(use: str) -> None:
    index = linked({"row.rb": ROW, "use.rb": f"def run\n  Row.new.{use}.go\nend\n"})
    assert "run -> Key.go@2" in calls(index)


@pytest.mark.parametrize("use", ["Row.first.make", "Row.only.make"])
def test_methods_of_the_class_give_what_they_make(use: str) -> None:
    index = linked({"row.rb": ROW, "use.rb": f"def run\n  {use}.go\nend\n"})
    assert ("run -> Key.go@2" in calls(index)) == ("only" in use)


def test_a_method_that_may_give_something_else_tells_nothing() -> None:
    index = linked({"row.rb": ROW, "use.rb": "def run\n  Row.new.either(1).go\nend\n"})
    assert "run -> Key.go@2" not in calls(index)


def test_the_instance_of_a_singleton() -> None:
    texts = {
        "conf.rb": "class Conf\n  include Singleton\n  def value; end\nend\n",
        "use.rb": "def run\n  Conf.instance.value\nend\n",
    }
    assert "run -> Conf.value@3" in calls(linked(texts))
    texts["conf.rb"] = texts["conf.rb"].replace("include Singleton", "")
    assert "run -> Conf.value@3" not in calls(linked(texts))


def test_bug_the_call_of_a_reader_whose_field_is_assigned_was_not_resolved() -> None:
    index = linked({"row.rb": ROW, "use.rb": "def run\n  Row.new.key\nend\n"})
    assert "run -> Row.key@5" in calls(index)


@pytest.mark.parametrize(
    ("use", "target"),
    [
        ("described_class.new.make", "Row.make"),
        ("row.make", "Row.make"),
        ("subject.make", "Row.make"),
        ("made.go", "Key.go"),
        ("row.make.go", "Key.go"),
        ("kind.new.make", "Row.make"),
    ],
)
def test_a_spec_calls_what_it_describes(use: str, target: str) -> None:
    index = linked({"lib/row.rb": ROW, "spec/row_test.rb": SPEC % (use, "1")})
    assert any(each.startswith(f"row_test -> {target}@") for each in calls(index))


@pytest.mark.parametrize("use", ["subject.go", "described_class.new.go"])
def test_a_group_inside_describes_its_own_class(use: str) -> None:
    index = linked({"lib/row.rb": ROW, "spec/row_test.rb": SPEC % ("1", use)})
    assert "row_test -> Key.go@2" in calls(index)


@pytest.mark.parametrize("use", ["plain.make", "other.make", "described.make"])
def test_what_a_spec_does_not_tell_stays_unresolved(use: str) -> None:
    index = linked({"lib/row.rb": ROW, "spec/row_test.rb": SPEC % (use, "1")})
    assert "make ? lib/row.rb:Row.make" in index.unresolved()


def test_bug_variables_were_taken_for_the_methods_of_their_name() -> None:
    index = linked(
        {
            "use.rb": (
                "class Use\n  def size; end\n  def one(size)\n    size + 1\n  end\n"
                "  def two\n    size = 2\n    size\n  end\n"
                "  def three\n    each { |size| size }\n  end\n"
                "  def six\n    each do\n      size = 1\n      size\n    end\n    size\n  end\n"
                "  def four\n    size\n    size = 1\n  end\n  def five; size; end\nend\n"
            )
        }
    )
    assert calls(index) == {
        "Use.four -> Use.size@2",
        "Use.five -> Use.size@2",
        "Use.six -> Use.size@2",
    }


def test_functions_of_a_helper_that_a_spec_requires() -> None:
    texts = {
        "spec/spec_helper.rb": "require 'support/paths'\n",
        "spec/support/paths.rb": "def file_path(name); end\n",
        "spec/row_test.rb": "require 'spec_helper'\ndescribe 'rows' do\n  file_path('a')\nend\n",
        "other.rb": "file_path('b')\n",
    }
    index = linked(texts)
    assert calls(index) == {"row_test -> file_path@1"}
    assert index.unresolved() == {"file_path ? spec/support/paths.rb:file_path"}


def test_the_words_of_a_spec_are_no_calls_of_the_project() -> None:
    texts = {
        "a.rb": "class A\n  def before; end\nend\n",
        "a_test.rb": "describe A do\n  before { 1 }\nend\n",
    }
    assert linked(texts).unresolved() == set()


def test_constants_of_a_module_that_is_mixed_in() -> None:
    texts = {
        "app.rb": "module App\n  module Tools\n    def self.trim; end\n  end\nend\n",
        "base.rb": "class Base\n  include App\nend\n",
        "use.rb": "class Use < Base\n  def run; Tools.trim; end\nend\n",
    }
    assert calls(linked(texts)) == {"Use.run -> App.Tools.trim@3"}


def test_bug_new_alone_in_a_method_of_the_class_made_nothing() -> None:
    text = (
        "class Client\n  def initialize(url)\n  end\n  def push(item)\n  end\n"
        "  def self.call(item)\n    new(item).push(item)\n  end\n"
        "  class << self\n    def send(item)\n      new.push(item)\n    end\n  end\n"
        "  def again\n    new.push(1)\n  end\nend\n"
    )
    assert linked({"client.rb": text}).edges(EdgeKind.CALLS) == {
        "client.rb:Client.call -> client.rb:Client",
        "client.rb:Client.call -> client.rb:Client.initialize",
        "client.rb:Client.call -> client.rb:Client.push",
        "client.rb:Client.send -> client.rb:Client.push",
    }


def test_bug_class_methods_of_an_included_module_were_unknown() -> None:
    worker = (
        "module Worker\n  def self.included(base)\n    base.extend(ClassMethods)\n  end\n"
        "  module ClassMethods\n    def later(job)\n    end\n  end\nend\n"
    )
    edges = linked(
        {
            "worker.rb": worker,
            "job.rb": "class Job\n  include Worker\nend\n",
            "use.rb": "class Use\n  def go\n    Job.later(1)\n  end\nend\n",
        }
    ).edges(EdgeKind.CALLS)
    assert edges == {"use.rb:Use.go -> worker.rb:Worker.ClassMethods.later"}


def test_bug_a_bare_name_meant_methods_of_the_enclosing_module() -> None:
    text = (
        "module Shop\n  def self.log; end\n  def self.new; end\n  LIMIT = 1\n"
        "  class Cart\n    attr_reader :log\n    def pay\n      log\n      setup\n      LIMIT\n"
        "    end\n    def self.build\n      new.pay\n    end\n    def setup; end\n  end\n"
        "  def self.setup; end\nend\n"
    )
    index = linked({"shop.rb": text})
    assert index.edges(EdgeKind.CALLS) == {
        "shop.rb:Shop.Cart.pay -> shop.rb:Shop.Cart.log",
        "shop.rb:Shop.Cart.pay -> shop.rb:Shop.Cart.setup",
        "shop.rb:Shop.Cart.build -> shop.rb:Shop.Cart",
        "shop.rb:Shop.Cart.build -> shop.rb:Shop.Cart.pay",
    }
    assert "shop.rb:Shop.Cart.pay -> shop.rb:Shop.LIMIT" in index.edges(EdgeKind.REFERENCES)


def test_bug_a_method_of_an_instance_called_those_of_its_class() -> None:
    text = (
        "class Row\n  def self.first; all; end\n  def self.all; end\n"
        "  class << self\n    def last; all; end if true\n  end\n"
        "  def save\n    all\n    self.class.first\n  end\nend\n"
        "class Cell < Row\n  def draw; all; end\n  def all; end\nend\n"
    )
    index = linked({"row.rb": text})
    assert index.edges(EdgeKind.CALLS) == {
        "row.rb:Row.first -> row.rb:Row.all",
        "row.rb:Row.last -> row.rb:Row.all",
        "row.rb:Row.save -> row.rb:Row.first",
        "row.rb:Cell.draw -> row.rb:Cell.all",
    }
    assert index.edges(EdgeKind.OVERRIDES) == set()


def test_bug_what_an_unnamed_class_has_was_credited_to_the_class_around() -> None:
    found = linked(
        {
            "row.rb": (
                "class Base\n  def based; end\nend\n"
                "class Row\n  def save; end\n"
                "  Named = Class.new(Base) do\n    include Comparable\n    def based; end\n  end\n"
                "  let(:kept) do\n    Class.new(Base) do\n      include Timed\n"
                "      def based; own; save; end\n      def own; end\n      def save; end\n"
                "    end\n  end\nend\n"
                "class Sub < Row\n  def save; end\nend\n"
                "module Timed\nend\n"
            ),
            "spec/row_spec.rb": (
                "describe Row do\n  it 'loads' do\n    Class.new do\n      include Timed\n"
                "      def load; end\n    end\n  end\nend\n"
            ),
        }
    )
    based = [symbol for symbol in found.files["row.rb"][1].symbols if symbol.name == "based"]
    assert [each.bases for each in based] == [(), (), ("Base",)]
    assert not any("Timed" in edge for edge in found.edges(EdgeKind.EXTENDS))
    assert found.edges(EdgeKind.OVERRIDES) == {
        "row.rb:Row.Named.based -> row.rb:Base.based",
        "row.rb:Row.based -> row.rb:Base.based",
        "row.rb:Sub.save -> row.rb:Row.save",
    }
    assert "row.rb:Sub -> row.rb:Row.own" not in found.edges(EdgeKind.INHERITS)
    assert "row.rb:Row.based -> row.rb:Row.own" in found.edges(EdgeKind.CALLS)
