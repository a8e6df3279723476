"""Files: by their best symbols, and in a short search by their own name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from indexed_view import view_over

from sonde.rank.files import RULE, ranked_files
from sonde.rank.pipeline import rank_query
from sonde.retrieve.view import View
from sonde.understand.query import understand

REPOSITORY = {
    "server/base.py": (
        "def show_error_page(error):\n"
        '    """Show the page of an error while developing."""\n'
        "    return render_error(error)\n\n\n"
        "def render_error(error):\n"
        '    """Render the page."""\n'
        "    return str(error)\n"
    ),
    "server/error_pages.py": 'class Shown:\n    """Pages for errors."""\n',
}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    with view_over(REPOSITORY, tmp_path_factory.mktemp("files")) as view:
        yield view


def test_a_short_search_that_says_a_files_name_finds_it_before_a_larger_one(view: View) -> None:
    ranking = rank_query(understand("error pages"), view)
    with_rule = ranked_files(ranking)
    without = ranked_files(ranking, frozenset({RULE}))
    assert with_rule[0] == "server/error_pages.py"
    assert without[0] == "server/base.py"


def test_in_a_sentence_the_names_of_files_say_nothing(view: View) -> None:
    task = (
        "when an error is raised while developing, the server should show the error pages in the "
        "language of the reader instead of English"
    )
    ranking = rank_query(understand(task), view)
    assert ranked_files(ranking) == ranked_files(ranking, frozenset({RULE}))
