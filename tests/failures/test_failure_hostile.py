"""Output that is cut, damaged, huge, binary or made to be slow to read."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from sonde.failures import Failure, FailureReport, parse_output
from sonde.failures.raw_output import KEPT_HEAD, KEPT_TAIL, MAX_LINE
from sonde.failures.report import MAX_FAILURES, MAX_MESSAGE, MAX_VALUE
from sonde.failures.tool import MAX_DETAILED

OUTPUTS = Path(__file__).parent / "outputs"
ALL = sorted(path for path in OUTPUTS.glob("*/*.txt") if not path.stem.endswith(".expected"))
RUNS = [path.read_bytes() for path in ALL]


def _timed(output: str | bytes) -> tuple[float, FailureReport]:
    start = time.process_time()
    report = parse_output(output)
    return time.process_time() - start, report


def _check(report: FailureReport) -> None:
    """What holds of every report, whatever it was read from."""
    assert "\n" not in report.summary
    assert report.summary
    assert len(report.failures) <= MAX_FAILURES
    for failure in report.failures:
        assert failure.tool in report.tools
        assert failure.test or failure.file or failure.message
        assert len(failure.message) <= MAX_MESSAGE
        assert len(failure.expected) <= MAX_VALUE >= len(failure.actual)
        assert failure.line >= 0 <= failure.column


def _names(report: FailureReport) -> set[str]:
    return {failure.test for failure in report.failures}


def test_any_cut_is_read_and_names_no_test_that_the_whole_does_not() -> None:
    chance = random.Random(7)
    for path, raw in zip(ALL, RUNS, strict=True):
        whole = " ".join(_names(parse_output(raw)))
        for _ in range(12):
            start, end = sorted(chance.randrange(len(raw) + 1) for _ in range(2))
            start, end = raw.rfind(b"\n", 0, start) + 1, raw.rfind(b"\n", 0, end) + 1
            report = parse_output(raw[start:end])
            _check(report)
            # What a cut leaves may lack the test's file or suite, but not its own name.
            own = {re.split(r"::|[.$](?=\w)", name)[-1] for name in _names(report)}
            assert [name for name in own if name not in whole] == [], path


def test_damaged_bytes_never_raise_and_give_the_same_report_twice() -> None:
    chance = random.Random(11)
    for raw in RUNS:
        for _ in range(3):
            damaged = bytearray(raw)
            for _ in range(chance.randrange(1, 40)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            report = parse_output(bytes(damaged))
            _check(report)
            assert parse_output(bytes(damaged)) == report


def test_outputs_mixed_line_by_line_never_raise() -> None:
    chance = random.Random(13)
    lines = [line for raw in RUNS for line in raw.split(b"\n")]
    for _ in range(40):
        _check(parse_output(b"\n".join(chance.sample(lines, 300))))


@pytest.mark.parametrize("output", ["", "\n", "\r", "\x1b[", "\x1b]8;;", "=" * 9, "E", b"\xff\xfe"])
def test_next_to_nothing_is_no_failure(output: str | bytes) -> None:
    report = parse_output(output)
    _check(report)
    assert report.failures == ()


PIECES = (
    *("a", "_", "=", "-", ":", ".", "(", "[", "/", "1", "::", "a.", "a:1:", "a/b.py:1: ", "$", "{"),
    *("'", '"', "\\", " ", "\t", "\r", "● ", " › ", " × ", " ❯ ", "E   ", " --> ", ") "),
    *("✖ ", "▶ ", "ok 1 - ", "[ RUN      ] ", "Test Case '", ": error: a : "),
    *("at a.b(c.java:1) ", "expected got ", "\x1b[", "\x1b[31m", "\x1b]8;;"),
)


@pytest.mark.parametrize("piece", PIECES)
def test_a_megabyte_on_one_line_or_of_one_line_is_read_in_linear_time(piece: str) -> None:
    one_line = (piece * (1_000_000 // len(piece) + 1))[:1_000_000]
    taken, report = _timed(one_line)
    _check(report)
    assert taken < 1.0
    taken, report = _timed(((piece * 60)[:60] + "\n") * 16_000)
    _check(report)
    assert taken < 1.0


HEADS = (
    "_____ test_{} _____\nE   x",
    "FAIL: test_{} (a.b)",
    "--- FAIL: Test{} (0.0s)",
    "---- a{} stdout ----",
    "  ● a › {}",
    "FAILED a.py::t{} - x",
    "  Failed A.B{} [1 ms]",
    "[ERROR] a{}(b.C) Time elapsed: 1 s <<< FAILURE!",
    "error: x\n --> a{}.rs:1:1",
    "a{}.py:1: error: got a, got a, got a",
    "  1) Failure:\nA#test_{} [a.rb:1]:\nx",
    "A#test_{} = 0.00 s = F",
    "[ RUN      ] A.b{}\na.cc:1: Failure\n[  FAILED  ] A.b{}",
    "Test Case 'A.b{}' failed (0 seconds)",
    "a.swift:1: error: A.b{} : XCTAssertTrue failed - \nTest Case 'A.x' started",
    "test at a.js:1:1\n✖ a{} (1.5ms)",
    "not ok 1 - a{}\n  ---\n  failureType: 'testCodeFailure'\n  error: 'x'\n  ...",
)


@pytest.mark.parametrize("head", HEADS)
def test_a_megabyte_of_nothing_but_failures_is_read_within_a_second(head: str) -> None:
    lines = [head.replace("{}", str(number)) for number in range(1_000_000 // (len(head) + 4))]
    taken, report = _timed("\n".join(lines))
    _check(report)
    assert len(report.failures) >= MAX_FAILURES - 1
    assert taken < 1.0


def test_a_hundred_megabytes_are_cut_within_a_second_and_both_ends_are_read() -> None:
    first = b"a.py:1: error: first  [misc]\n"
    last = b"b.py:2: error: last  [misc]\nFound 2 errors in 2 files (checked 9 source files)\n"
    filling = b"compiling something or other\n" * 3_500_000
    taken, report = _timed(first + filling + last)
    assert taken < 1.0
    assert [failure.message for failure in report.failures] == ["first", "last"]
    left_out = (len(first + filling + last) - KEPT_HEAD - KEPT_TAIL) / 1e6
    assert report.cut == (f"{left_out:.1f} MB in the middle",)


def test_binary_noise_is_refused_within_a_second() -> None:
    taken, report = _timed(random.Random(3).randbytes(50_000_000))
    assert taken < 1.0
    assert report.failures == ()
    assert report.summary.startswith("refused: not text")


def test_a_long_line_is_cut_and_said_so() -> None:
    report = parse_output("a.py:1: error: " + "x" * 10_000 + "\nb.py:1: error: y  [misc]\n")
    assert [failure.file for failure in report.failures] == ["a.py", "b.py"]
    assert f"the rest of 1 line longer than {MAX_LINE} characters" in report.cut


def test_of_very_many_failures_all_are_named_and_the_first_are_told() -> None:
    block = "_____ test_{0} _____\n\nE   ValueError: bad {0}\n\ntests/test_a.py:{1}: ValueError\n"
    blocks = "".join(block.format(number, number + 1) for number in range(300))
    summary = "".join(f"FAILED tests/test_a.py::test_{number}\n" for number in range(300))
    text = (
        f"= FAILURES =\n{blocks}=== short test summary info ===\n{summary}=== 300 failed in 1s ==="
    )
    report = parse_output(text)
    assert len(report.failures) == 300
    assert [f.line for f in report.failures[: MAX_DETAILED + 1]] == [*range(1, 101), 0]
    assert report.cut == (f"messages and traces of pytest beyond the first {MAX_DETAILED}",)


def test_a_megabyte_of_a_passing_run_with_failures_costs_little() -> None:
    passed = [f"tests/test_m{n % 97}.py::test_number_{n} PASSED      [ 50%]" for n in range(17_000)]
    failed = (OUTPUTS / "pytest" / "verbose.txt").read_text("utf-8")
    taken, report = min(
        (_timed("\n".join([*passed, failed])) for _ in range(3)), key=lambda x: x[0]
    )
    assert len(report.failures) == 8
    assert taken < 0.3  # some 0.05 on an idle core


def test_numbers_too_large_to_be_lines_are_not_read_as_such() -> None:
    report = parse_output(f"a.c:{'9' * 400}:1: error: x\na.c:1:1: error: y\n")
    assert [failure.message for failure in report.failures] == ["y"]


def test_a_report_is_a_value() -> None:
    report = parse_output(RUNS[0])
    assert hash(report) == hash(parse_output(RUNS[0]))
    assert all(isinstance(failure, Failure) for failure in report.failures)


def test_a_trace_of_a_megabyte_is_read_in_linear_time() -> None:
    trace = "    def f(a):\nx.py:1: E\n" * 40_000
    output = f"==== FAILURES ====\n____ test_x ____\n\n{trace}E   boom\n==== 1 failed in 1s ====\n"
    seconds, report = _timed(output)
    assert seconds < 2.0
    assert report.failures[0].message == "boom"


def test_nested_brackets_between_events_of_go_never_raise() -> None:
    report = parse_output('{"Action":"output","Output":"x"}\n{"a":' + "[" * 1_900 + "\n")
    assert report.failures == ()
