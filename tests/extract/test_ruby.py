from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.model import FileFacts, Import, Kind, Param, RefKind, Route

SOURCE = """\
# frozen_string_literal: true

require "set"
require_relative '../lib/foo'

module Acme
  # Loads settings.
  module Config
    VERSION = "1"
    Point = Struct.new(:x, :y) do
      def length; x; end
    end

    class Loader < Base::Parser
      include Enumerable, Foo::Bar
      attr_reader :name, :path

      # Makes one.
      def initialize(name, path = nil, *rest, key: 1, &block)
        @name = name
        @parser = Parser.new(path)
        made = build(name)
        helper
      end

      def self.load(path)
        new(path).run { |a| a.go(b: VERSION) }
        raise Errors::Bad, "x" unless path&.valid?
      end

      class << self
        def create; end
      end

      def name=(value) = @name = value
      def ==(other); end
      alias old_run run

      private

      def helper; end

      define_method(:dynamic) { |x| x }
    end

    class Outer::Inner; end
  end
end

def Acme.top; end

def free
  Acme::Config.load("x")
end
"""


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("ruby", SOURCE)


def test_definitions_are_named_with_their_modules(facts: FileFacts) -> None:
    loader = "Acme.Config.Loader"
    assert outline(facts) == [
        "namespace Acme 6-48",
        "namespace Acme.Config 8-47",
        "constant Acme.Config.VERSION 9-9",
        "class Acme.Config.Point 10-12",
        "method Acme.Config.Point.length 11-11",
        f"class {loader} 14-44",
        f"property {loader}.name 16-16",
        f"property {loader}.path 16-16",
        f"constructor {loader}.initialize 19-24",
        f"field {loader}.name 20-20",
        f"field {loader}.parser 21-21",
        f"method {loader}.load 26-29",
        f"method {loader}.create 32-32",
        f"method {loader}.name= 35-35",
        f"method {loader}.== 36-36",
        f"method {loader}.old_run 37-37",
        f"method {loader}.helper 41-41",
        f"method {loader}.dynamic 43-43",
        "class Acme.Config.Outer.Inner 46-46",
        "method Acme.top 50-50",
        "function free 52-54",
    ]


def test_details_of_definitions(facts: FileFacts) -> None:
    make = symbol(facts, "Acme.Config.Loader.initialize")
    assert make.params == (
        Param("name"),
        Param("path", "", "nil"),
        Param("*rest"),
        Param("key", "", "1"),
        Param("block"),
    )
    assert make.doc == "Makes one."
    assert symbol(facts, "Acme.Config").doc == "Loads settings."
    assert facts.symbols[0].doc == ""
    assert symbol(facts, "Acme.Config.Loader").bases == (
        "Base::Parser",
        "Foo.Bar",
        "Enumerable",
    )
    assert symbol(facts, "Acme.Config.Loader").signature == "class Loader < Base::Parser"
    assert symbol(facts, "Acme.Config.Loader.parser").returns == "Parser"
    assert symbol(facts, "Acme.Config.Loader.helper").visibility == "private"
    assert symbol(facts, "Acme.Config.Loader.load").visibility == "public"
    assert symbol(facts, "Acme").signature == "module Acme"
    top = symbol(facts, "Acme.top")
    assert facts.symbols[top.parent].kind is Kind.NAMESPACE


def test_references(facts: FileFacts) -> None:
    loader = "Acme.Config.Loader"
    assert uses(facts, f"{loader}.initialize", RefKind.CALL) == ["Parser|new", "build", "helper"]
    assert uses(facts, f"{loader}.load", RefKind.CALL) == [
        "new",
        "new(path)|run",
        "a|go",
        "path|valid?",
    ]
    assert uses(facts, f"{loader}.load", RefKind.RAISE) == ["Errors|Bad"]
    assert uses(facts, loader, RefKind.BASE) == ["Base|Parser", "Foo|Bar", "Enumerable"]
    assert uses(facts, "free", RefKind.CALL) == ["Acme::Config|load"]


def test_imports_tell_relative_from_library(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("set", "", "set", 0, 3),
        Import("../lib/foo", "", "foo", 1, 4),
    )


def test_bindings_of_made_objects(facts: FileFacts) -> None:
    bound = {(b.name, b.type, b.called) for b in facts.bindings}
    assert {("@parser", "Parser", False), ("made", "build", True)} <= bound


def test_routes_of_rails_and_sinatra_but_not_of_requests_in_tests() -> None:
    source = """\
draw do
  get '/a', to: 'users#show'
  post 'b' => 'users#create'
  resources :photos
  root 'home#index'
end
get '/c/:id' do
  show
end
get '/request', {}, env
"""
    assert facts_of("ruby", source).routes == (
        Route("GET", "/a", "UsersController.show", 2, 0),
        Route("POST", "b", "UsersController.create", 3, 0),
        Route("ANY", "/photos", "PhotosController", 4, 0),
        Route("GET", "/", "HomeController.index", 5, 0),
        Route("GET", "/c/:id", "", 7, 0),
    )


def test_damaged_source_still_extracts() -> None:
    survives_damage("ruby", SOURCE)


def test_bug_ten_thousand_nested_definitions_kept_linking_busy_for_ever() -> None:
    depth = 10_000
    facts = facts_of("ruby", "def a\n" * depth + "end\n" * depth)
    assert len(facts.symbols) == depth + 1
    assert max(symbol.qualname.count(".") for symbol in facts.symbols) < 100


def test_bug_private_of_one_class_hid_the_methods_of_the_next_struct() -> None:
    source = b"""\
module Shop
  class Client
    private

    def hidden; end
  end
  Point = Struct.new(:x) do
    def far; end
  end
end
"""
    found = {s.name: s.visibility for s in extract("a.rb", "ruby", source).symbols}
    assert (found["hidden"], found["far"]) == ("private", "public")


def test_bug_what_calls_hide_by_its_name_was_public() -> None:
    source = """\
class Client
  KEY = 1
  private_constant :KEY
  def open; end
  def one; end
  def two?; end
  private :one, :two?
  def self.build; end
  private_class_method :build
  def same; end
  protected(:same)
  private(def four; end)
  private memoize def five; end
  def six; end
  private :six
  public :six
  class Other
    def one; end
  end
end
"""
    found = {s.qualname: s.visibility for s in facts_of("ruby", source).symbols}
    hidden = [name for name, how in found.items() if how == "private"]
    assert hidden == [f"Client.{name}" for name in ("KEY", "one", "two?", "build", "four", "five")]
    assert found["Client.same"] == "protected"


def test_bug_attributes_in_a_private_section_were_public_or_lost() -> None:
    source = """\
class Client
  attr_reader :open,
              :wide
  private attr_reader :inline, :both

  private

  attr_accessor :hidden
end
"""
    found = facts_of("ruby", source)
    seen = {s.name: (s.signature, s.visibility) for s in found.symbols[2:]}
    assert seen == {
        "open": ("attr_reader :open", "public"),
        "wide": ("attr_reader :wide", "public"),
        "inline": ("attr_reader :inline", "private"),
        "both": ("attr_reader :both", "private"),
        "hidden": ("attr_accessor :hidden", "private"),
    }


def test_bug_the_signature_of_a_default_ended_in_two_bars() -> None:
    found = facts_of("ruby", "class A\n  def b\n    @c ||=\n      1\n  end\nend\n")
    assert symbol(found, "A.c").signature == "@c"


def test_class_macros_define_methods() -> None:
    source = """\
class Post < ApplicationRecord
  # Who wrote it.
  belongs_to :author, class_name: "User"
  has_many :comments, dependent: :destroy
  scope :by, ->(user) { where(author: known(user)) }
  enum :status, { draft: 0, live: 1 }
  enum kind: { post: 0, page: 1 }
  delegate :name, :email, to: :author
  delegate :title, to: :cover, prefix: true
  class_attribute :settings, default: {}
  store_accessor :settings, :color
  def_delegator :@list, :first, :head
  define_method("text") do |a|
    shown(a)
  end
  validates :name, presence: true
end
scope :admin do
  has_many :nothing
end
"""
    facts = facts_of("ruby", source)
    assert outline(facts) == [
        "class Post 1-17",
        "property Post.author 3-3",
        "property Post.comments 4-4",
        "method Post.by 5-5",
        "property Post.status 6-6",
        "property Post.kind 7-7",
        "property Post.name 8-8",
        "property Post.email 8-8",
        "property Post.settings 10-10",
        "property Post.color 11-11",
        "method Post.head 12-12",
        "method Post.text 13-15",
    ]
    assert symbol(facts, "Post.comments").signature == "has_many :comments, dependent: :destroy"
    assert symbol(facts, "Post.author").doc == "Who wrote it."
    assert symbol(facts, "Post.text").signature == 'define_method("text")'
    assert "known" in uses(facts, "Post.by", RefKind.CALL)
    assert "shown" in uses(facts, "Post.text", RefKind.CALL)


def test_bug_an_empty_method_had_its_end_in_the_signature() -> None:
    source = b"class Undo\n  def down(step)\n  end\nend\n"
    assert extract("a.rb", "ruby", source).symbols[2].signature == "def down(step)"


def test_bug_a_magic_comment_was_the_doc_of_a_class() -> None:
    source = b"# frozen_string_literal: true\nclass Tag\nend\n"
    assert extract("a.rb", "ruby", source).symbols[1].doc == ""
    source = b"# encoding: utf-8\n# A tag.\nclass Tag\nend\n"
    assert extract("a.rb", "ruby", source).symbols[1].doc == "A tag."


def test_bug_the_signature_of_an_empty_class_had_its_end() -> None:
    facts = facts_of("ruby", "class A\nend\nmodule B\nend\nclass C < A; end\n")
    assert [s.signature for s in facts.symbols[1:]] == ["class A", "module B", "class C < A"]
