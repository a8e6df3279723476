"""Stack traces and tool output of each language become frames, innermost project frame first."""

from __future__ import annotations

import pytest

from sonde.model import Intent
from sonde.understand.query import understand

PYTHON = """Traceback (most recent call last):
  File "/usr/lib/python3.11/runpy.py", line 194, in _run_code
    exec(code)
  File "/home/me/shop/app/main.py", line 12, in main
    load()
  File "/home/me/shop/app/cart.py", line 30, in load
    parse(x)
  File "/home/me/.venv/lib/python3.11/site-packages/rows/read.py", line 3, in parse
    raise BadRow(x)
rows.errors.BadRow: the row has no columns
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: cart is closed
	at com.acme.shop.Cart.add(Cart.java:42)
	at com.acme.shop.Cart$Line.lambda$total$0(Cart.java:50)
	at java.base/java.lang.Thread.run(Thread.java:829)
Caused by: java.lang.NullPointerException: price is null
	at com.acme.Price.parse(Price.java:7)
	... 3 more
"""
NODE = """TypeError: Cannot read properties of undefined (reading 'total')
    at Cart.total (/srv/shop/src/cart.ts:10:5)
    at async checkout (webpack:///./src/checkout.js:3:1)
    at Object.<anonymous> (/srv/shop/node_modules/jest/run.js:1:2)
    at node:internal/process/task_queues:95:5
"""
GO = """panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
runtime.gopanic(0x1)
	/usr/local/go/src/runtime/panic.go:884 +0x212
main.(*Cart).Total(0xc000, 0x1)
	/home/me/shop/cart.go:21 +0x1d
main.main()
	/home/me/shop/main.go:8 +0x20
"""
RUST = """thread 'main' panicked at 'price is missing', src/cart.rs:4:10
stack backtrace:
   0: rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:584:5
   2: shop::cart::Cart<T>::total
             at ./src/total.rs:42:9
"""
RUBY = """app/cart.rb:12:in `total': undefined method `sum' for nil:NilClass (NoMethodError)
	from app/shop.rb:5:in `block in checkout'
	from /usr/lib/ruby/3.0.0/set.rb:1:in `each'
"""
CSHARP = """Unhandled exception. System.InvalidOperationException: Sequence contains no elements
   at System.Linq.ThrowHelper.ThrowNoElementsException()
   at Acme.Shop.Cart.Total(Int32 x) in C:\\src\\Shop\\Cart.cs:line 44
"""
PHP = """PHP Fatal error:  Uncaught InvalidArgumentException: Bad price given in /srv/Price.php:33
Stack trace:
#0 /srv/src/Cart.php(12): Acme\\Price->parse('x')
#1 {main}
"""
GDB = """Program received signal SIGSEGV, Segmentation fault.
#0  0x0000555 in cart_total (c=0x0) at src/cart.c:12
#1  0x0000556 in main () at main.c:4
"""
ASAN = """==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60
    #0 0x4e1 in shop::Cart::total(int) /src/cart.cc:12:3
    #1 0x4e2 in main /src/main.cc:3
"""
FIREFOX = "total@http://localhost/static/cart.js:3:4\n"
IPYTHON = """~/env/lib/python3.7/site-packages/rows/read.py in parse(line)
    624         try:
--> 625             return table[line]
    626         except KeyError:

KeyError: 'x'
"""
PYTEST = "tests/test_cart.py:12: AssertionError\n"
PYTEST_LONG = """tests/test_cart.py:12:\x20
_ _ _ _ _ _ _ _ _ _
    def total(self):
>       raise ValueError("no price")
E       ValueError: no price

shop/cart.py:30: ValueError
"""
VITEST = """Error: no price
 ❯ Cart.total src/cart.ts:10:5
 ❯ test/cart.test.ts:3:8
"""
RSPEC = "     # ./spec/cart_spec.rb:9:in `block (3 levels) in <top (required)>'\n"


@pytest.mark.parametrize(
    ("text", "file", "line", "function"),
    [
        (PYTHON, "/home/me/shop/app/cart.py", 30, "load"),
        (JAVA, "com/acme/Price.java", 7, "Price.parse"),
        (NODE, "/srv/shop/src/cart.ts", 10, "Cart.total"),
        (GO, "/home/me/shop/cart.go", 21, "Cart.Total"),
        (RUST, "src/cart.rs", 4, ""),
        (RUBY, "app/cart.rb", 12, "total"),
        (CSHARP, "/src/Shop/Cart.cs", 44, "Cart.Total"),
        (PHP, "/srv/Price.php", 33, ""),
        (GDB, "src/cart.c", 12, "cart_total"),
        (ASAN, "/src/cart.cc", 12, "Cart.total"),
        (FIREFOX, "static/cart.js", 3, "total"),
        (IPYTHON, "rows/read.py", 625, "parse"),
        (PYTEST, "tests/test_cart.py", 12, ""),
        (PYTEST_LONG, "shop/cart.py", 30, ""),
        (VITEST, "src/cart.ts", 10, "Cart.total"),
        (RSPEC, "spec/cart_spec.rb", 9, ""),
    ],
)
def test_innermost_project_frame_comes_first(
    text: str, file: str, line: int, function: str
) -> None:
    query = understand("it breaks\n" + text)
    first = query.frames[0]
    assert (first.file, first.line, first.function) == (file, line, function)
    assert (query.intent, query.confidence) == (Intent.BUG_FIX, 0.9)


def test_installed_packages_and_runtime_come_last() -> None:
    files = [frame.file for frame in understand(PYTHON).frames]
    assert files[-2:] == ["rows/read.py", "/usr/lib/python3.11/runpy.py"]


def test_functions_of_backtraces_lose_generics_and_crate() -> None:
    assert "Cart.total" in [frame.function for frame in understand(RUST).frames]


def test_lambda_belongs_to_its_method() -> None:
    assert "Cart.Line.total" in [frame.function for frame in understand(JAVA).frames]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (PYTHON, "BadRow", "the row has no columns"),
        (JAVA, "NullPointerException", "cart is closed"),
        (NODE, "TypeError", "Cannot read properties of undefined"),
        (RUBY, "NoMethodError", "undefined method"),
        (CSHARP, "InvalidOperationException", "Sequence contains no elements"),
        (PHP, "InvalidArgumentException", "Bad price given"),
    ],
)
def test_error_types_and_messages(text: str, error: str, message: str) -> None:
    query = understand(text)
    assert error in query.errors
    assert any(message in literal for literal in query.literals)


@pytest.mark.parametrize(
    ("text", "file", "line"),
    [
        ("src/cart.ts(12,5): error TS2345: Argument is not assignable", "src/cart.ts", 12),
        ("src/cart.cpp:3:5: error: no member named 'total' in 'Cart'", "src/cart.cpp", 3),
        ("error[E0308]: mismatched types\n  --> src/cart.rs:3:5", "src/cart.rs", 3),
        ("lib/cart.js:9:1  error  'x' is not defined  no-undef", "lib/cart.js", 9),
        ("FAILED tests/test_cart.py::TestCart::test_total - ValueError", "tests/test_cart.py", 0),
    ],
)
def test_tool_output_points_to_lines(text: str, file: str, line: int) -> None:
    assert (file, line) in [(frame.file, frame.line) for frame in understand(text).frames]


def test_bug_kotlin_names_with_a_dash_lost_their_function() -> None:
    text = "java.lang.Error: x\n\tat com.acme.-Utf8Reader.read-impl(-Utf8Reader.kt:148)\n"
    (frame,) = understand(text).frames
    assert (frame.file, frame.line, frame.function) == (
        "com/acme/-Utf8Reader.kt",
        148,
        "-Utf8Reader.read-impl",
    )
