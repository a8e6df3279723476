"""Whatever the text, understanding it is quick, bounded, repeatable and never raises."""

from __future__ import annotations

import random
import time

import pytest

from sonde.understand.query import understand

MEGABYTE = 1_000_000
_random = random.Random(7)
HUGE = {
    "letters": "a" * MEGABYTE,
    "newlines": "\n" * MEGABYTE,
    "spaces": " " * MEGABYTE,
    "nul": "\0" * MEGABYTE,
    "lone surrogates": "\ud800" * MEGABYTE,
    "backticks": "`a" * (MEGABYTE // 2),
    "dots": "a." * (MEGABYTE // 2),
    "slashes": "a/" * (MEGABYTE // 2),
    "links": "[a](" * (MEGABYTE // 4),
    "comments": "<!--" * (MEGABYTE // 4),
    "fences": "```\n" * (MEGABYTE // 4),
    "requires": "require " * (MEGABYTE // 8),
    "frames": '  File "/a/b.py", line 3, in f\n' * (MEGABYTE // 31),
    "at": "\nat x (" * (MEGABYTE // 7),
    "prose": "the parser fails when reading nested lists " * (MEGABYTE // 43),
    "chinese": "解析器失败" * (MEGABYTE // 5),
    "bytes": _random.randbytes(MEGABYTE).decode("latin-1"),
}


@pytest.mark.parametrize("name", HUGE)
def test_a_megabyte_takes_a_bounded_time(name: str) -> None:
    started = time.process_time()
    query = understand(HUGE[name])
    # 200 ms on a quiet machine; twice that tells a quadratic pattern from a busy neighbour.
    assert time.process_time() - started < 0.4
    assert max(len(query.exact), len(query.compounds), len(query.components)) <= 80
    assert len(query.frames) <= 80
    assert len(query.literals) <= 8


def test_an_ordinary_task_takes_about_a_millisecond() -> None:
    text = "fix the crash in DatabaseClient.connect when the URL is empty and the pool is full"
    understand(text)
    started = time.process_time()
    for _ in range(50):
        understand(text)
    assert (time.process_time() - started) / 50 < 0.003


def test_trace_and_names_deep_inside_a_huge_text_are_found() -> None:
    filler = "nothing to see here at all\n" * 10_000
    trace = '  File "/srv/shop/cart.py", line 30, in load_cart\n'
    query = understand(f"it breaks\n{filler}{trace}{filler}ValueError: the cart has no owner\n")
    assert query.frames[0].function == "load_cart"
    assert "ValueError" in query.errors


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\n",
        "the of and",
        "`",
        "```",
        "[",
        "\\",
        "/fix",
        "/",
        "?",
        "*.(+[",
        '"',
        "\x1b[31m",
        "𝔘𝔫𝔦",
        "‮",
    ],
)
def test_odd_texts_never_raise(text: str) -> None:
    assert understand(text).text == text


def test_random_texts_never_raise() -> None:
    alphabet = "aA_.:/\\`'\"()[]{}<>#@-+=* \n\t0é解\0"
    for _ in range(300):
        understand("".join(_random.choices(alphabet, k=_random.randrange(200))))


def test_empty_text_has_no_confidence() -> None:
    assert understand("   ").confidence == 0.0


def test_same_text_same_query() -> None:
    text = "Trace how `Cart.total` uses DiscountPolicy, see src/cart.py:12 and ValueError: no cart"
    assert understand(text) == understand(text)


def test_escape_codes_of_terminals_do_not_hide_names() -> None:
    assert "load_cart" in understand("\x1b[31mload_cart\x1b[0m failed").compounds
