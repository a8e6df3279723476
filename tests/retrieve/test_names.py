"""Names: explicit before guessed, owners respected, common names worth little."""

from __future__ import annotations

from indexed_view import asked, names_of, reasons

from sonde.retrieve import names
from sonde.retrieve.view import View


def test_a_name_in_backticks_goes_before_one_in_the_text_before_a_guess(view: View) -> None:
    query = asked(exact=("split_host",), compounds=("normalise_url",), generated=("render_table",))
    assert names_of(names.find(query, view), view)[:3] == [
        "split_host",
        "normalise_url",
        "render_table",
    ]


def test_class_and_method_find_that_method_far_ahead_of_its_namesakes(view: View) -> None:
    hits = names.find(asked(compounds=("Plugin7.handle",)), view)
    assert reasons(hits, view)["Plugin7.handle"] == "named handle"
    assert names_of(hits, view)[0] == "Plugin7.handle"
    assert all(hit.score < 0.5 * hits[0].score for hit in hits[1:])


def test_an_owner_written_in_other_ways_is_understood() -> None:
    assert names.split_dotted("pkg.Class.method()") == ("Class", "method")
    assert names.split_dotted("Class::method") == ("Class", "method")
    assert names.split_dotted("Class#method") == ("Class", "method")
    assert names.split_dotted("method") == ("", "method")


def test_a_method_of_an_unknown_owner_is_not_any_method_of_that_name(view: View) -> None:
    hits = names.find(asked(compounds=("Nowhere.handle",)), view)
    assert not [name for name, why in reasons(hits, view).items() if why == "named handle"]


def test_a_name_that_many_share_counts_less_than_a_rare_one(view: View) -> None:
    hits = names.find(asked(compounds=("handle", "normalise_url")), view)
    score = dict(zip(names_of(hits, view), (hit.score for hit in hits), strict=True))
    assert score["normalise_url"] > 2 * score["Plugin3.handle"]


def test_the_beginning_of_a_name_is_enough_when_nothing_has_that_name(view: View) -> None:
    found = reasons(names.find(asked(exact=("normalise",)), view), view)
    assert found["normalise_url"] == "name begins with normalise"


def test_a_misspelt_name_finds_the_one_that_resembles_it(view: View) -> None:
    found = reasons(names.find(asked(exact=("normalize_urls",)), view), view)
    assert found["normalise_url"] == "name normalise_url resembles normalize_urls"


def test_a_name_that_resembles_nothing_finds_nothing(view: View) -> None:
    assert names.find(asked(exact=("quux_zyzzyva",)), view) == []


def test_part_of_a_name_is_the_last_resort(view: View) -> None:
    found = reasons(names.find(asked(components=("callers",)), view), view)
    assert found["transitive_callers"] == "name contains callers"
    named = reasons(
        names.find(
            asked(
                exact=("Plugin3", "Plugin4", "Plugin5", "main", "prepare"), components=("callers",)
            ),
            view,
        ),
        view,
    )
    assert "transitive_callers" not in named


def test_the_channel_is_capped(view: View) -> None:
    plugins = [f"Plugin{number}" for number in range(30)]
    everything = (*plugins, "handle", "test_flamingo")
    assert 30 < len(names.find(asked(exact=everything), view)) <= 60
