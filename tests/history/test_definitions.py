"""Which lines of a change begin a definition."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_history import commit, git

from sonde.history.definitions import defined_by, is_aside
from sonde.history.log import read_log


@pytest.mark.parametrize(
    ("suffix", "line", "name"),
    [
        ("py", "    async def connect(self):", "connect"),
        ("py", "class Cart(Base):", "Cart"),
        ("rb", "  def self.total!", "total!"),
        ("rb", "module Shop::Cart", "Cart"),
        ("go", "func (c *Cart) Total() int {", "Total"),
        ("go", "type Cart struct {", "Cart"),
        ("rs", "    pub(crate) async fn total(&self) -> u64 {", "total"),
        ("kt", "    internal fun Cart.total(): Int {", "total"),
        ("js", "export const total = async (cart) => {", "total"),
        ("js", "exports.total = function (cart) {", "total"),
        ("ts", "  total<T>(cart: Cart<T>): number {", "total"),
        ("ts", "export default function total() {", "total"),
        ("java", "    public static <T> int total(List<T> cart,", "total"),
        ("cs", "    public async Task<int> TotalAsync(Cart cart)", "TotalAsync"),
        ("php", "    protected function total(): int", "total"),
        ("cpp", "int Cart::total() const {", "total"),
        ("cpp", "enum class Colour {", "Colour"),
        ("c", "static int cart_total(const cart_t *cart,\r", "cart_total"),
    ],
)
def test_definitions_are_told_by_their_first_line(suffix: str, line: str, name: str) -> None:
    assert defined_by(line, suffix) == name


@pytest.mark.parametrize(
    ("suffix", "line"),
    [
        ("py", "    total = add(prices)"),
        ("py", "    return total(cart)"),
        ("js", "  if (cart.total()) {"),
        ("js", "  cart.total();"),
        ("java", "        total(cart);"),
        ("java", "        } else if (empty(cart)) {"),
        ("c", "    cart_total(cart);"),
        ("c", "int cart_total(cart_t *cart);"),
        ("ts", "x" * 300 + "() {"),
    ],
)
def test_uses_and_declarations_begin_nothing(suffix: str, line: str) -> None:
    assert defined_by(line, suffix) == ""


def test_blanks_marks_comments_and_closings_tell_nothing_of_their_place() -> None:
    asides = ("", "  ", "@Override", "# why", "// why", " * why", "}", "  end", "    )")
    assert all(is_aside(line, "java") for line in asides)
    told = ("ending = 1", "*place = 1;", "--count;", "} else if (full) {", "/ 2")
    assert not any(is_aside(line, "c") for line in told)
    assert not is_aside("    @items = []", "rb")


def test_a_commit_that_adds_a_function_does_not_change_the_one_before_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    total = "def total(cart):\n    return sum(cart)\n"
    commit(tmp_path, "Start", cart__py=total)
    commit(tmp_path, "Add discounts", cart__py=total + "\n\ndef discount(cart):\n    return 0\n")
    renamed = total.replace("cart)", "items)")
    commit(tmp_path, "Take any items", cart__py=renamed + "\n\ndef discount(cart):\n    return 0\n")
    log = read_log(tmp_path, "HEAD", 0, 10, 20.0)
    assert [each.touched[0][1] for each in log.commits] == [("total",), ("discount",), ("total",)]
