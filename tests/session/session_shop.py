"""The shop as a workspace for sessions: an engine, a clock that can be set, ids that repeat."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.session.editor import Diagnosis, Editor
from sonde.session.session import Session, SessionOptions
from sonde.session.task import TaskSpec

SHOP = Path(__file__).resolve().parents[1] / "fixtures" / "shop"
TASK = "place_order must not reserve stock when the payment is declined"
CHECKOUT = "shop/orders/checkout.py"
EDITOR = Editor(
    CHECKOUT,
    (23, 25),
    open_files=("shop/orders/cart.py",),
    diagnostics=(Diagnosis(CHECKOUT, 27, "stock is reserved before the charge"),),
)
FAILED = """\
=================================== FAILURES ===================================
____________________ test_declined_card_puts_stock_back ____________________

    def test_declined_card_puts_stock_back(product, orders):
>       assert product.stock == before
E       assert 3 == 5

tests/test_checkout.py:34: AssertionError
=========================== short test summary info ============================
FAILED tests/test_checkout.py::test_declined_card_puts_stock_back - assert 3 == 5
============================== 1 failed in 0.05s ===============================
"""


@dataclass
class Clock:
    """A time that stands still until it is moved."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def copy_shop(place: Path) -> Path:
    """A shop of one's own."""
    return Path(shutil.copytree(SHOP, place, ignore=shutil.ignore_patterns("__pycache__")))


def engine_over(root: Path, cache: Path) -> Engine:
    """An engine whose index lives in the test's own cache."""
    return Engine(root, Settings(cache, DiscoverRules(excludes_file=None), workers=1))


def begun(
    engine: Engine,
    task: str | TaskSpec = TASK,
    editor: Editor = EDITOR,
    options: SessionOptions | None = None,
    id: str = "0123456789abcdef",
    clock: Clock | None = None,
    **more: object,
) -> Session:
    """A session that began; a failure fails the test."""
    session = Session.start(
        engine, task, editor, options, clock=clock or Clock(), new_id=lambda: id, **more
    )
    assert isinstance(session, Session), session
    return session
