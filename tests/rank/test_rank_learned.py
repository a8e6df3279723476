"""Learned weights: one for each rule, mixed by the length of the text, explained like any other."""

from __future__ import annotations

import pytest

from sonde.model import Query
from sonde.rank import correction
from sonde.rank.learned import LEARNED, weights
from sonde.rank.pipeline import rank_query
from sonde.rank.rules import ALL
from sonde.retrieve.view import View
from sonde.understand.query import understand

TASK = "how does a basket count its lines"


def of_length(words: int) -> Query:
    return understand(" ".join(["basket"] * words))


def test_each_rule_has_a_learned_weight_and_no_other_name_has_one() -> None:
    for words in (1, 500):
        assert set(weights(of_length(words))) == {rule.name for rule in ALL}


def test_requests_and_reports_have_weights_of_their_own_and_a_text_between_in_between() -> None:
    request, between, report = (weights(of_length(words)) for words in (30, 40, 50))
    assert request != report
    assert request == weights(of_length(3))
    assert report == weights(of_length(500))
    for name, weight in between.items():
        assert weight == pytest.approx((request[name] + report[name]) / 2)


def test_contributions_of_a_report_are_what_the_rules_say_times_the_learned_weights(
    judged: View,
) -> None:
    report = understand(" ".join([TASK] * 20))
    fixed = {rule.name: rule.weight for rule in ALL}
    learned = weights(report)
    rule = "fulltext"
    by_data = rank_query(report, judged, frozenset({correction.RULE})).ranked
    by_formula = rank_query(report, judged, frozenset({LEARNED})).ranked
    expected = {one.symbol.id: dict(one.contributions).get(rule, 0.0) for one in by_formula}
    found = {one.symbol.id: dict(one.contributions).get(rule, 0.0) for one in by_data}
    shared = found.keys() & expected.keys()
    assert any(expected[id] for id in shared)
    for id in shared:
        assert found[id] / learned[rule] == pytest.approx(expected[id] / fixed[rule])


def test_without_the_learned_weights_the_contributions_still_sum_to_the_score(
    judged: View,
) -> None:
    ranked = rank_query(understand(" ".join([TASK] * 20)), judged, frozenset({LEARNED})).ranked
    assert ranked
    for one in ranked:
        assert sum(value for _, value in one.contributions) == pytest.approx(one.score)
