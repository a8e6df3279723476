"""Correction by trees: at the level of the sums, never against the task's word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy
import pytest
from indexed_view import view_over
from judged_repository import TASKS

from sonde.rank.correction import LEVEL, OUTRIGHT, RULE, corrected
from sonde.rank.learned import LEARNED
from sonde.rank.pipeline import rank_query
from sonde.rank.rule import Field
from sonde.rank.rules import ALL
from sonde.rank.standing import FEATURES, Standing
from sonde.rank.switches import unknown_switch
from sonde.rank.table import Table
from sonde.retrieve.view import View
from sonde.understand.query import understand

OFF = frozenset({RULE})
PARTS = {
    "shop/parts.py": "".join(
        f'class Part{number}:\n    """A part of the shop."""\n\n    def price(self):\n'
        f'        """The price of a part."""\n        return {number}\n\n\n'
        for number in range(12)
    )
}


def names(task: str, view: View, without: frozenset[str] = frozenset()) -> list[str]:
    return [one.symbol.qualname for one in rank_query(understand(task), view, without).ranked]


def field_of(task: str, view: View) -> Field:
    return rank_query(understand(task), view, OFF).field


def test_requests_and_reports_are_corrected(judged: View) -> None:
    request, report = TASKS[0], " ".join([TASKS[0]] * 20)
    assert names(request, judged) != names(request, judged, OFF)
    assert names(report, judged) != names(report, judged, OFF)


def test_every_contribution_is_left_out_by_its_name_or_with_the_trees(judged: View) -> None:
    shown = rank_query(understand(TASKS[0]), judged).ranked[0].contributions
    of_trees = {LEVEL, *(feature.name for feature in FEATURES)}
    assert of_trees.intersection(name for name, _ in shown)
    for name in {*of_trees, *(name for name, _ in shown)}:
        said = unknown_switch(frozenset({name}))
        assert said.endswith("give 'trees'") if name in of_trees else not said


def test_without_the_learned_weights_nothing_is_corrected(judged: View) -> None:
    off = frozenset({LEARNED})
    assert names(TASKS[0], judged, off) == names(TASKS[0], judged, off | OFF)


def test_the_first_and_the_tenth_keep_the_scores_that_the_sums_give(judged: View) -> None:
    seen = 0
    for task in TASKS:
        field = field_of(task, judged)
        table = Table.of(field, [rule for rule in ALL if rule.name != OUTRIGHT], frozenset())
        correction = corrected(field, table)
        if correction is None:
            assert len(field.records) < 10
            continue
        sums, totals = numpy.sort(table.totals)[::-1], numpy.sort(correction.totals)[::-1]
        assert totals[[0, 9]] == pytest.approx(sums[[0, 9]]), task
        seen += 1
    assert seen > 5


def test_the_parts_of_a_correction_sum_to_its_scores(judged: View) -> None:
    field = field_of(TASKS[0], judged)
    for rules in (ALL, ALL[3:]):  # with and without rules that the trees ask for
        correction = corrected(field, Table.of(field, rules, frozenset()))
        assert correction is not None
        assert LEVEL in correction.names
        assert correction.parts.sum(axis=0) == pytest.approx(correction.totals)


def test_a_symbol_named_outright_stays_ahead_by_as_much(judged: View) -> None:
    field = field_of("`store_blob` of the StorageBackend", judged)
    table = Table.of(field, ALL, frozenset())
    correction = corrected(field, table)
    assert correction is not None
    row, here = table.names.index(OUTRIGHT), correction.names.index(OUTRIGHT)
    assert table.parts[row].any()
    assert correction.parts[here] == pytest.approx(table.parts[row])


def test_equal_candidates_stand_equal(tmp_path: Path) -> None:
    with view_over(PARTS, tmp_path) as view:
        field = field_of("the price of a part", view)
        sums = numpy.round(numpy.linspace(0, 1, len(field.records)), 1)  # many equals
        there = Standing(field, sums)
        back = replace(field, records=field.records[::-1], matches=field.matches[::-1], kept={})
        here = Standing(back, sums[::-1])
        for feature in FEATURES:
            forth, again = feature.values(there), feature.values(here)[::-1]
            assert forth == pytest.approx(again), feature.name


def test_a_type_stands_beside_its_members(tmp_path: Path) -> None:
    with view_over(PARTS, tmp_path) as view:
        field = field_of("the price of a part", view)
        place = {record.qualname: at for at, record in enumerate(field.records)}
        sums = numpy.zeros(len(field.records))
        sums[[place["Part3"], place["Part3.price"], place["Part4"]]] = 1.0, 0.8, 0.5
        values = {each.name: each.values(Standing(field, sums)) for each in FEATURES}
    assert values["owner-behind"][place["Part3.price"]] == 0.0
    assert values["member-behind"][place["Part3"]] == pytest.approx(0.2)
    assert values["place"][place["Part4"]] == pytest.approx(numpy.log1p(2))
    assert values["siblings-better"][place["Part3.price"]] == 0.0
    assert values["siblings-better"][place["Part4"]] == 1.0


def test_links_are_counted_by_kind_and_by_end(tmp_path: Path) -> None:
    source = (
        "def price(part):\n    return cost(part) + cost(part)\n\ndef cost(part):\n    return part\n"
    )
    with view_over({"prices.py": source}, tmp_path) as view:
        field = field_of("the price and the cost of a part", view)
        place = {record.qualname: at for at, record in enumerate(field.records)}
        sums = numpy.zeros(len(field.records))
        values = {each.name: each.values(Standing(field, sums)) for each in FEATURES}
    called, calling = values["calls-in"], values["calls-out"]
    assert called[place["cost"]] == calling[place["price"]] > 0.0
    assert called[place["price"]] == calling[place["cost"]] == 0.0
    assert values["contains-in"][place["cost"]] == pytest.approx(numpy.log1p(1))  # its module
