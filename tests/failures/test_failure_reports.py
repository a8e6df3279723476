"""What a report tells besides its failures, and output that is not one tool's alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.failures import FailureKind, parse_output
from sonde.model import Frame

OUTPUTS = Path(__file__).parent / "outputs"


def _read(name: str) -> str:
    return (OUTPUTS / f"{name}.txt").read_bytes().decode()


@pytest.mark.parametrize(
    ("coloured", "plain"),
    [
        *((f"{tool}/ansi", f"{tool}/plain") for tool in ("jest", "vitest", "rspec", "phpunit")),
        *((f"{tool}/ansi", f"{tool}/plain") for tool in ("mypy", "pyright", "go-test")),
        *((f"{tool}/ansi", f"{tool}/plain") for tool in ("minitest", "googletest")),
        ("xctest/ansi", "xctest/linux"),
        ("node-test/ansi", "node-test/spec"),
        ("mocha/ansi", "mocha/spec"),
        ("junit/maven_ansi", "junit/maven"),
        ("junit/gradle_ansi", "junit/gradle_full"),
        ("javac/maven_ansi", "javac/maven"),
        ("tsc/ansi", "tsc/pretty"),
        ("eslint/ansi", "eslint/stylish"),
        ("ruff/ansi", "ruff/full"),
        ("ruff/ansi_concise", "ruff/concise"),
        ("rustc/ansi", "rustc/cargo"),
        ("dotnet/ansi", "dotnet/xunit"),
    ],
)
def test_colours_change_nothing(coloured: str, plain: str) -> None:
    assert "\x1b[" in _read(coloured)
    assert parse_output(_read(coloured)).failures == parse_output(_read(plain)).failures


def test_colours_whose_escape_a_log_lost_change_nothing() -> None:
    lost = _read("jest/ansi").replace("\x1b", "")
    assert parse_output(lost).failures == parse_output(_read("jest/plain")).failures


def test_several_tools_in_one_output_are_all_read_and_errors_come_before_warnings() -> None:
    text = "\n".join(
        _read(name) for name in ("gcc/plain", "pytest/short", "tsc/plain", "go-test/plain")
    )
    report = parse_output(text)
    assert report.tools == ("pytest", "go", "tsc", "gcc/clang")
    warnings = [failure.is_warning for failure in report.failures]
    assert warnings == sorted(warnings)
    assert sum(warnings) == 4
    assert len(report.failures) == 7 + 7 + 5 + 7


def test_a_run_without_failures_is_recognised_and_has_none() -> None:
    report = parse_output("...... [100%]\n6 passed in 0.10s\n")
    assert (report.tools, report.failures, report.cut) == (("pytest",), (), ())
    assert report.summary == "pytest: no failure found"


@pytest.mark.parametrize(
    ("run", "tool"),
    [
        ("minitest/passing", "minitest"),
        ("googletest/passing", "googletest"),
        ("xctest/passing", "xctest"),
        ("node-test/passing", "node:test"),
        ("node-test/passing_tap", "node:test"),
    ],
)
def test_a_passing_run_of_a_tool_is_recognised_as_that_of_no_other(run: str, tool: str) -> None:
    assert parse_output(_read(run)).summary == f"{tool}: no failure found"


@pytest.mark.parametrize("reporter", ["tap", "tap_20", "spec_20"])
def test_each_reporter_of_node_names_the_same_tests_lines_and_kinds(reporter: str) -> None:
    told, spec = (
        [(f.test.removeprefix("/home/dev/shop/"), f.line, f.kind) for f in report.failures]
        for report in (parse_output(_read(f"node-test/{name}")) for name in (reporter, "spec"))
    )
    assert told == spec


def test_groups_that_fail_because_of_their_tests_are_no_failures_of_their_own() -> None:
    report = parse_output(_read("node-test/spec").split("✖ failing tests:")[0])
    whole = parse_output(_read("node-test/spec"))
    assert [f.test for f in report.failures] == [f.test for f in whole.failures]


def test_a_test_of_two_programs_of_googletest_is_two_failures() -> None:
    run = (
        "[==========] Running 1 test from 1 test suite.\n[ RUN      ] A.B\na_test.cc:1: Failure\n"
        "Failed\n\n[  FAILED  ] A.B (0 ms)\n"
        "[==========] 1 test from 1 test suite ran. (0 ms total)\n"
        "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.B\n"
    )
    report = parse_output(run * 2)
    assert [failure.test for failure in report.failures] == ["A.B", "A.B"]
    assert report.cut == ()


def test_a_failing_test_of_swift_is_not_told_as_an_error_of_the_compiler() -> None:
    failing = "Tests/CartTests.swift:12: error: CartTests.testTotal : XCTAssertTrue failed - \n"
    broken = "Sources/Cart.swift:3:9: error: cannot find 'prise' in scope\n"
    report = parse_output(f"{broken}Test Case 'CartTests.testTotal' started at 1\n{failing}")
    told = [(each.tool, each.line) for each in report.failures]
    assert told == [("xctest", 12), ("gcc/clang", 3)]


def test_output_of_no_known_tool_gives_paths_lines_names_and_errors() -> None:
    report = parse_output(
        "deploy: step 3\n"
        "InventoryMismatch: 3 items missing while calling reserve_stock()\n"
        "  see src/shop/stock.py:41 and conf/limits.yaml\n"
    )
    assert report.tools == ()
    assert Frame("src/shop/stock.py", 41) in report.leads.frames
    assert {"src/shop/stock.py", "conf/limits.yaml"} <= set(report.leads.paths)
    assert "reserve_stock" in report.leads.names
    assert report.summary == "no known tool; named: 1 line(s) of code, 2 path(s)"


def test_what_the_closing_line_counts_and_the_output_lacks_is_said() -> None:
    text = "FAILED tests/test_a.py::test_one - assert 1 == 2\n=== 3 failed, 1 passed in 0.2s ===\n"
    report = parse_output(text)
    assert [failure.test for failure in report.failures] == ["tests/test_a.py::test_one"]
    assert report.cut == ("2 of 3 failures that pytest announces",)


def test_a_run_that_was_not_closed_is_said() -> None:
    report = parse_output("FAILED tests/test_a.py::test_one - assert 1 == 2\n")
    assert report.cut == ("the end: pytest did not close its run",)


def test_output_that_powershell_wrote_as_utf_16_is_read() -> None:
    text = _read("tsc/plain")
    assert parse_output(text.encode("utf-16")) == parse_output(text)


def test_the_marks_of_a_ci_before_an_error_are_not_part_of_it() -> None:
    report = parse_output("ok\n##[error]src/a.ts(3,7): error TS2322: Type 'x' is wrong.\n")
    assert [(failure.file, failure.line) for failure in report.failures] == [("src/a.ts", 3)]


def test_a_progress_line_counts_as_what_it_was_last_written_over_with() -> None:
    report = parse_output("compiling 10%\rcompiling 90%\ra.c:1:2: error: x\n")
    assert [(failure.file, failure.column) for failure in report.failures] == [("a.c", 2)]


def test_a_test_that_fails_in_two_packages_or_programs_is_two_failures() -> None:
    go = (
        "--- FAIL: TestA (0s)\nFAIL\nFAIL\tx/one\t1s\n--- FAIL: TestA (0s)\nFAIL\nFAIL\tx/two\t1s\n"
    )
    assert [failure.test for failure in parse_output(go).failures] == ["TestA", "TestA"]
    rust = "running 1 test\ntest a ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n"
    report = parse_output(rust * 2)
    assert [failure.test for failure in report.failures] == ["a", "a"]
    assert report.cut == ()


def test_a_diagnostic_that_a_build_tells_twice_is_one() -> None:
    line = "/app/Cart.cs(12,23): error CS0029: Cannot convert [/app/Shop.csproj]\n"
    (failure,) = parse_output(line + "Build FAILED.\n" + line + "    1 Error(s)\n").failures
    assert (failure.kind, failure.code) == (FailureKind.COMPILE, "CS0029")


def test_output_that_begins_with_its_first_failure_is_recognised() -> None:
    report = parse_output("FAIL: test_a (tests.test_b.C.test_a)\n" + "-" * 70 + "\nOSError: x\n")
    assert [failure.test for failure in report.failures] == ["tests.test_b.C.test_a"]


def test_the_closing_line_of_tsc_is_not_taken_for_that_of_mypy_or_ruff() -> None:
    line = "src/a.ts(3,7): error TS2322: Type 'x' is wrong.\n"
    noise = "tools/a.py:1: see also: error: \n"
    report = parse_output(line + noise + "Found 1 error in 2 files.\n\nFound 1 error. Watching\n")
    assert (report.tools, report.cut) == (("tsc",), ())


def test_bug_a_blank_line_in_the_message_of_a_java_test_cost_its_values_and_trace() -> None:
    """AssertJ begins its messages with one, as Surefire prints them."""
    head = (
        "[ERROR] Tests run: 2, Failures: 2, Errors: 0, Skipped: 0 <<< FAILURE! -- in a.CartTest\n"
    )
    failed = (
        "[ERROR] a.CartTest.{0} -- Time elapsed: 0.01 s <<< FAILURE!\n"
        'org.opentest4j.AssertionFailedError: \n\nexpected: "{0}"\n but was: "two"\n'
        "\tat a.CartTest.{0}(CartTest.java:{1})\n\tat a.Cart.sum(Cart.java:9)\n\n"
    )
    output = f"{head}{failed.format('one', 7)}{failed.format('adds', 8)}[INFO] Results:\n"
    report = parse_output(output)
    assert [(each.test, each.line, each.expected, each.actual) for each in report.failures] == [
        ("a.CartTest.one", 7, '"one"', '"two"'),
        ("a.CartTest.adds", 8, '"adds"', '"two"'),
    ]
    assert Frame("a/Cart.java", 9, "Cart.sum") in report.failures[0].frames
