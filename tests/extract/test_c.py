from __future__ import annotations

import pytest
from expect import facts_of, outline, survives_damage, symbol, uses

from sonde.extract import extract
from sonde.extract.languages.c import repair
from sonde.model import FileFacts, Import, Param, RefKind

SOURCE = """\
#include <stdio.h>
#include "util.h"

#define MAX_LEN 10
#define SQUARE(x) ((x) * (x))

/* A point. */
struct point {
  int x, y;
  void (*notify)(int a);
};
typedef struct { int a; } anon_t;
typedef int (*handler_fn)(struct point *p, int n);
enum color { RED, GREEN = 2 };
static int counter = 0;
int add(int a, int b);
struct point *make_point(int x, const char *name, char buf[4]);

/**
 * Adds.
 */
static int
add(int a, int b)
{
  struct point p;
  anon_t *n = make(sizeof(anon_t));
  p.x = SQUARE(a);
  n->next->notify(a);
  run(&p, add, (struct point *)n);
  return RED + b;
}
int (*get_fn(int a))(int) { return 0; }
"""


@pytest.fixture(scope="module")
def facts() -> FileFacts:
    return facts_of("c", SOURCE)


def test_definitions_and_prototypes_without_a_body(facts: FileFacts) -> None:
    assert outline(facts) == [
        "constant MAX_LEN 4-4",
        "macro SQUARE 5-5",
        "struct point 8-11",
        "field point.x 9-9",
        "field point.y 9-9",
        "field point.notify 10-10",
        "struct anon_t 12-12",
        "field anon_t.a 12-12",
        "type alias handler_fn 13-13",
        "enum color 14-14",
        "constant color.RED 14-14",
        "constant color.GREEN 14-14",
        "variable counter 15-15",
        "function make_point 17-17",
        "function add 22-31",
        "function get_fn 32-32",
    ]


def test_details_of_definitions(facts: FileFacts) -> None:
    add, make = symbol(facts, "add"), symbol(facts, "make_point")
    assert add.signature == "static int add(int a, int b)"
    assert add.doc == "Adds."
    assert add.visibility == "private"
    assert add.params == (Param("a", "int"), Param("b", "int"))
    assert add.returns == "int"
    assert [p.name for p in make.params] == ["x", "name", "buf"]
    assert make.signature == "struct point *make_point(int x, const char *name, char buf[4])"
    assert symbol(facts, "point").doc == "A point."
    assert symbol(facts, "point.y").returns == "int"
    assert symbol(facts, "get_fn").params == (Param("a", "int"),)


def test_references(facts: FileFacts) -> None:
    assert uses(facts, "add", RefKind.CALL) == ["make", "SQUARE", "n->next|notify", "run"]
    assert uses(facts, "add", RefKind.TYPE) == ["point", "anon_t"]
    assert uses(facts, "add", RefKind.FIELD) == ["p|x", "n|next"]


def test_an_include_brings_every_name(facts: FileFacts) -> None:
    assert facts.imports == (
        Import("stdio.h", "*", "*", 0, 1, True),
        Import("util.h", "*", "*", 1, 2, True),
    )


def test_locals_are_bound_to_their_type(facts: FileFacts) -> None:
    assert {(b.name, b.type) for b in facts.bindings} == {("p", "point"), ("n", "anon_t*")}


@pytest.mark.parametrize(
    "source",
    [
        "int first(int a) WARN_UNUSED;\nint second(int b);\n",
        "int first(const char *f, ...) PRINTF_LIKE(1, 2);\nint second(int b);\n",
        "API_EXPORT size_t first(int a) { return 1; }\nint second(int b) { return 2; }\n",
        "int first() {\n#ifdef A\n if (a) {\n#else\n if (b) {\n#endif\n}\n}\nint second() {}\n",
        "int first(int a) {\n  if (a\n#if B\n  && b\n#endif\n  ) {}\n}\nint second(void) {}\n",
    ],
)
def test_what_the_preprocessor_would_remove_does_not_hide_functions(source: str) -> None:
    facts = facts_of("c", source)
    assert [s.name for s in facts.symbols[1:]] == ["first", "second"]


def test_repair_moves_nothing() -> None:
    source = b"int a(int x) UNUSED;\r\nint f() {\n#if A\n{\n#else\n{ /* \xff */\n#endif\n}\n}\n"
    repaired = repair(source)
    assert len(repaired) == len(source)
    assert [at for at, byte in enumerate(repaired) if byte == 10] == [
        at for at, byte in enumerate(source) if byte == 10
    ]


def test_damaged_source_still_extracts() -> None:
    survives_damage("c", SOURCE)


def test_repair_is_quick_on_endless_macro_names() -> None:
    words = b"A" * 5000 + b" " + b"AB_ " * 2000
    source = b"int f(" + words + b") " + words + b"! #if\n" * 500
    assert len(repair(source)) == len(source)


def test_bug_a_blanked_value_let_a_macro_swallow_the_next_one() -> None:
    macros = [f"#define M{n}_OF(a, ...) \\\n    G{n}_OF(, a, __VA_ARGS__)\n" for n in range(4)]
    facts = facts_of("c", "".join(macros) + "int f(void) { return ) }\n")
    assert {f"M{n}_OF" for n in range(4)} <= {each.name for each in facts.symbols}


def test_macros_and_members_on_one_line_show_what_is_written() -> None:
    source = b"""\
#define LIMIT 3
#define MAX(a, b) ((a) > (b) ? (a) : (b))
typedef struct node { int val; struct node *next; } node_t;
"""
    found = {s.qualname: s for s in extract("a.c", "c", source).symbols}
    assert found["LIMIT"].signature == "#define LIMIT 3"
    assert found["MAX"].signature == "#define MAX(a, b) ((a) > (b) ? (a) : (b))"
    assert [param.name for param in found["MAX"].params] == ["a", "b"]
    assert found["node.next"].signature == "struct node *next"
    assert found["node_t"].signature == "typedef struct node node_t"
    assert found["node_t"].returns == "struct node"


def test_bug_functions_that_macros_define_were_lost() -> None:
    source = b"""\
HANDLER(font, const char *name) {
    load(name);
}
TEST_IMPL(opens) {
    load(0);
}
"""
    found = extract("a.c", "c", source)
    assert [(s.kind.value, s.qualname, s.start_line, s.end_line) for s in found.symbols[1:]] == [
        ("function", "font", 1, 3),
        ("function", "opens", 4, 6),
    ]
    assert [p.name for p in found.symbols[1].params] == ["name"]
    assert [s.signature for s in found.symbols[1:]] == [
        "HANDLER(font, const char *name)",
        "TEST_IMPL(opens)",
    ]
    assert found.diagnostics == ()


def test_a_typedef_of_a_standard_name_is_a_definition() -> None:
    facts = facts_of("c", "typedef signed short int16_t;\ntypedef intptr_t ssize_t;\n")
    assert outline(facts) == ["type alias int16_t 1-1", "type alias ssize_t 2-2"]


def test_bug_macros_of_the_branch_not_kept_were_lost() -> None:
    source = """\
int carry(int a) {
#if WIDE
  if (a > 1) {
#else
  #define CARRY 0x01
  #define TWICE(x) \\
     (x + x)
  if (a > CARRY) {
#endif
    return 1;
  }
}
"""
    assert outline(facts_of("c", source)) == [
        "function carry 1-12",
        "constant CARRY 5-5",
        "macro TWICE 6-7",
    ]


def test_bug_a_comment_inside_a_macro_made_its_rest_code() -> None:
    source = """\
#define FAIL(loc, msg) \\
  do { \\
    location l = loc; \\
    /* the caller \\
       goes on */; \\
  } while (/*CONSTCOND*/ 0)

void report(int *loc) {
}
"""
    assert outline(facts_of("c", source)) == ["macro FAIL 1-6", "function report 8-9"]


def test_bug_functions_inside_a_macro_around_their_head_were_lost() -> None:
    source = """\
EXPORT(void heap_init(struct heap* heap));

EXPORT(void heap_init(struct heap* heap)) {
  heap->min = 0;
}
"""
    facts = facts_of("c", source)
    assert outline(facts) == ["function heap_init 3-5"]
    assert symbol(facts, "heap_init").signature == "void heap_init(struct heap* heap)"
    assert symbol(facts, "heap_init").params == (Param("heap", "struct heap*"),)


def test_bug_an_enumeration_over_a_named_type_was_lost() -> None:
    source = "enum Status : STATUS_TYPE {\n  Success = 0,\n  Failure,\n};\n"
    assert outline(facts_of("c", source)) == [
        "enum Status 1-4",
        "constant Status.Success 2-2",
        "constant Status.Failure 3-3",
    ]


def test_bug_a_star_before_a_parameter_was_lost_from_its_type() -> None:
    facts = facts_of("c", "int main(int argc, char **argv, struct point *p) { return 0; }\n")
    assert symbol(facts, "main").params == (
        Param("argc", "int"),
        Param("argv", "char**"),
        Param("p", "struct point*"),
    )


def test_bug_static_after_other_words_was_public() -> None:
    source = """\
inline static int one(void) { return 1; }
__attribute__((noreturn)) static void two(void) {}
const static int three = 3;
int is_static(void) { return 1; }
"""
    found = [s.visibility for s in facts_of("c", source).symbols[1:]]
    assert found == ["private", "private", "private", "public"]


def test_bug_types_lacked_their_stars() -> None:
    source = """\
char *name(void) { return 0; }
const char *const *names(void);
struct row *rows(int n) { return 0; }
static const char *label = "";
struct row { char *text, **list, sign; struct row *next; int (*call)(void); };
"""
    found = facts_of("c", source)
    assert {s.qualname: s.returns for s in found.symbols[1:] if s.returns} == {
        "name": "char*",
        "names": "char**",
        "rows": "struct row*",
        "label": "char*",
        "row.text": "char*",
        "row.list": "char**",
        "row.sign": "char",
        "row.next": "struct row*",
        "row.call": "int",
    }


def test_bug_a_declaration_was_lost_behind_the_format_of_its_arguments() -> None:
    source = """\
void printflike(1, 2) note(const char *, ...);
__dead void printflike(1, 2) stop(const char *, ...);
__printf(2, 3)
extern char *text(int a, const char *x, ...);
int after(void) { return most(1, 2) + f(3); }
"""
    assert outline(facts_of("c", source)) == [
        "function note 1-1",
        "function stop 2-2",
        "function text 4-4",
        "function after 5-5",
    ]
