"""Long issue texts: complaint before code, template and environment dropped."""

from __future__ import annotations

from sonde.model import Intent
from sonde.understand.issue_text import PartKind, separate
from sonde.understand.query import understand

ISSUE = """Cart total ignores discounts
<!-- Thank you for reporting! Please fill in the secretTemplate below. -->
- [x] I have searched existing issues

### Describe the bug

`Cart.total` does not apply discounts added by DiscountPolicy. See the message
"Discount was not applied to the order".

### Steps to reproduce

```python
from shop.cart import Cart, LineItem
import json

class MyPolicy(BasePolicy):
    pass

cart = Cart(policy=MyPolicy())
cart.apply_discount(10)
print(cart.total)
```

### Expected behavior

The discounted amount.

### Environment

- OS: Linux
- Python: 3.11

```
LibraryVersion_report 1.0
```

### Additional library versions

_No response_
"""


def test_parts_of_an_issue() -> None:
    kinds = [part.kind for part in separate(ISSUE)]
    assert kinds == [
        PartKind.TITLE,
        PartKind.COMPLAINT,
        PartKind.CODE,
        PartKind.EXPECTATION,
    ]


def test_template_and_environment_leave_no_trace() -> None:
    query = understand(ISSUE)
    names = query.exact + query.compounds
    assert "secretTemplate" not in names
    assert "LibraryVersion_report" not in names
    assert not {"linux", "response", "searched"} & set(query.components)


def test_headings_of_a_form_that_nobody_filled_in_say_nothing() -> None:
    form = (
        "Rounding of totals is wrong\n"
        "### Search before asking\n- [X] I searched and found nothing like it.\n"
        "### What happened\nThe total is a cent off.\n"
        "### Colour scheme\n_No response_\n"
        "### Warehouse\nN/A\n"
        "### Installation\nfrom a wheel\n"
        "### Currency\nOnly with yen."
    )
    words = set(understand(form).components)
    assert not {"search", "asking", "colour", "scheme", "warehouse", "wheel"} & words
    assert {"rounding", "cent", "currency", "yen"} <= words


def test_names_of_prose_come_before_imported_called_and_own_ones() -> None:
    query = understand(ISSUE)
    assert query.exact == ("Cart.total",)
    order = [query.compounds.index(n) for n in ("DiscountPolicy", "LineItem", "apply_discount")]
    assert order == sorted(order)
    assert query.compounds[-1] == "MyPolicy"  # the reporter's own class


def test_imports_point_to_modules() -> None:
    query = understand(ISSUE)
    assert "shop/cart" in query.paths
    assert not any("json" in path for path in query.paths)


def test_title_outweighs_complaint_and_complaint_outweighs_code() -> None:
    weights = dict(understand(ISSUE).weights)
    assert weights["discounts"] > weights["applied"] > weights["print"]


def test_quoted_message_is_worth_a_search() -> None:
    assert "Discount was not applied to the order" in understand(ISSUE).literals


def test_values_filled_into_a_message_are_cut_out() -> None:
    query = understand("It fails\nValueError: could not convert string to float: 'abc' at 0x3f\n")
    assert query.literals == ("could not convert string to float",)


def test_report_without_a_trace_is_a_bug() -> None:
    assert understand(ISSUE).intent is Intent.BUG_FIX


def test_feature_request_is_not_a_bug() -> None:
    text = (
        "Support gift cards\n**Describe the solution**\nIt would be nice to pay with gift cards.\n"
    )
    assert understand(text).intent is Intent.IMPLEMENTATION


def test_files_of_a_diff_are_paths() -> None:
    text = "Apply this\n```diff\n--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -1 +1 @@\n-a\n+b\n```\n"
    assert any(path.endswith("shop/cart.py") for path in understand(text).paths)


def test_error_line_as_title_still_counts_as_title() -> None:
    query = understand("ImportError: cannot import name 'Cart' from 'shop.old_cart'\nIt worked.\n")
    assert "Cart" in query.compounds
    assert "shop.old_cart" in query.exact


def test_unclosed_fence_ends_with_the_text() -> None:
    query = understand("Broken cart\n```\nload_cart(1)\n")
    assert "load_cart" in query.compounds
