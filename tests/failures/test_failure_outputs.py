"""Outputs of real runs, each beside the report that it must give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rendering import render

from sonde.failures import FailureReport, parse_output

OUTPUTS = Path(__file__).parent / "outputs"
ALL = sorted(path for path in OUTPUTS.glob("*/*.txt") if not path.stem.endswith(".expected"))
COMPLETE = [path for path in ALL if not path.stem.endswith("_missing")]

_PYTEST = """
    tests/test_cart.py::test_total
    tests/test_cart.py::TestCheckout::test_declined
    tests/test_cart.py::TestCheckout::test_paid[1]
    tests/test_cart.py::TestCheckout::test_paid[7]
    tests/test_cart.py::TestCheckout::test_paid[a - b]
    tests/test_cart.py::TestCheckout::test_fixture
    tests/test_cart.py::test_text
"""
_CART = "com.example.CartTest."
# What fails in the programs that were run, written down from their sources.
FAILING = {
    "pytest": _PYTEST,
    "pytest/long": _PYTEST + "tests/test_broken.py",
    "pytest/verbose": _PYTEST + "tests/test_broken.py",
    "pytest/collection": "tests/test_broken.py",
    "unittest": """
        tests.test_unit.BadSetup.setUpClass
        tests.test_unit.CartTest.test_declined
        tests.test_unit.CartTest.test_prices (price=1)
        tests.test_unit.CartTest.test_total
    """,
    "jest": """
        Cart › total › adds the prices
        Cart › total › of one item at 1
        Cart › total › of one item at 7
        Cart › rejects negative prices
        text
        test/broken.test.js
    """,
    "vitest": """
        test/broken.test.ts
        test/cart.test.ts > Cart > total > adds the prices
        test/cart.test.ts > Cart > total > of one item at 1
        test/cart.test.ts > Cart > total > of one item at 7
        test/cart.test.ts > Cart > rejects negative prices
        test/cart.test.ts > text
    """,
    "mocha": """
        stands alone
        times out
        Cart rejects negative prices
        Cart total adds the prices
        Cart total tells all
        with a hook "before each" hook: opens the shop for "sells"
    """,
    "go-test": "TestAdd TestTable TestTable/zero TestTable/with_space TestCheck TestPick",
    "cargo-test": """
        tests::adds
        tests::panics
        tests::reads_a_price
        tests::returns_an_error
        sells
        src/lib.rs - add (line 5)
    """,
    "cargo-test/backtrace": """
        tests::adds
        tests::panics
        tests::reads_a_price
        tests::returns_an_error
    """,
    "junit": f"{_CART}addsThePrices {_CART}helper {_CART}rejectsNegativePrices {_CART}text",
    "junit/maven_jupiter": f"{_CART}addsThePrices{{int}}[1] {_CART}addsThePrices{{int}}[2] "
    f"{_CART}isRejected",
    "rspec": """
        Cart rejects negative prices
        Cart#total adds the prices
        Cart#total is 1 for one item
        Cart#total is 7 for one item
    """,
    "rspec/load": "spec/broken_spec.rb",
    "phpunit": r"""
        Shop\Tests\CartTest::testNegative
        Shop\Tests\CartTest::testTotal
        Shop\Tests\CartTest::testPaid with data set "one" (1)
        Shop\Tests\CartTest::testPaid with data set #0 (7)
        Shop\Tests\CartTest::testText
    """,
    "phpunit/testdox": """
        Total
        Paid with data set "one"
        Paid with data set #0
        Negative
        Text
    """,
}
_SAME = [
    f"tests/{folder}/test_same.py::{test}"
    for folder in "ab"
    for test in (
        *("test_same", "TestOuter::TestInner::test_deep", "test_ids[a.b]", "test_ids[x::y]"),
        *(r"test_ids[tab\there]", r"test_ids[\xfcn\xef]", "test_unexpected", "test_raises"),
        *("test_timeout_like", "test_approx"),
        *("test_teardown", "test_teardown"),  # it fails, and so does its teardown
    )
]
FAILING["pytest/line_teardown"] = "\n".join(_SAME)
FAILING["pytest/same_names"] = "\n".join([*_SAME, "tests/test_doc.py::tests.test_doc.add"])
FAILING["go-test/parallel"] = (
    "TestParallelA TestParallelB TestAdd TestTable TestTable/zero TestTable/with_space TestCheck"
)
FAILING["go-test/timeout"] = "TestDeadlock"
FAILING["rspec/aggregate"] = """
    aggregate two failures
    aggregate is expected to be truthy
    aggregate shared is positive
"""
FAILING["jest/hooks"] = (
    FAILING["jest"]
    + """
    matches
    called
    throws
    times out
    hooks › never
"""
)
FAILING["vitest/hooks"] = (
    FAILING["vitest"]
    + """
    test/more.test.ts > shared
    test/more.test.ts > called
    test/more.test.ts > strings
"""
)
_NET = "Shop.Tests.CartTests."
FAILING["dotnet"] = f"""
    {_NET}AddsThePrices
    {_NET}OfOneItem(price: 1)
    {_NET}RejectsNegativePrices
"""
FAILING["dotnet/nunit"] = FAILING["dotnet/platform"] = "AddsThePrices RejectsNegativePrices"
FAILING["dotnet/terminal"] = f"{_NET}AddsThePrices {_NET}RejectsNegativePrices"
FAILING["unittest/verbose"] = FAILING["unittest"] + "unittest.loader._FailedTest.test_broken"
FAILING["minitest"] = """
    Cart#test_0001_raises
    Cart::when empty#test_0001_costs nothing
    CartTest#test_text
    CartTest#test_total
    CartTest#test_message
    CartTest#test_kept
    CartTest#test_negative
    ClosedShopTest#test_sells
"""
FAILING["minitest/rails"] = (
    "BasketTest#test_total_counts_every_price CheckoutControllerTest#test_pays"
)
FAILING["googletest"] = """
    CartTest.AddsThePrices
    CartTest.RejectsNegativePrices
    CartTest.Text
    CartTest.Lines
    CartTest.Near
    CartTest.Less
    CartTest.Traced
    OpenShop.Sells
    Typed/1.IsSmall
    One/Prices.AreTheirOwnTotal/0
    One/Prices.AreTheirOwnTotal/1
"""
FAILING["googletest/one"] = "CartTest.Less"
FAILING["googletest/suite"] = "ClosedSuite"
FAILING["googletest/msvc"] = "BasketTest.Totals BasketTest.Opens"
_SWIFT = ["CartTests.testLines", "CartTests.testNegative", "CartTests.testTotal"]
_SWIFT.append("ClosedShopTests.testSells")
FAILING["xctest"] = " ".join(_SWIFT)
FAILING["xctest/apple"] = FAILING["xctest/xcodebuild"] = " ".join(f"ShopTests.{t}" for t in _SWIFT)
FAILING["xctest/restarted"] = "ShopTests.CartTests.testTotal ShopTests.CartTests.testIndex"
FAILING["node-test"] = """
    test/broken.test.js
    Cart total adds the prices
    Cart rejects negative prices
    Cart keeps # what \\ is added
    with a hook sells
    stands alone with a part
    times out
"""
FAILING["node-test/spec_20"] = FAILING["node-test/tap_20"] = FAILING["node-test"].replace(
    "test/broken", "/home/dev/shop/test/broken"
)
FAILING["node-test/modules"] = "prices are objects\nmod/syntax.test.mjs"
_PASSING = ("minitest/passing", "googletest/passing", "xctest/passing", "node-test/passing")
FAILING |= dict.fromkeys((*_PASSING, "node-test/passing_tap"), "")
FAILING["jest/verbose"] = FAILING["jest"].replace("test/broken.test.js", "")
SILENT = {"junit/gradle", "go-test/build", "dotnet/build"}  # name no test


def _name(path: Path) -> str:
    return path.relative_to(OUTPUTS).with_suffix("").as_posix()


def _failing(path: Path) -> list[str]:
    names = FAILING.get(_name(path), FAILING[path.parent.name])
    separator = "\n" if "\n" in names else " "
    return [name.strip() for name in names.split(separator) if name.strip()]


def _told(report: FailureReport) -> list[tuple[object, ...]]:
    return [
        (each.tool, each.kind, each.test, each.file, each.line, each.code, each.frames)
        for each in report.failures
    ]


@pytest.mark.parametrize("path", ALL, ids=_name)
def test_each_output_gives_the_report_that_stands_beside_it(path: Path) -> None:
    expected = path.with_suffix(".expected.txt").read_text("utf-8")
    assert render(parse_output(path.read_bytes())) == expected


RUNNERS = [path for path in COMPLETE if path.parent.name in FAILING and _name(path) not in SILENT]


@pytest.mark.parametrize("path", RUNNERS, ids=_name)
def test_complete_output_names_every_failing_test_and_no_other(path: Path) -> None:
    report = parse_output(path.read_bytes())
    named = [failure.test for failure in report.failures if failure.test]
    assert sorted(named) == sorted(_failing(path))
    assert report.cut == ()


@pytest.mark.parametrize("path", ALL, ids=_name)
def test_windows_line_ends_change_nothing(path: Path) -> None:
    raw = path.read_bytes()
    crlf = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert _told(parse_output(crlf)) == _told(parse_output(raw))


PREFIXES = (
    "2024-05-06T07:08:09.1234567Z ",
    "test\tRun tests\t2024-05-06T07:08:09.1Z ",
    "app-1  | ",
)


# A line that is written over has no prefix of its own.
PREFIXED = [path for path in COMPLETE if b"\r" not in path.read_bytes()]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("path", PREFIXED, ids=_name)
def test_what_a_ci_writes_before_each_line_changes_nothing(path: Path, prefix: str) -> None:
    text = path.read_bytes().decode()
    prefixed = re.sub(r"^", prefix, text, flags=re.M)
    assert _told(parse_output(prefixed)) == _told(parse_output(text))


# Every tool that is said to be read, and the folder with its outputs.
TOOLS = {
    **{
        name: name for name in ("pytest", "unittest", "jest", "vitest", "mocha", "rspec", "phpunit")
    },
    **{name: name for name in ("tsc", "mypy", "pyright", "eslint", "ruff", "gcc", "clang")},
    "minitest": "minitest",
    "GoogleTest": "googletest",
    "XCTest": "xctest",
    "node:test": "node-test",
    "go test": "go-test",
    "cargo test": "cargo-test",
    "dotnet test": "dotnet",
    "JUnit by Maven and Gradle": "junit",
    "rustc": "rustc",
    "javac": "javac",
}


def test_every_folder_of_outputs_belongs_to_a_tool() -> None:
    assert {path.name for path in OUTPUTS.iterdir() if path.is_dir()} == set(TOOLS.values())


@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_has_plain_coloured_and_truncated_output(tool: str) -> None:
    outputs = {path.stem: path for path in ALL if path.parent.name == TOOLS[tool]}
    assert len(outputs) >= 3
    assert any(b"\x1b[" in path.read_bytes() for path in outputs.values())
    assert any(b"\x1b[" not in path.read_bytes() for path in outputs.values())
    assert {"start_missing", "end_missing"} <= outputs.keys()


@pytest.mark.parametrize("builder", ["maven", "gradle"])
def test_junit_has_outputs_of_both_builders(builder: str) -> None:
    outputs = [path for path in ALL if path.parent.name == "junit" and builder in path.stem]
    assert len(outputs) >= 3
    (coloured,) = [path for path in outputs if path.stem.endswith("_ansi")]
    assert coloured.read_bytes().count(b"\x1b[") > 20


def test_bug_tests_of_a_kotlin_project_for_several_platforms_were_not_read() -> None:
    output = (
        "> Task :cart:jvmTest FAILED\n\nCartTest[jvm] > total()[jvm] FAILED\n"
        "    kotlin.AssertionError: Expected <1>, actual <2>.\n"
        "        at shop.CartTest.total(CartTest.kt:11)\n\n3 tests completed, 1 failed\n"
    )
    (failure,) = parse_output(output).failures
    assert (failure.test, failure.line) == ("CartTest.total()", 11)
