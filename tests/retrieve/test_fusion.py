"""Fusion of the channels, the noise filter, and the candidates that come out."""

from __future__ import annotations

import pytest
from indexed_view import asked

from sonde.model import FileKind, Kind, SymbolRecord
from sonde.retrieve.channel import Channel, Hit, best_hits, ranked
from sonde.retrieve.fusion import RRF_K, best_of, opinions, totals
from sonde.retrieve.gather import CHANNELS, gather
from sonde.retrieve.implementors import CHANNEL_NAME
from sonde.retrieve.noise import is_noise
from sonde.retrieve.view import View
from sonde.understand.query import understand


def channel(name: str, weight: float) -> Channel:
    return Channel(name, weight, lambda query, view: [])


def test_each_channel_adds_its_weight_over_sixty_and_the_rank() -> None:
    one, two = channel("one", 2.0), channel("two", 0.5)
    hits = [Hit(7, 9.0, "first"), Hit(8, 3.0, "second")]
    sums = totals([(one, hits), (two, [Hit(8, 1.0, "again")])])
    assert RRF_K == 60
    assert sums[7] == pytest.approx(2.0 / 61)
    assert sums[8] == pytest.approx(2.0 / 62 + 0.5 / 61)
    assert best_of(sums, 9) == [8, 7]


def test_weights_decide_between_channels_of_different_opinion() -> None:
    light, heavy = channel("light", 1.0), channel("heavy", 3.0)
    sums = totals([(light, [Hit(1, 1.0, "")]), (heavy, [Hit(2, 1.0, "")])])
    assert best_of(sums, 9) == [2, 1]


def test_evidence_keeps_channel_rank_relative_score_and_reason() -> None:
    hits = [Hit(7, 8.0, "best"), Hit(8, 2.0, "weak")]
    proof = opinions([(channel("one", 1.0), hits)], [8])[0][8][0]
    assert (proof.channel, proof.rank, proof.score, proof.reason) == ("one", 2, 0.25, "weak")


def test_a_channel_tells_of_a_symbol_once_by_its_best_hit() -> None:
    hits = ranked([Hit(1, 1.0, "a"), Hit(2, 2.0, "b"), Hit(1, 3.0, "c"), Hit(3, 0.5, "d")], 2)
    assert hits == [Hit(1, 3.0, "c"), Hit(2, 2.0, "b")]


def test_the_best_scores_come_first_and_ties_in_the_order_given() -> None:
    reasons = {1: "a", 2: "b", 3: "c", 4: "d"}
    hits = best_hits({3: 1.0, 1: 2.0, 4: 1.0, 2: 0.5}, reasons, 3)
    assert hits == [Hit(1, 2.0, "a"), Hit(3, 1.0, "c"), Hit(4, 1.0, "d")]


def symbol(
    name: str, file: str = "a.py", kind: Kind = Kind.FUNCTION, **parts: object
) -> SymbolRecord:
    values = {"file_kind": FileKind.SOURCE, **parts}
    return SymbolRecord(
        1, file, "python", values["file_kind"], name, name, kind, 1, 2, 0, 9, 0, "", "", "public"
    )  # type: ignore[arg-type]


def test_names_of_one_or_two_letters_are_noise_unless_they_are_words() -> None:
    assert is_noise(symbol("x"), False)
    assert is_noise(symbol("fn"), False)
    assert not is_noise(symbol("db"), False)
    assert not is_noise(symbol("run"), False)


@pytest.mark.parametrize("file", ["tests/conftest.py", "pkg/testdata/a.go", "spec/fixtures/b.rb"])
def test_fixtures_are_noise_unless_tests_are_asked_for(file: str) -> None:
    assert is_noise(symbol("helper", file), False)
    assert not is_noise(symbol("helper", file), True)


def test_prose_and_settings_as_a_whole_are_noise() -> None:
    text = symbol("README", "README.md", Kind.MODULE, file_kind=FileKind.TEXT)
    assert is_noise(text, True)
    assert not is_noise(symbol("shop", "shop.py", Kind.MODULE), False)


def test_the_noise_filter_can_be_switched_off(view: View) -> None:
    query = asked(compounds=("database_client",))
    assert all(r.name != "database_client" for r in gather(query, view).records)
    kept = gather(query, view, frozenset({"noise"})).records
    assert any(r.name == "database_client" for r in kept)


def test_candidates_are_ordered_by_their_fused_score(view: View) -> None:
    gathered = gather(understand("open the connection to the database"), view)
    weights = {**{one.name: one.weight for one in CHANNELS}, CHANNEL_NAME: 0.5}
    scores = [
        sum(weights[each.channel] / (RRF_K + each.rank) for each in gathered.evidence[record.id])
        for record in gathered.records
    ]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 2


def test_every_channel_tells_how_much_it_found_and_how_long_it_took(view: View) -> None:
    told = dict(gather(understand("open the connection"), view).statistics)
    for one in CHANNELS:
        assert told[f"{one.name} hits"] >= 0
        assert told[f"{one.name} ms"] >= 0


def test_channels_have_names_of_their_own() -> None:
    assert len({one.name for one in CHANNELS}) == len(CHANNELS)
