"""Questions about single symbols: card, search, why, impact, flow."""

from __future__ import annotations

import pytest
from example_repository import engine_over, git, write

from sonde.answers.results import Refusal
from sonde.answers.support import relations
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.model import EdgeKind
from sonde.serve.text import impact_lines, symbol_lines, why_lines

SHAPES = {
    "shapes.py": """\
import os


class Shape:
    def area(self) -> float:
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side: float) -> None:
        self.side = side

    def area(self) -> float:
        return self.side * self.side


def total(shapes: list[Shape]) -> float:
    return sum(measure(shape) for shape in shapes)


def measure(shape: Shape) -> float:
    return shape.area()


def lonely() -> str:
    return os.environ["HOME"]
""",
    "web.py": """\
from flask import Flask

from shapes import total

app = Flask(__name__)


@app.route("/total")
def show_total():
    return str(total([]))
""",
    "twins.py": "def area():\n    return 1\n",
}


@pytest.fixture(scope="module")
def shapes(tmp_path_factory):
    root = write(tmp_path_factory.mktemp("shapes"), SHAPES)
    with engine_over(root, tmp_path_factory.mktemp("cache")) as engine:
        yield engine


def names(related) -> list[str]:
    return [each.symbol.qualname for each in related]


def test_a_card_has_callers_callees_and_the_method_it_overrides(shapes):
    (square,) = shapes.symbol("Square.area").found
    assert names(square.overrides) == ["Shape.area"]
    (base,) = shapes.symbol("Shape.area").found
    assert names(base.overridden_by) == ["Square.area"]
    assert names(base.callers) == ["measure"]
    (owner,) = shapes.symbol("Shape").found
    assert names(owner.implementations) == ["Square"]
    assert [member.name for member in owner.members] == ["area"]


def test_a_card_names_what_uses_a_symbol_without_calling_it(tmp_path):
    files = {
        "marks.py": "def opens(method):\n    return method\n\ndef later():\n    pass\n",
        "shop.py": (
            "from marks import later, opens\n\nclass Cart:\n    @opens\n    def pay(self):\n"
            "        schedule(later)\n\n    def copy(self) -> 'Cart':\n        return Cart()\n\n"
            "def fill(cart: Cart):\n    cart.pay()\n"
        ),
    }
    with engine_over(write(tmp_path / "repo", files), tmp_path / "cache") as engine:
        cards = [engine.symbol(name).found[0] for name in ("opens", "later", "Cart", "Cart.pay")]
        shown = "\n".join(symbol_lines(engine.symbol("opens"), ("",)))
    assert [[(use.symbol.qualname, use.role) for use in card.uses] for card in cards] == [
        [("Cart.pay", "as decorator")],
        [("Cart.pay", "by name")],
        [("fill", "as a type")],
        [],
    ]
    assert dict(cards[0].totals)["uses"] == 1
    assert "used by (1):\n    Cart.pay (shop.py:4)" in shown


def test_a_card_names_what_a_type_is_made_of(shapes):
    (square,) = shapes.symbol("Square").found
    assert (names(square.bases), square.tie("bases")) == (["Shape"], "extends")
    (shape,) = shapes.symbol("Shape").found
    assert (shape.bases, shape.tie("implementations")) == ((), "extended by")


def test_what_a_decorator_decorates_does_not_decorate_it(tmp_path):
    source = "def opens(method):\n    return method\n\n@opens\ndef pay():\n    pass\n"
    with engine_over(write(tmp_path / "repo", {"a.py": source}), tmp_path / "cache") as engine:
        lines = list(impact_lines(engine.impact("opens")))
    assert "  pay (a.py:4) is decorated by opens, confidence 1.00" in lines


def test_a_walk_against_an_edge_is_told_as_the_edge_is(shapes):
    answer = shapes.why("change `measure`", "total")
    assert [step.forward for step in answer.path] == [False]
    (line,) = [line for line in why_lines(answer) if line.startswith("walk: ")]
    assert line.startswith("walk: total calls measure line")


def test_a_go_interface_lists_the_types_that_have_its_methods(tmp_path):
    files = {
        "store.go": "package kv\ntype Store interface {\n\tGet(key string) ([]byte, error)\n}\n",
        "disk.go": "package kv\ntype Disk struct{}\n",
    }
    with engine_over(write(tmp_path / "repo", files), tmp_path / "cache") as engine:
        assert engine.symbol("Store").found[0].implementations == ()
        get = "func (d *Disk) Get(key string) ([]byte, error) { return nil, nil }\n"
        (tmp_path / "repo" / "disk.go").write_text(files["disk.go"] + get)
        (related,) = engine.symbol("Store").found[0].implementations
    assert (related.symbol.qualname, related.symbol.file, related.resolved) == (
        *("Disk", "disk.go"),
        True,
    )


def test_all_symbols_of_a_name_are_listed_by_place(shapes):
    found = shapes.symbol("area").found
    assert [card.record.file for card in found] == ["shapes.py", "shapes.py", "twins.py"]


def test_names_as_answers_print_them_are_understood(shapes):
    for written in ("shapes.py:Square.area", "area (shapes.py:13)", "shapes.Square.area"):
        (card,) = shapes.symbol(written).found
        assert card.record.qualname == "Square.area", written
    (card,) = shapes.symbol("shapes.py:14").found
    assert card.record.qualname == "Square.area"


def test_an_unknown_name_is_not_found_and_near_names_are_apart(shapes):
    answer = shapes.symbol("mesure")
    assert answer.found == ()
    assert answer.near[0] == "measure"


@pytest.mark.parametrize("name", ["", "  "])
def test_no_name_is_refused(shapes, name):
    assert isinstance(shapes.symbol(name), Refusal)


@pytest.mark.parametrize(
    "name", ["x\0y", "a" * 10_000, "'; DROP TABLE symbols; --", "%", "..", "()"]
)
def test_hostile_names_are_just_not_found(shapes, name):
    assert shapes.symbol(name).found == ()


def test_calls_without_a_known_definition_are_listed_as_unresolved(shapes):
    (card,) = shapes.symbol("total").found
    assert names(card.callees) == ["measure"]
    assert all(callee.resolved for callee in card.callees)


def test_routes_are_on_the_card_of_their_handler(shapes):
    (card,) = shapes.symbol("show_total").found
    assert any("/total" in route for route in card.routes)


def test_bug_a_card_lacked_the_routes_that_another_file_declares(tmp_path):
    files = {
        "views.py": "def show(request): ...\n",
        "urls.py": 'from views import show\nurlpatterns = [path("a/", show), path("b/", show)]\n',
    }
    with engine_over(write(tmp_path / "repo", files), tmp_path / "cache") as engine:
        (card,) = engine.symbol("show").found
        assert card.routes == ("ANY a/", "ANY b/")
        write(tmp_path / "repo", {"views.py": "import os\n\ndef show(request): ...\n"})
        (card,) = engine.symbol("show").found
        assert card.routes == ("ANY a/", "ANY b/")


def test_search_finds_names_before_texts_and_lines(shapes):
    answer = shapes.search("measure")
    assert answer.symbols[0].qualname == "measure"
    assert ("shapes.py", 18) in {(line.file, line.line) for line in answer.lines}


def test_search_takes_whole_words_of_a_name_before_parts_of_words(tmp_path):
    names = ("clock", "_block", "writer_lock", "lockdown", "LockFile")
    text = "\n\n".join(f"def {name}():\n    return 1\n" for name in names)
    root = write(tmp_path / "work", {"locks.py": text})
    with engine_over(root, tmp_path / "cache") as engine:
        found = [symbol.name for symbol in engine.search("lock kind:function").symbols]
    assert found == ["LockFile", "writer_lock", "lockdown", "clock", "_block"]


def test_names_of_other_kinds_took_the_place_of_those_asked_for(tmp_path):
    fields = "\n".join(f"    lock_{number:03} = {number}" for number in range(200))
    functions = "\n".join(f"def lock_of_a_long_name_{n:02}(): pass" for n in range(70))
    files = {"a/one.py": f"class Held:\n{fields}\n", "b/two.py": functions + "\n"}
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        asked = engine.search("lock kind:function", limit=60)
        beside = engine.search("lock path:b/", limit=100)
    assert [symbol.name for symbol in asked.symbols] == [
        f"lock_of_a_long_name_{number:02}" for number in range(60)
    ]
    assert asked.more
    assert (len(beside.symbols), beside.more) == (70, False)


def test_search_passed_over_indexed_lines_of_files_that_are_hidden_or_ignored(tmp_path):
    files = {
        ".github/workflows/ci.yml": "on: push\nname: needle\n",
        ".gitignore": "gradle/\n",
        "gradle/plugin.py": "NAME = 'needle'\n",
        "gradle/local.py": "NAME = 'needle'\n",
        "main.py": "NAME = 'needle'\n",
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q")
    git(root, "add", "--force", "--", ".", ":!gradle/local.py")
    with engine_over(root, tmp_path / "cache") as engine:
        found = [each.file for each in engine.search("needle").lines]
    assert found == [".github/workflows/ci.yml", "gradle/plugin.py", "main.py"]


def test_search_passed_over_indexed_lines_of_files_that_only_settings_bring_in(tmp_path):
    files = {
        ".gitignore": "made/\n*.gen.py\n",
        ".ignore": "main.py\n",  # ripgrep's own, which the index does not follow
        "made/kept.py": "NAME = 'needle'\n",
        "made/lost.py": "NAME = 'needle'\n",
        "main.py": "NAME = 'needle'\n",
        "node_modules/ours/index.js": "const name = 'needle';\n",
        "rows.gen.py": "NAME = 'needle'\n",
    }
    root = write(tmp_path / "work", files)
    git(root, "init", "-q")
    included = ("made/kept.py", "node_modules/ours/**", "*.gen.py")
    for rules, expected in (
        ({"include": included}, {*files} - {".gitignore", ".ignore", "made/lost.py"}),
        ({"respect_gitignore": False}, {"made/kept.py", "made/lost.py", "main.py", "rows.gen.py"}),
    ):
        discover = DiscoverRules(excludes_file=None, **rules)
        with Engine(root, Settings(tmp_path / "cache", discover, workers=1)) as engine:
            assert {each.file for each in engine.search("needle").lines} == expected


def test_search_filters_by_kind_path_and_language(shapes):
    assert {s.qualname for s in shapes.search("area kind:method").symbols} == {
        "Shape.area",
        "Square.area",
    }
    assert {s.file for s in shapes.search("area path:twins").symbols} == {"twins.py"}
    assert shapes.search("area lang:go").symbols == ()
    assert {s.qualname for s in shapes.search("kind:class").symbols} == {"Shape", "Square"}


def test_search_by_expression_and_whole_word(shapes):
    assert {s.name for s in shapes.search("^(tot|lone)", regex=True).symbols} == {"total", "lonely"}
    assert shapes.search("mea", word=True).symbols == ()
    fixed = shapes.search("sum(measure")
    assert [line.line for line in fixed.lines] == [18]


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("", {}, "search is empty"),
        ("(", {"regex": True}, "not a usable pattern"),
        ("x kind:nonsense", {}, "no kind 'nonsense'"),
        ("x", {"limit": 0}, "limit below 1"),
        ("a\nb", {}, "one line"),
        ("x" * 5000, {}, "one line"),
    ],
)
def test_searches_that_cannot_be_run_are_refused(shapes, text, options, said):
    answer = shapes.search(text, **options)
    assert isinstance(answer, Refusal)
    assert said in answer.message


@pytest.mark.parametrize("text", ["[[[", "name:* AND", '"', "-x", "--files", "\\", "*", "(a+)+$"])
def test_metacharacters_are_only_text(shapes, text):
    assert not isinstance(shapes.search(text), Refusal)


def test_limits_are_kept_and_told(shapes):
    answer = shapes.search("a", limit=2)
    assert len(answer.symbols) == 2
    assert answer.more


def test_contributions_sum_to_the_score(shapes):
    answer = shapes.why("measure the area of a square", "Square.area")
    assert answer.rank >= 1
    assert sum(part for _, part in answer.contributions) == pytest.approx(answer.score)
    assert answer.evidence
    assert answer.seeds


def test_why_tells_what_kept_a_symbol_out(shapes):
    answer = shapes.why("measure the area of a square", "show_total")
    assert answer.section == ""
    assert answer.kept_out


def test_why_tells_where_a_symbol_is_shown(shapes):
    answer = shapes.why("fix `measure`", "measure")
    assert answer.section
    assert answer.kept_out == ""


def test_why_shows_the_way_of_the_walk(shapes):
    answer = shapes.why("fix `measure`", "show_total")
    if answer.path:
        assert answer.path[-1].target.qualname == "show_total"


def test_why_refuses_unknown_symbols_and_empty_tasks(shapes):
    assert "near names: measure" in shapes.why("fix it `measure`", "mesure").message
    assert isinstance(shapes.why(" ", "measure"), Refusal)


def test_impact_follows_callers_of_callers_to_the_route(shapes):
    answer = shapes.impact("measure")
    assert [(each.symbol.qualname, each.depth) for each in answer.affected] == [
        ("total", 1),
        ("show_total", 2),
    ]
    assert [handler for _, handler in answer.routes] == ["show_total"]
    confidences = [each.confidence for each in answer.affected]
    assert confidences == sorted(confidences, reverse=True)


def test_impact_of_an_override_counts_callers_of_its_base_as_less_sure(shapes):
    (caller,) = [e for e in shapes.impact("Square.area").affected if e.symbol.name == "measure"]
    assert caller.confidence <= 0.5


def test_impact_of_a_base_reaches_what_overrides_it(shapes):
    kinds = {e.symbol.qualname: e.kind for e in shapes.impact("Shape.area", depth=1).affected}
    assert kinds["Square.area"] is EdgeKind.OVERRIDES


@pytest.fixture(scope="module")
def closing(tmp_path_factory):
    source = (
        "class Base:\n    def close(self):\n        pass\n\n\n"
        "class File(Base):\n    def close(self):\n        super().close()\n\n\n"
        "class Pipe(Base):\n    def close(self):\n        super().close()\n\n\n"
        "def stop(some: Base):\n    some.close()\n"
    )
    root = write(tmp_path_factory.mktemp("closing"), {"closing.py": source})
    with engine_over(root, tmp_path_factory.mktemp("cache")) as engine:
        yield engine


def test_impact_of_an_override_had_its_siblings_and_their_calls_of_super(closing):
    answer = closing.impact("File.close")
    assert [each.symbol.qualname for each in answer.affected] == ["stop"]
    assert "Pipe.close" in {e.symbol.qualname for e in closing.impact("Base.close").affected}


def test_flow_went_from_a_call_of_super_to_a_sibling(closing):
    assert closing.flow("Pipe.close", "File.close").loose  # both override one method, no more
    landed = closing.flow("stop", "File.close")
    assert [step.target.qualname for step in landed.paths[0]] == ["Base.close", "File.close"]
    assert not landed.loose


def test_impact_of_a_frequent_name_said_that_nothing_depends_on_it(tmp_path):
    types = [f"class Row{n}:\n    def revoke(self):\n        pass\n" for n in range(4)]
    source = "\n\n".join([*types, "def use(row):\n    row.revoke()\n"])
    with engine_over(write(tmp_path / "work", {"rows.py": source}), tmp_path / "cache") as engine:
        answer = engine.impact("Row0.revoke")
        of_use = engine.impact("use")
    assert answer.namesakes == (("revoke", 4),)
    (line,) = [each for each in impact_lines(answer) if "definitions of" in each]
    assert (
        line == "calls that do not tell which of 4 definitions of revoke they mean are not listed"
    )
    assert of_use.namesakes == ()


def test_extensions_stood_before_the_members_of_a_type(tmp_path):
    files = {
        "Builder.cs": "public class Builder {\n  int Count() { return 1; }\n}\n",
        "Added.cs": "public static class Added {\n"
        "  public static void Register(this Builder builder) { builder.Build(); }\n}\n",
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        (card,) = engine.symbol("Builder").found
    assert [each.name for each in card.members] == ["Count", "Register"]


@pytest.mark.parametrize("depth", [0, -1, 99])
def test_depths_that_make_no_sense_are_refused(shapes, depth):
    assert isinstance(shapes.impact("measure", depth), Refusal)


def test_flow_follows_calls_and_says_when_only_the_reverse_exists(shapes):
    there = shapes.flow("show_total", "measure")
    assert [step.target.qualname for step in there.paths[0]] == ["total", "measure"]
    assert not there.reversed
    back = shapes.flow("measure", "show_total")
    assert back.reversed
    assert back.source.qualname == "measure"


def test_flow_began_with_the_path_that_was_written_first_not_with_the_surest(tmp_path):
    source = (
        "class Early:\n    def go(self):\n        land()\n\n\n"
        "class Late:\n    def go(self):\n        land()\n\n\n"
        "def start(late: Late):\n    early = Early()\n    early.go()\n    late.go()\n\n\n"
        "def land():\n    pass\n"
    )
    root = write(tmp_path / "work", {"trip.py": source})
    with engine_over(root, tmp_path / "cache") as engine:
        paths = engine.flow("start", "land").paths
    assert [path[0].target.qualname for path in paths] == ["Late.go", "Early.go"]


def test_flow_without_calls_is_marked_as_loose(shapes):
    answer = shapes.flow("Square", "Shape")
    assert answer.loose
    assert answer.paths[0][0].kind is EdgeKind.EXTENDS


def test_flow_between_strangers_is_empty_and_of_one_symbol_refused(shapes):
    assert shapes.flow("lonely", "twins.py:area").paths == ()
    assert isinstance(shapes.flow("measure", "measure"), Refusal)
    assert isinstance(shapes.flow("measure", "nothing_like_it"), Refusal)


QUEUES = {
    "queues.py": (
        "class Mails:\n    def deliver_note(self, one):\n        return one\n\n\n"
        "class Jobs:\n    def deliver_note(self, one):\n        return one\n"
    ),
    "use.py": "def send(queue, mail):\n    note = mail\n    return queue.deliver_note(note)\n",
}


def test_calls_that_may_mean_a_symbol_were_counted_and_not_named(tmp_path):
    with engine_over(write(tmp_path / "work", QUEUES), tmp_path / "cache") as engine:
        answer = engine.impact("Mails.deliver_note")
    assert (answer.affected, answer.unresolved) == ((), 1)
    (call,) = answer.doubtful
    assert (call.symbol.qualname, call.symbol.file, call.line) == ("send", "use.py", 3)
    assert (call.via, call.confidence) == ("Mails.deliver_note", 0.1)


def test_who_calls_a_class_was_said_to_mention_it_as_well(tmp_path):
    files = {
        "app/service.rb": "class Service\n  def call\n    1\n  end\nend\n",
        "app/worker.rb": "class Worker\n  def perform\n    Service.new.call\n  end\nend\n",
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        names = ("Service", "Worker.perform")
        ids = {name: engine.symbol(name).found[0].record.id for name in names}
        both = list(ids.values())
        found = engine.ask(lambda state: relations(state.view, both, both))
    assert (ids["Worker.perform"], "calls", ids["Service"]) in found
    assert "references" not in {kind for _, kind, _ in found}


def test_a_language_under_another_name_was_searched_for_in_vain(tmp_path, shapes):
    files = {"web/menu.tsx": "export function Menu() {\n  return 1;\n}\n", "menu.go": "package a\n"}
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        for name in ("typescript", "ts", "tsx"):
            assert [one.name for one in engine.search(f"menu lang:{name}").symbols] == ["Menu"]
        assert engine.search("menu lang:golang").symbols == ()
    refused = shapes.search("area lang:cobol")
    assert isinstance(refused, Refusal)
    assert str(refused) == "no language 'cobol': choose one of python"


def test_a_chain_over_several_lines_had_blanks_in_its_middle(tmp_path):
    source = "fn all(flags: Flags) {\n    flags\n  .list()\n  .iter()\n  .find(1);\n}\n"
    with engine_over(write(tmp_path / "work", {"a.rs": source}), tmp_path / "cache") as engine:
        (card,) = engine.symbol("all").found
    assert {use.receiver for use in card.unresolved} == {
        "flags",
        "flags.list()",
        "flags.list().iter()",
    }


def test_bug_paths_led_through_tests_that_use_both_ends_and_not_through_overrides(tmp_path):
    files = {
        "src/Reader.java": (
            "abstract class Reader {\n  abstract String name();\n"
            "  String all() { return name(); }\n  static Options options() { return null; }\n}\n"
        ),
        "src/Utf8Reader.java": "class Utf8Reader extends Reader {\n  String name() { }\n}\n",
        "src/Options.java": "class Options {\n  static int size() { return 1; }\n}\n",
        "src/test/java/ReaderTest.java": (
            "class ReaderTest {\n"
            "  @Test void both() { new Utf8Reader().all(); Options.size(); }\n}\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        called = engine.flow("Reader.all", "Utf8Reader.name")
        tied = engine.flow("Reader.all", "Options.size")
    assert not called.loose
    assert [(step.kind, step.target.qualname) for step in called.paths[0]] == [
        (EdgeKind.CALLS, "Reader.name"),
        (EdgeKind.OVERRIDES, "Utf8Reader.name"),
    ]
    assert tied.loose
    assert "ReaderTest.both" not in [step.target.qualname for step in tied.paths[0]]


FAMILY = {
    "base.py": "class Base:\n    def stop(self) -> None: ...\n"
    + "".join(f"class Kind{at}(Base):\n    def stop(self) -> None: ...\n" for at in range(130)),
    "late.py": "from base import Base\n\n\nclass Late(Base):\n    pass\n",
    "tests/test_late.py": "from late import Late\n\n\nclass TestLate:\n"
    "    def test_it(self) -> None:\n        Late()\n",
}


@pytest.fixture(scope="module")
def family(tmp_path_factory):
    root = write(tmp_path_factory.mktemp("family"), FAMILY)
    with engine_over(root, tmp_path_factory.mktemp("cache")) as engine:
        yield engine


def test_an_inherited_member_is_not_found_but_its_definition_is_the_first_near_name(family):
    answer = family.symbol("Late.stop")
    assert answer.found == ()
    assert answer.near[0] == "Base.stop"
    assert "near names: Base.stop" in family.impact("Late.stop").message


def test_bug_a_member_that_a_trait_gives_to_a_php_class_was_a_near_name_only(tmp_path):
    files = {
        "src/Sends.php": "<?php\ntrait Sends {\n  function send() {}\n  function stop() {}\n}\n",
        "src/Base.php": "<?php\nclass Base { public function open() {} }\n",
        "src/Client.php": (
            "<?php\nclass Client extends Base {\n  use Sends;\n  public function stop() {}\n}\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        found = {
            name: [card.record.qualname for card in engine.symbol(name).found]
            for name in ("Client::send", "Client.stop", "Client.open")
        }
    assert found == {
        "Client::send": ["Sends.send"],
        "Client.stop": ["Client.stop"],
        "Client.open": [],
    }


def test_a_list_of_overrides_that_was_cut_has_the_number_of_all(family):
    (card,) = family.symbol("Base.stop").found
    assert len(card.overridden_by) == 100
    assert dict(card.totals)["overridden_by"] == 130


def test_subclasses_extend_a_class_and_do_not_implement_it(family):
    (card,) = family.symbol("Base").found
    assert card.tie("implementations") == "extended by"
    assert dict(card.totals)["implementations"] == 131


def test_a_test_file_as_a_whole_is_not_listed_beside_its_own_tests(family):
    (card,) = family.symbol("Late").found
    assert [one.symbol.qualname for one in card.tests] == ["TestLate", "TestLate.test_it"]
    assert dict(card.totals)["tests"] == 2


STORES = {
    "go.mod": "module example.org/shop\n",
    "base/base.go": (
        "package base\n\ntype Store interface {\n\tPut(key string) error\n\tClose() error\n}\n"
    ),
    "disk/disk.go": (
        "package disk\n\ntype Disk struct{}\n\n"
        "func (d *Disk) Put(key string) error {\n\treturn nil\n}\n\n"
        "func (d *Disk) Close() error {\n\treturn nil\n}\n\n"
        "func (d *Disk) Size() int {\n\treturn 1\n}\n"
    ),
    "cart/cart.go": (
        'package cart\n\nimport "example.org/shop/base"\n\n'
        'func Save(store base.Store) error {\n\treturn store.Put("x")\n}\n'
    ),
    "cart/cart_test.go": (
        'package cart\n\nimport "testing"\n\nfunc TestSave(t *testing.T) {\n\tSave(nil)\n}\n'
    ),
}


def test_bug_methods_behind_an_interface_that_no_type_names_were_strangers_to_it(tmp_path):
    with engine_over(write(tmp_path / "work", STORES), tmp_path / "cache") as engine:
        (method,) = engine.symbol("Disk.Put").found
        (required,) = engine.symbol("Store.Put").found
        (size,) = engine.symbol("Disk.Size").found
        impact = engine.impact("Disk.Put")
        of_required = engine.impact("Store.Put")
        flow = engine.flow("Save", "Disk.Put")
        tests = engine.tests(files=["disk/disk.go"])
    assert names(method.overrides) == ["Store.Put"]
    assert names(required.overridden_by) == ["Disk.Put"]
    assert dict(required.totals)["overridden_by"] == 1
    assert size.overrides == ()
    assert [(row.symbol.qualname, row.confidence) for row in impact.affected] == [("Save", 0.45)]
    assert [row.symbol.qualname for row in of_required.affected] == ["Save", "Disk.Put"]
    assert [(step.kind, step.target.qualname) for step in flow.paths[0]] == [
        (EdgeKind.CALLS, "Store.Put"),
        (EdgeKind.OVERRIDES, "Disk.Put"),
    ]
    assert tests.commands == ("go test ./cart -run '^(TestSave)$'",)


def test_bug_a_helper_beside_the_blocks_of_a_spec_hid_the_spec(tmp_path):
    files = {
        "src/queue.ts": "export class Queue {\n  add(n: number): number {\n    return n;\n  }\n}\n",
        "test/queue.test.ts": (
            "import { Queue } from '../src/queue';\n\nconst queue = new Queue();\n"
            "const mapper = (n: number) => queue.add(n);\n"
            "test('adds', () => {\n  queue.add(1);\n});\n"
        ),
    }
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        (card,) = engine.symbol("Queue.add").found
    assert names(card.tests) == ["mapper", "queue.test"]


def test_bug_a_qualified_name_in_another_case_was_not_among_the_near_names(shapes):
    assert shapes.symbol("square.Area").near[0] == "Square.area"
    assert "near names: Square.area" in shapes.impact("square::area").message


def test_a_path_in_place_of_a_symbol_was_answered_with_near_names(shapes):
    told = "'shapes.py' is a file: name one of its symbols"
    assert shapes.impact("shapes.py").message == told
    assert shapes.symbol("shapes.py").message == told


def test_the_only_symbol_of_a_name_was_called_one_of_several(tmp_path):
    source = "class Cart:\n    def check_out(self):\n        pass\n"
    use = "def pay(it):\n    it.check_out()\n"
    root = write(tmp_path / "work", {"cart.py": source, "use.py": use})
    with engine_over(root, tmp_path / "cache") as engine:
        (card,) = engine.symbol("Cart.check_out").found
    assert [caller.doubt for caller in card.callers] == ["known by its name only"]


def test_bug_impact_ended_where_a_method_is_called_through_what_it_overrides(tmp_path):
    source = (
        "def encode(row):\n    return row\n\n\n"
        "class Store:\n    def __init__(self):\n        self.rows = []\n\n"
        "    def save(self, row):\n        raise NotImplementedError\n\n\n"
        "class Disk(Store):\n    def __init__(self):\n        self.rows = [encode(1)]\n\n"
        "    def save(self, row):\n        return encode(row)\n\n\n"
        "class Memory(Store):\n    def save(self, row):\n        return super().save(row)\n\n\n"
        "def keep(store: Store):\n    store.save(1)\n\n\n"
        "def new():\n    return Store()\n"
    )
    test = "from store import keep, Memory\n\n\ndef test_keep():\n    keep(Memory())\n"
    files = {"store.py": source, "test_store.py": test}
    with engine_over(write(tmp_path / "work", files), tmp_path / "cache") as engine:
        impact = engine.impact("encode")
    rows = {row.symbol.qualname: (row.depth, row.via, row.confidence) for row in impact.affected}
    assert rows == {
        "Disk.__init__": (1, "encode", 1.0),
        "Disk.save": (1, "encode", 1.0),
        "keep": (2, "Store.save", 0.45),
    }
    assert [row.symbol.name for row in impact.tests] == ["test_keep"]
