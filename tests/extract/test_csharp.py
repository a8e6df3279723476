"""C# source beside the facts it must give."""

from __future__ import annotations

from sonde.extract import extract
from sonde.model import FileFacts, Kind

SOURCE = """\
using System.Text;
using static System.Math;
using Row = Acme.Data.DbRow;
namespace Acme.Web
{
    /// <summary>Serves users.</summary>
    [ApiController, Route("api/users")]
    public partial class Users<T> : Controller<T>, IUsers, N.IShape<Row> where T : class
    {
        private readonly List<string> names = new(), other;
        public const int Max = 3;
        public event Action Changed;
        public Users(string url, int port = 1) : base(url) { this.names = url; }
        ~Users() {}
        public string Name { get; set; } = "x";
        public int Count => names.Count;
        public int this[int at] { get { return at; } }

        [HttpGet("{id}")]
        public async Task<Map<string, Row>> Find<K>([FromBody] T b, ref int x, params string[] rest)
        {
            List<Users> all = Make<Row>();
            var one = new Users("a");
            cache?.Load()?.Clear();
            int Local(int z) { return Inner(z); }
            throw new InvalidOperationException(all.first);
        }
        [HttpPost] public void Create() {}
        public static Users operator +(Users a, Users b) => a;
        void IUsers.Hidden() {}
    }
    enum Mode : byte { Fast, Slow = 3 }
    struct Point : IShape { int x; }
    interface IUsers : IOne, ITwo { void Hidden(); int Size { get; } }
    delegate void Handler(int x);
    record Pair(int Left, string Right) : Base(Left);
    static class Extensions { public static int Twice(this Point p) => 2; }
}
"""


def facts() -> FileFacts:
    return extract("Web/Users.cs", "csharp", SOURCE.encode())


def test_definitions_have_their_kind_owner_and_lines() -> None:
    found = [(s.kind.value, s.qualname, s.start_line, s.end_line) for s in facts().symbols[1:]]
    assert found == [
        ("class", "Users", 7, 31),
        ("field", "Users.names", 10, 10),
        ("field", "Users.other", 10, 10),
        ("constant", "Users.Max", 11, 11),
        ("field", "Users.Changed", 12, 12),
        ("constructor", "Users.Users", 13, 13),
        ("method", "Users.~Users", 14, 14),
        ("property", "Users.Name", 15, 15),
        ("property", "Users.Count", 16, 16),
        ("property", "Users.this", 17, 17),
        ("method", "Users.Find", 19, 27),
        ("function", "Users.Find.Local", 25, 25),
        ("method", "Users.Create", 28, 28),
        ("method", "Users.operator +", 29, 29),
        ("method", "Users.Hidden", 30, 30),
        ("enum", "Mode", 32, 32),
        ("constant", "Mode.Fast", 32, 32),
        ("constant", "Mode.Slow", 32, 32),
        ("struct", "Point", 33, 33),
        ("field", "Point.x", 33, 33),
        ("interface", "IUsers", 34, 34),
        ("method", "IUsers.Hidden", 34, 34),
        ("property", "IUsers.Size", 34, 34),
        ("type alias", "Handler", 35, 35),
        ("class", "Pair", 36, 36),
        ("field", "Pair.Left", 36, 36),
        ("field", "Pair.Right", 36, 36),
        ("class", "Extensions", 37, 37),
        ("method", "Extensions.Twice", 37, 37),
    ]


def test_a_symbol_carries_signature_doc_parameters_and_bases() -> None:
    read = facts()
    symbols = {s.qualname: s for s in read.symbols}
    users, find = symbols["Users"], symbols["Users.Find"]
    assert users.doc == "Serves users."
    assert users.decorators == ("ApiController", "Route")
    assert users.bases == ("Controller", "IUsers", "N.IShape")
    assert users.signature.startswith("public partial class Users<T> : Controller<T>")
    assert find.returns == "Task<Map<string, Row>>"
    assert find.params == (
        ("b", "T", "", ""),
        ("x", "int", "", ""),
        ("rest", "string[]", "", "..."),
    )
    assert symbols["Users.Name"].returns == "string"
    assert symbols["Users.names"].returns == "List<string>"
    twice = symbols["Extensions.Twice"]
    assert (twice.owner, read.symbols[twice.parent].name) == ("Point", "Point")


def test_visibility_depends_on_where_a_member_stands() -> None:
    visible = {s.qualname: s.visibility for s in facts().symbols}
    assert visible["Users.Hidden"] == "public"  # through the interface
    assert visible["IUsers.Hidden"] == "public"
    assert visible["Mode"] == "internal"
    assert visible["Mode.Fast"] == "public"
    assert visible["Users.names"] == "private"


def test_uses_are_found_with_receiver_and_scope() -> None:
    read = facts()
    uses = {
        (r.kind.name, r.name, r.receiver, read.symbols[r.scope].qualname) for r in read.references
    }
    assert {
        ("BASE", "Controller", "", "Users"),
        ("BASE", "IShape", "N", "Users"),
        ("BASE", "Base", "", "Pair"),
        ("CALL", "Make", "", "Users.Find"),
        ("CALL", "Users", "", "Users.Find"),
        ("CALL", "Load", "cache", "Users.Find"),
        ("CALL", "Clear", "cache.Load()", "Users.Find"),
        ("CALL", "Inner", "", "Users.Find.Local"),
        ("RAISE", "InvalidOperationException", "", "Users.Find"),
        ("TYPE", "Task", "", "Users.Find"),
        ("TYPE", "Row", "", "Users.Find"),
        ("FIELD", "names", "this", "Users.Users"),
        ("FIELD", "Count", "names", "Users.Count"),
        ("DECORATOR", "HttpGet", "", "Users.Find"),
    } <= uses


def test_imports_namespace_bindings_and_routes() -> None:
    read = facts()
    assert read.package == "Acme.Web"
    assert [tuple(i)[:3] for i in read.imports] == [
        ("System.Text", "*", "*"),
        ("System.Math", "*", "*"),
        ("Acme.Data", "DbRow", "Row"),
    ]
    assert [(b.name, b.type, b.called) for b in read.bindings] == [
        ("all", "List<Users>", False),
        ("one", "Users", False),
    ]
    assert [(r.method, r.path, read.symbols[r.scope].name) for r in read.routes] == [
        ("ANY", "api/users", "Users"),
        ("GET", "api/users/{id}", "Find"),
        ("POST", "api/users", "Create"),
    ]


def test_minimal_api_routes_name_their_handler() -> None:
    source = b'app.MapGet("/x", Show);\napp.MapPost("/y", (int a) => a);\n'
    routes = extract("Program.cs", "csharp", source).routes
    assert [(r.method, r.path, r.handler) for r in routes] == [
        ("GET", "/x", "Show"),
        ("POST", "/y", ""),
    ]


def test_every_prefix_of_a_file_is_read_without_failing() -> None:
    data = SOURCE.encode()
    for end in range(0, len(data), 11):
        cut = extract("a.cs", "csharp", data[:end] + b"\xff" + data[end + 3 :])
        assert cut.symbols[0].kind is Kind.MODULE
        extract("a.cs", "csharp", data[:end])


def test_bug_nested_types_without_a_modifier_were_internal() -> None:
    source = b"class A {\n  class B {}\n  delegate void D(int x);\n}\n"
    found = {s.qualname: s.visibility for s in extract("A.cs", "csharp", source).symbols[1:]}
    assert found == {"A": "internal", "A.B": "private", "A.D": "private"}


def test_bug_methods_without_a_body_ended_in_a_semicolon() -> None:
    source = b"interface A {\n  void Add(int x);\n}\n"
    assert extract("A.cs", "csharp", source).symbols[2].signature == "void Add(int x)"


def test_the_number_of_type_arguments_is_told_beside_types_and_methods() -> None:
    source = """\
class A {
    N.Row<int> a; Row b;
    void R(Row<int, List<X>> c) { new Row<int>(1); F<int>(); a.b.G<int, List<X>>(1); }
}
"""
    found = {
        (r.kind.name, r.name, r.args) for r in extract("A.cs", "csharp", source.encode()).references
    }
    assert {
        ("TYPE", "Row", "<1>"),
        ("TYPE", "Row", ""),
        ("TYPE", "Row", "<2>"),
        ("TYPE", "List", "<1>"),
        ("CALL", "Row", "(_:1)<1>"),
        ("CALL", "F", "()<1>"),
        ("CALL", "G", "(_:1)<2>"),
    } <= found


def test_bug_an_extension_block_was_a_constructor_with_functions_in_it() -> None:
    source = b"""\
public static class Rows {
    /// <param name="row">A row.</param>
    extension(Row row) {
        /// <summary>Adds.</summary>
        public Row Add(int n) => row.Put(n);
        public int Size => row.Count;
        public static Row Make() { return new Row(); }
    }
    extension<T>(List<T> all) where T : Row {
        int Sum() => all.Count;
    }
}
"""
    found = extract("Rows.cs", "csharp", source)
    seen = [
        (s.kind.value, s.qualname, s.owner, [p.name for p in s.params]) for s in found.symbols[2:]
    ]
    assert seen == [
        ("method", "Rows.Add", "Row", ["row", "n"]),
        ("property", "Rows.Size", "Row", ["row"]),
        ("method", "Rows.Make", "Row", []),
        ("method", "Rows.Sum", "List", ["all"]),
    ]
    assert found.symbols[2].doc == "Adds."


def test_bug_an_extension_block_cost_its_file_the_other_branches() -> None:
    source = b"""\
static class Texts {
    extension(string text) { public bool Any() => Filled().IsMatch(text); }
#if NET8_0
    static partial Regex Filled();
#else
    static Regex Filled() => new(".");
    static Regex Empty() => new("^$");
#endif
}
"""
    found = extract("Texts.cs", "csharp", source)
    lines = [(symbol.qualname, symbol.start_line) for symbol in found.symbols[2:]]
    assert lines == [("Texts.Any", 2), ("Texts.Filled", 4), ("Texts.Filled", 6), ("Texts.Empty", 7)]


def test_bug_a_variable_called_async_cost_its_class_the_members() -> None:
    source = b"""\
public class Pool {
    public Link Get(bool async) => Get(now, async, default).Wait();
    Task<Link> Get(Span wait, bool async = false, Token token = default) {
        if (!async) return Open(async: true);
        async Task<Link> Later() => await Open(async
            ? await Slow() : Fast());
        return async && Idle(async () => async) ? Later() : null;
    }
    public void Close() { Run(async x => await x); }
#if NET
    void Old() {}
#else
    void New() {}
#endif
}
"""
    found = extract("Pool.cs", "csharp", source)
    assert not found.diagnostics
    assert [symbol.qualname for symbol in found.symbols[2:]] == [
        "Pool.Get",
        "Pool.Get",
        "Pool.Get.Later",
        "Pool.Close",
        "Pool.Old",
        "Pool.New",
    ]
    assert [p.name for p in found.symbols[3].params] == ["wait", "async", "token"]
    calls = [(r.name, r.line) for r in found.references if r.kind.name == "CALL"]
    assert {("Get", 2), ("Open", 4), ("Open", 5), ("Slow", 6), ("Later", 7), ("Run", 9)} <= {*calls}


def test_bug_quotes_right_behind_a_hole_of_a_verbatim_text_cost_its_class_the_members() -> None:
    source = b'''static class Texts {
    static string Say(string a) => Quote($@"say ""{a}""");
    static string Rows(string[] all) => Quote(@$"
rows ""{all["x"]}"",""{Join(all)}"""" and {{}}""");
    static string Raw(int n) => $"""{n}""" + @"}""";
#if NET
    static void Old() {}
#else
    static void New() {}
#endif
}
'''
    found = extract("Texts.cs", "csharp", source)
    assert not found.diagnostics
    names = [symbol.qualname.removeprefix("Texts.") for symbol in found.symbols[2:]]
    assert names == ["Say", "Rows", "Raw", "Old", "New"]
    calls = [(r.name, r.line) for r in found.references if r.kind.name == "CALL"]
    assert calls == [("Quote", 2), ("Quote", 3), ("Join", 4)]


def test_names_in_doc_comments_were_taken_out_with_their_tags() -> None:
    source = b"""\
/// <summary>Builds an <see cref="IContainer"/> of <paramref name="rows"/>, or
/// <see langword="null"/>; see <seealso cref="M:Shop.Cart.Add(System.Int32)" />.</summary>
public class Builder {}
"""
    (builder, *_) = extract("Builder.cs", "csharp", source).symbols
    doc = "Builds an IContainer of rows, or\nnull; see Shop.Cart.Add(System.Int32)."
    assert builder.doc == doc


def test_bug_directives_stood_in_the_signature() -> None:
    source = "#if OPEN\npublic\n#endif\nabstract class Maybe<T>\n{\n}\n"
    symbols = extract("a.cs", "csharp", source.encode()).symbols
    assert "public abstract class Maybe<T>" in [each.signature for each in symbols]
