from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.model import FileFacts, Import, Param, RefKind

SOURCE = """\
#include <vector>
#include "shape/base.h"
namespace ns { namespace detail {
/// A widget.
template <typename T>
class Widget final : public Base<T>, private ns::Other {
 public:
  Widget(int a, std::string b = "x") : a_(a) {}
  ~Widget() override;
  virtual int area(int x) const = 0;
  const std::string& name() const { return b_; }
  static Widget* create();
  T operator()(int a) { return a; }
  operator bool() const { return true; }
  T* operator->() { return p_; }
  struct Inner { void run(); };
  enum class Color { Red, Green };
  using Ptr = std::shared_ptr<Widget>;
  int m, n;
 private:
  void (*hook_)(int);
};
}
template <typename T>
int Widget<T>::area(int x) const { return this->a_ + x; }
void Widget<int>::Inner::run() {}
bool operator<(const A& a, const B& b) { return true; }
int build(std::vector<Foo> v) noexcept {
  auto w = std::make_unique<ns::Widget<int>>(1);
  Widget<int> x(1);
  Foo* f = new Foo(3);
  w->area(2);
  ns::detail::go<int>(inner(4));
  throw Bad(1);
}
constexpr int kGlobal = 3;
}
class EXPORT_API Exported : public Q { API_INLINE void f(); };
#define CHECK(x) do {} while (0)
"""


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("cpp", SOURCE)


def test_definitions_without_their_namespaces(facts: FileFacts) -> None:
    assert outline(facts) == [
        "class Widget 5-22",
        "constructor Widget.Widget 8-8",
        "method Widget.~Widget 9-9",
        "method Widget.name 11-11",
        "method Widget.create 12-12",
        "method Widget.operator() 13-13",
        "method Widget.operator bool 14-14",
        "method Widget.operator-> 15-15",
        "struct Widget.Inner 16-16",
        "enum Widget.Color 17-17",
        "constant Widget.Color.Red 17-17",
        "constant Widget.Color.Green 17-17",
        "type alias Widget.Ptr 18-18",
        "field Widget.m 19-19",
        "field Widget.n 19-19",
        "field Widget.hook_ 21-21",
        "method Widget.area 24-25",
        "method Widget.Inner.run 26-26",
        "function operator< 27-27",
        "function build 28-35",
        "variable kGlobal 36-36",
        "class Exported 38-38",
        "method Exported.f 38-38",
        "macro CHECK 39-39",
    ]


def test_members_written_outside_belong_to_their_class(facts: FileFacts) -> None:
    area, run = symbol(facts, "Widget.area"), symbol(facts, "Widget.Inner.run")
    assert facts.symbols[area.parent].qualname == "Widget"
    assert area.owner == "Widget"
    assert facts.symbols[run.parent].qualname == "Widget.Inner"


def test_details_of_definitions(facts: FileFacts) -> None:
    widget = symbol(facts, "Widget")
    assert widget.doc == "A widget."
    assert widget.bases == ("Base", "ns::Other")
    assert widget.signature == "class Widget final : public Base<T>, private ns::Other"
    assert symbol(facts, "Widget.Widget").params == (
        Param("a", "int"),
        Param("b", "std::string", '"x"'),
    )
    assert symbol(facts, "Widget.area").signature == "int Widget<T>::area(int x) const"
    assert symbol(facts, "Widget.name").returns == "std::string&"


def test_references(facts: FileFacts) -> None:
    assert uses(facts, "build", RefKind.CALL) == [
        "std|make_unique",
        "Widget",
        "Foo",
        "w|area",
        "ns::detail|go",
        "inner",
        "Bad",
    ]
    assert uses(facts, "build", RefKind.RAISE) == ["Bad"]
    assert uses(facts, "Widget", RefKind.BASE) == ["Base", "ns|Other"]
    assert uses(facts, "Widget.area", RefKind.FIELD) == ["this|a_"]


def test_imports_and_bindings(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("vector", "*", "*", 0, 1, True),
        Import("shape/base.h", "*", "*", 1, 2, True),
    )
    assert {(b.name, b.type, b.called) for b in facts.bindings} == {
        ("w", "ns::Widget<int>", False),
        ("x", "Widget<int>", False),
        ("f", "Foo*", False),
    }


def test_macros_do_not_hide_what_follows() -> None:
    source = """\
namespace a {
PROJECT_NAMESPACE_BEGIN
PROJECT_ATTRIBUTE_CONST constexpr Duration operator-(Duration d) { return d; }
void first(Lock* lock) EXCLUSIVE_LOCKS(lock) { go(); }
int* project_nonnull second(int* p PROJECT_LIFETIME_BOUND) { return p; }
PROJECT_NAMESPACE_END
}
"""
    names = [s.name for s in facts_of("cpp", source).symbols[1:]]
    assert names == ["operator-", "first", "second"]


def test_damaged_source_still_extracts() -> None:
    survives_damage("cpp", SOURCE)


def test_bug_arguments_of_a_specialised_member_were_its_name() -> None:
    facts = facts_of(
        "cpp",
        "template <>\nvoid Tree::add<Tree::kBack>(int n) {}\n"
        "template <> struct std::formatter<Tree> { int width; };\n"
        "bool ns::Tree<int>::operator<=>(const Tree& other) { return true; }\n",
    )
    assert [each.qualname for each in facts.symbols[1:]] == [
        "Tree.add",
        "std.formatter",
        "std.formatter.width",
        "ns.Tree.operator<=>",
    ]


def test_members_are_as_visible_as_the_section_they_stand_in() -> None:
    source = b"""\
class Client {
  int first_;
 public:
  struct Inner { int open_; private: int shut_; };
  void feed() { if (first_) { } }
 protected:
  int kept_;
};
struct Plain { int x; };
"""
    found = {s.name: s.visibility for s in extract("a.cpp", "cpp", source).symbols}
    assert found["first_"] == found["shut_"] == "private"
    assert found["open_"] == found["feed"] == found["Inner"] == found["x"] == "public"
    assert found["kept_"] == "protected"


def test_the_namespaces_a_file_opens_are_its_package_and_long_names_are_read_at_once() -> None:
    source = (
        b"namespace a::b {\nnamespace c { int f(); }\n}\nusing namespace d;\nnamespace e = a;\n"
    )
    assert extract("a.hpp", "cpp", source).package == "a.b.c"
    # a search that tries each way to split a name did not end
    assert extract("a.hpp", "cpp", b"using namespace " + b"n" * 200 + b";\n").package == ""


def test_bug_names_that_macros_make_or_break() -> None:
    source = b"""\
Foo::operator std::string() const { return x_; }
TEST_F(PoolTest, Grows) { run(); }
TEST(Suite, Name) { run(); }
HANDLER(on_key, const char *key) { run(); }
class Pool {
  std::unique_ptr<Store> store_ GUARDED_BY(mu_);
  static constexpr int kMax = 4;
  auto size() const -> Size { return 1; }
};
"""
    found = extract("a.cpp", "cpp", source)
    assert [(s.kind.value, s.qualname, s.returns) for s in found.symbols[1:]] == [
        ("method", "Foo.operator std::string", ""),
        ("method", "PoolTest.Grows", ""),
        ("method", "Suite.Name", ""),
        ("function", "on_key", ""),
        ("class", "Pool", ""),
        ("field", "Pool.store_", "std::unique_ptr<Store>"),
        ("field", "Pool.kMax", "int"),
        ("method", "Pool.size", "Size"),
    ]


def test_tests_named_by_a_text_are_functions_of_that_name() -> None:
    source = """\
TEST_CASE("vectors can be sized", "[vector]") {
  int x = 1;
  SECTION("resizing (bigger)") {
    grow(x);
  }
}
TEST_CASE_METHOD(Fixture, "with a fixture")
{
  SUBCASE("one"){ use(); }
}
BOOST_AUTO_TEST_SUITE(suite)
BOOST_AUTO_TEST_CASE(free_test) { foo(); }
BOOST_FIXTURE_TEST_CASE(fix_test, Fix) { foo(); }
BOOST_AUTO_TEST_SUITE_END()
int after() { return 1; }
"""
    facts = facts_of("cpp", source)
    assert outline(facts) == [
        "function vectors can be sized 1-6",
        "function vectors can be sized.resizing (bigger) 3-5",
        "function with a fixture 7-10",
        "function with a fixture.one 9-9",
        "function free_test 12-12",
        "function fix_test 13-13",
        "function after 15-15",
    ]
    first = symbol(facts, "vectors can be sized")
    assert first.signature == 'TEST_CASE("vectors can be sized", "[vector]")'
    assert uses(facts, "vectors can be sized.resizing (bigger)", RefKind.CALL) == ["grow"]


def test_headers_full_of_namespace_and_visibility_macros() -> None:
    source = """\
MYLIB_BEGIN_NAMESPACE
class MYLIB_API Foo {
  Q_OBJECT
  Q_PROPERTY(int x READ x WRITE setX)
 public:
  MYLIB_NODISCARD int bar() const MYLIB_NOEXCEPT;
 signals:
  void changed(int);
 public slots:
  void onIt();
 private:
  MYLIB_NO_UNIQUE_ADDRESS Alloc<int> alloc_;
};
MYLIB_END_NAMESPACE
namespace x { inline namespace v1 {
struct MYLIB_EMPTY_BASES S : base<S> { int a; };
template(typename T)(requires integral<T>)
constexpr T twice(T x) noexcept { return x; }
} }
"""
    assert outline(facts_of("cpp", source)) == [
        "class Foo 2-13",
        "method Foo.bar 6-6",
        "method Foo.changed 8-8",
        "method Foo.onIt 10-10",
        "field Foo.alloc_ 12-12",
        "struct S 16-16",
        "field S.a 16-16",
        "function twice 18-18",
    ]


def test_macros_where_only_the_preprocessor_expects_them() -> None:
    source = """\
DECLARE_FLAG(int64_t, first, 1, "what");
class ATTR_LOCKABLE [[nodiscard]] Holder : public Base {
 public:
  Holder() LIB_NOEXCEPT : a(1) {}
  iterator begin() const noexcept ATTR_LIFETIME { return a; }
  int a;
};
typedef VOID (NTAPI *Routine)(PVOID context);
enum Code {
#define XX(name) CODE_ ## name,
  CODE_MAP(XX)
#undef XX
  CODE_MAX = 7
};
struct Handle {
  int kind;
  HANDLE_PRIVATE_FIELDS
};
TEST(Suite, throws) {
  EXPECT_MESSAGE(throw Bad("x"), Bad, "x");
}
int last(FILE* f) { return 1; }
"""
    assert outline(facts_of("cpp", source)) == [
        "class Holder 2-7",
        "constructor Holder.Holder 4-4",
        "method Holder.begin 5-5",
        "field Holder.a 6-6",
        "type alias Routine 8-8",
        "enum Code 9-14",
        "constant Code.CODE_MAX 13-13",
        "struct Handle 15-18",
        "field Handle.kind 16-16",
        "method Suite.throws 19-21",
        "function last 22-22",
    ]


def test_bug_a_macro_that_ends_a_class_lost_the_class() -> None:
    source = """\
namespace app {
class Failure : public Error {
  FAILURE_DEF(Error, Failure)
};
class Twice final : public Failure {
  FAILURE_DEF(Failure, Twice)
  FAILURE_SIMPLE(Twice)
};
class Closed {
  int size() { return 1; }
 private:
  FORBID_COPY(Closed)
};
}  // namespace app
"""
    assert outline(facts_of("cpp", source)) == [
        "class Failure 2-4",
        "class Twice 5-8",
        "class Closed 9-13",
        "method Closed.size 10-10",
    ]


def test_bug_values_after_a_list_that_a_macro_makes_were_lost() -> None:
    source = """\
typedef enum {
  UNKNOWN_HANDLE = 0,
#define XX(uc, lc) UV_##uc,
  HANDLE_TYPE_MAP(XX)
#undef XX
  UV_FILE,
  HANDLE_TYPE_MAX
} handle_type;
typedef enum {
  LOOP_BLOCK,
  LOOP_USE_POLL
#define LOOP_USE_POLL LOOP_USE_POLL
} loop_option;
class Loop {};
"""
    names = {each.qualname for each in facts_of("cpp", source).symbols}
    assert {"handle_type.UV_FILE", "handle_type.HANDLE_TYPE_MAX"} <= names
    assert {"loop_option.LOOP_USE_POLL", "Loop"} <= names


def test_bug_conversions_to_types_with_brackets_had_half_a_name() -> None:
    source = """\
class Source {
 public:
  operator Action<R(Args...)>() const { return 1; }
  operator const std::string &() const { return name; }
  bool operator ()(int a) const { return a; }
};
inline Source::operator bool() const { return true; }
"""
    facts = facts_of("cpp", source)
    assert outline(facts) == [
        "class Source 1-6",
        "method Source.operator Action<R(Args...)> 3-3",
        "method Source.operator const std::string & 4-4",
        "method Source.operator() 5-5",
        "method Source.operator bool 7-7",
    ]
    assert symbol(facts, "Source.operator bool").returns == ""


def test_bug_an_attribute_after_a_parameter_was_its_name() -> None:
    source = """\
void fill(T* ptr LIFETIME_BOUND, size_t MAX_SIZE, const char* name UNUSED_ARG = nullptr) {}
"""
    assert symbol(facts_of("cpp", source), "fill").params == (
        Param("ptr", "T*"),
        Param("MAX_SIZE", "size_t"),
        Param("name", "char*", "nullptr"),
    )


def test_bug_a_macro_before_a_specialised_type_lost_the_type() -> None:
    source = """\
template <class D>
struct TUPLE_DECLSPEC Tuple<Impl<D>, int>
    : Base<D> {
  D value;
};
template <>
class TUPLE_DECLSPEC Tuple<> {};
"""
    assert outline(facts_of("cpp", source)) == [
        "struct Tuple 1-5",
        "field Tuple.value 4-4",
        "class Tuple 6-7",
    ]


def test_bug_braces_in_a_macro_that_declares_lost_what_follows() -> None:
    source = """\
MAKE_FLAG(bool, empty_flag, {}, "help");
MAKE_FLAG(Aggregate, other_flag, {1, 2}, "");

TEST_F(FlagTest, Empty) {
  EXPECT_EQ(1, 1);
}
"""
    assert outline(facts_of("cpp", source)) == ["method FlagTest.Empty 4-6"]


def test_bug_a_comment_before_the_last_macro_of_a_structure_lost_the_structure() -> None:
    source = """\
struct pipe {
  HANDLE_FIELDS
  int ipc; /* whether the pipe passes handles */
  PIPE_PRIVATE_FIELDS
};

API_EXTERN int pipe_open(loop_t*, pipe_t* handle);

struct address {
  loop_t* loop;
  /* the rest is private */
  ADDRESS_PRIVATE_FIELDS
};
"""
    assert outline(facts_of("cpp", source)) == [
        "struct pipe 1-5",
        "field pipe.ipc 3-3",
        "function pipe_open 7-7",
        "struct address 9-13",
        "field address.loop 10-10",
    ]


def test_bug_a_constructor_had_its_initializers_in_the_signature() -> None:
    source = "struct Loader {\n  Loader(std::string s, int a = 1)\n      : s_(s), a_(a) {}\n};\n"
    loader = symbol(facts_of("cpp", source), "Loader.Loader")
    assert loader.signature == "Loader(std::string s, int a = 1)"


def test_bug_types_lacked_their_stars_and_ampersands() -> None:
    source = """\
class Row { const std::string &name() const; Row **all(); Row *&last();
  auto *made() { return 0; } };
template<class T> T *Row::make() { return 0; }
"""
    found = facts_of("cpp", source)
    assert [(s.kind.value, s.qualname, s.returns) for s in found.symbols[2:]] == [
        ("method", "Row.name", "std::string&"),
        ("method", "Row.all", "Row**"),
        ("method", "Row.last", "Row*&"),
        ("method", "Row.made", ""),
        ("method", "Row.make", "T*"),
    ]


def test_bug_what_a_nameless_namespace_hides_was_public() -> None:
    source = """\
namespace ns { namespace {
int one() { return 1; }
struct Two { int x; };
} int three(); }
"""
    found = {s.qualname: s.visibility for s in facts_of("cpp", source).symbols[1:]}
    assert found == {"one": "private", "Two": "private", "Two.x": "public", "three": "public"}


def test_bug_imported_modules_were_variables_and_exported_classes_lost() -> None:
    source = """\
module;
export module shop.cart;
import shop;
export import :part;
export class Cart { public: int total() { return 1; } };
export template <class T> T twice(T x) { return x + x; }
export namespace inner { struct Row { int a; }; }
export { int loose() { return 2; } }
"""
    assert outline(facts_of("cpp", source)) == [
        "class Cart 5-5",
        "method Cart.total 5-5",
        "function twice 6-6",
        "struct Row 7-7",
        "field Row.a 7-7",
        "function loose 8-8",
    ]


def test_bug_a_member_of_a_nested_template_was_lost_when_its_line_ended_after_the_owner() -> None:
    source = b"""\
template <typename P> void Cache<P>::
    Bin::put(int n) { size = n; }
template <typename P> bool Cache<P>::
    Bin::operator()(int n) { return size == n; }
"""
    found = extract("cache.cpp", "cpp", source)
    names = [symbol.qualname for symbol in found.symbols[1:]]
    assert names == ["Cache.Bin.put", "Cache.Bin.operator()"]


def test_bug_a_macro_after_the_name_of_a_class_lost_the_class() -> None:
    text = (
        "class client_t SHOP_FINAL : public base_t\n{\n  public:\n    void open ();\n};\n"
        "struct row_t SHOP_PACKED\n{\n    int size ();\n};\n"
    )
    assert outline(facts_of("cpp", text)) == [
        "class client_t 1-5",
        "method client_t.open 4-4",
        "struct row_t 6-9",
        "method row_t.size 8-8",
    ]
