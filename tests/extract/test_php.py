from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.model import FileFacts, Import, Kind, Param, RefKind, Route

SOURCE = r"""<?php
namespace Acme\Db;

use Acme\Core\{Engine, Base as B};
use Acme\Util\Str;
use function Acme\text\helper;
require_once __DIR__ . '/boot.php';

const LIMIT = 3;

/**
 * A client.
 */
#[Attr(1)]
abstract class Client extends B implements \Countable, Str {
    use LoggerTrait;
    public const A = 1, C = 2;
    protected static ?Engine $engine = null;
    /** Makes one. */
    public function __construct(private readonly Engine $e, string $s = 'a') {
        $this->conn = new Connection($e);
    }
    #[Route('/x/{id}', methods: ['POST'])]
    abstract protected function connect(string $url, ?int $n = null, int ...$rest): ?Conn;
    public function go() {
        $a = new Foo\Bar(1);
        $b = $this->engine->run(helper(2))?->then(fn($x) => $x->z());
        $c = Str::of(self::A);
        throw new \LogicException('x');
    }
}
interface Shape extends Flat { public function area(): float; }
trait LoggerTrait { public $log; }
enum Suit: string { case Hearts = 'H'; public function label(): string {} }
function free(array $a, callable|null $c): void {
    try { make(); } catch (DbError | Other $e) {}
}
"""


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("php", SOURCE)


def test_definitions_with_kinds_and_lines(facts: FileFacts) -> None:
    assert outline(facts) == [
        "constant LIMIT 9-9",
        "class Client 14-31",
        "constant Client.A 17-17",
        "constant Client.C 17-17",
        "field Client.engine 18-18",
        "constructor Client.__construct 20-22",
        "field Client.e 20-20",
        "field Client.conn 21-21",
        "method Client.connect 23-24",
        "method Client.go 25-30",
        "interface Shape 32-32",
        "method Shape.area 32-32",
        "trait LoggerTrait 33-33",
        "field LoggerTrait.log 33-33",
        "enum Suit 34-34",
        "constant Suit.Hearts 34-34",
        "method Suit.label 34-34",
        "function free 35-37",
    ]


def test_details_of_definitions(facts: FileFacts) -> None:
    client, connect = symbol(facts, "Client"), symbol(facts, "Client.connect")
    assert client.bases == ("B", "Countable", "Str", "LoggerTrait")
    assert client.doc == "A client."
    assert client.decorators == ("Attr",)
    assert client.signature == r"abstract class Client extends B implements \Countable, Str"
    assert connect.params == (
        Param("url", "string"),
        Param("n", "?int", "null"),
        Param("rest", "int"),
    )
    assert connect.returns == "?Conn"
    assert connect.visibility == "protected"
    assert symbol(facts, "Client.engine").returns == "?Engine"
    assert symbol(facts, "Client.engine").visibility == "protected"
    assert symbol(facts, "Client.conn").returns == "Connection"
    assert symbol(facts, "Client.e").returns == "Engine"
    assert facts.package == "Acme.Db"


def test_references_without_the_dollar(facts: FileFacts) -> None:
    assert uses(facts, "Client.go", RefKind.CALL) == [
        "Foo|Bar",
        "this->engine|run",
        "helper",
        "this->engine->run(helper(2))|then",
        "x|z",
        "Str|of",
        "\\|LogicException",
    ]
    assert uses(facts, "Client.go", RefKind.RAISE) == ["\\|LogicException"]
    assert uses(facts, "Client.go", RefKind.FIELD) == ["this|engine", "self|A"]
    assert uses(facts, "Client", RefKind.BASE) == ["B", "\\|Countable", "Str", "LoggerTrait"]
    assert uses(facts, "free", RefKind.TYPE) == ["DbError", "Other"]


def test_imports_of_classes_functions_and_files(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("Acme.Core", "Engine", "Engine", 0, 4),
        Import("Acme.Core", "Base", "B", 0, 4),
        Import("Acme.Util", "Str", "Str", 0, 5),
        Import("Acme.text", "helper", "helper", 0, 6),
        Import("boot.php", "*", "*", 1, 7, True),
    )


def test_bindings_tell_what_variables_hold(facts: FileFacts) -> None:
    bound = {(b.name, b.type, b.called) for b in facts.bindings}
    assert {("a", "Foo\\Bar", False), ("c", "Str::of", True), ("e", "DbError", False)} <= bound


def test_an_attribute_declares_a_route(facts: FileFacts) -> None:
    at = next(i for i, s in enumerate(facts.symbols) if s.qualname == "Client.connect")
    assert facts.routes == (Route("POST", "/x/{id}", "", 23, at),)


def test_damaged_source_still_extracts() -> None:
    survives_damage("php", SOURCE)


def test_constants_and_parameters_without_a_type_are_as_written() -> None:
    source = (
        b"<?php\nclass A { private const MAX = 3; function f(&$b, ...$c) {} }\nconst TOP = 1;\n"
    )
    found = {s.name: s for s in extract("a.php", "php", source).symbols}
    assert found["MAX"].signature == "private const MAX = 3"
    assert found["MAX"].visibility == "private"
    assert found["TOP"].signature == "const TOP = 1"
    assert [param.name for param in found["f"].params] == ["b", "c"]


def test_what_define_defines_is_a_constant_of_all_files() -> None:
    source = (
        b"<?php\nif (!defined('ROOT')) { define('ROOT', 1); }\n/* a */ define('SAID' /* b */, 1);\n"
        b"function boot() { define(\"LATE\", ROOT); define($name, 1); register('OTHER', 2); }\n"
    )
    found = {s.qualname: s for s in extract("a.php", "php", source).symbols}
    assert {"ROOT", "LATE", "SAID"} <= found.keys()
    assert "OTHER" not in found
    assert (found["LATE"].kind, found["LATE"].parent) == (Kind.CONSTANT, 0)
    assert found["ROOT"].signature == "define('ROOT', 1)"


def test_methods_of_anonymous_classes_are_methods() -> None:
    source = """\
<?php
class A {
  function make() {
    return new class extends Base {
      public function __construct() {}
      public function handle(int $a) { return 1; }
    };
  }
}
function top() { return new class { function inner() {} }; }
"""
    assert outline(facts_of("php", source)) == [
        "class A 2-9",
        "method A.make 3-8",
        "constructor A.make.__construct 5-5",
        "method A.make.handle 6-6",
        "function top 10-10",
        "method top.inner 10-10",
    ]


def test_bug_properties_over_several_lines_lost_their_modifiers() -> None:
    source = """\
<?php
class Row {
    private
        $one,
        $two = 2;
    #[Column("private")] public ?Key $key; } class Other { var $plain; }
"""
    found = facts_of("php", source)
    seen = {s.name: (s.signature, s.visibility, s.returns) for s in found.symbols}
    assert seen["one"] == ("private $one", "private", "")
    assert seen["two"] == ("private $two = 2", "private", "")
    assert seen["key"] == ("public ?Key $key", "public", "?Key")
    assert seen["plain"] == ("var $plain", "public", "")
