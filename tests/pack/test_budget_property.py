"""The budget is hard and the bytes are stable, for any input, budget, format and tokenizer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pack_requests import random_request
from rs_bpe.bpe import openai

from sonde.model import Fidelity, Pack
from sonde.pack.assemble import assemble
from sonde.pack.errors import BudgetTooSmall
from sonde.pack.render import FORMATS, render

BUDGETS = (300, 1000, 8000, 50_000)


def independent_count(text: str, tokenizer: str) -> int:
    """Tokens counted by another way than the product's: by encoding, or by plain division."""
    if tokenizer == "chars4":
        return (len(text) + 3) // 4
    base = openai.o200k_base() if tokenizer == "o200k" else openai.cl100k_base()
    return len(base.encode(text))


@pytest.mark.parametrize("format_name", list(FORMATS))
@pytest.mark.parametrize("budget", BUDGETS)
def test_rendered_text_is_within_budget_and_the_same_when_repeated(
    budget: int, format_name: str
) -> None:
    answered = 0
    for seed in range(25):
        tokenizer = ("o200k", "cl100k", "chars4")[seed % 3]
        changes = {"budget": budget, "format": format_name, "tokenizer": tokenizer}
        pack = assemble(random_request(seed, **changes))
        if isinstance(pack, BudgetTooSmall):
            assert pack.minimum > budget
            continue
        answered += 1
        assert isinstance(pack, Pack)
        text = render(pack, format_name)
        assert independent_count(text, tokenizer) == pack.tokens <= budget
        again = assemble(random_request(seed, **changes))
        assert isinstance(again, Pack)
        assert render(again, format_name) == text
    assert answered >= 20


def test_every_budget_from_tiny_to_ample_is_kept() -> None:
    request = random_request(8, format="json")
    for budget in range(60, 1500, 7):
        pack = assemble(replace(request, budget=budget))
        if isinstance(pack, Pack):
            assert independent_count(render(pack, "json"), "o200k") <= budget


def test_no_symbol_is_shown_twice_nor_inside_another_shown_in_full() -> None:
    for seed in range(60):
        pack = assemble(random_request(seed, budget=50_000))
        assert isinstance(pack, Pack)
        items = [item for section in pack.sections for item in section.items]
        ids = [item.symbol.id for item in items]
        assert len(ids) == len(set(ids))
        for outer in items:
            if outer.fidelity is Fidelity.FULL:
                span = range(outer.symbol.start_byte, outer.symbol.end_byte)
                assert not [
                    inner
                    for inner in items
                    if inner is not outer
                    and inner.symbol.file == outer.symbol.file
                    and inner.symbol.start_byte in span
                    and inner.symbol.end_byte <= outer.symbol.end_byte
                ]
