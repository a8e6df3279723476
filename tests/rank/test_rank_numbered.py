"""The number of an error or of a rule names a place, however much else a text says."""

from __future__ import annotations

from pathlib import Path

from indexed_view import view_over

from sonde.rank.pipeline import Ranking, rank_query
from sonde.understand.query import understand

RULE = '''\
class Rule_{number}:
    """A rule about tables."""

    def check(self, table):
        return {number}
'''
LARGE = '''\
class Tables:
    """Tables, columns and rows of a query, and how they are joined on a key."""

    def join_tables_of_query(self, table, column, row, key):
        """Join the tables of a query on the column of a key, row by row."""
        return [self.join_row(each, column, key) for each in table.rows if row in table]
'''
REPORT = (
    "Nothing is said of {number} when tables are joined\n\nWe join two tables of a query on a "
    "column that is a key of the first. Every row of the join should be looked at, one by one, "
    "but the rows of the second table are left out when its key is a column of the query too. "
    "Steps: join a table with itself on its key, read a row, and look at each column of it. "
    "Expected: each row of each table is looked at."
)
FILES = {"tables.py": LARGE} | {
    f"rules/{number}.py": RULE.format(number=number) for number in ("q018", "q019")
}
FILES["rules/q017.py"] = LARGE.replace("Tables:", "Rule_q017:")


def ranked(files: dict[str, str], number: str, folder: Path, *without: str) -> Ranking:
    with view_over(files, folder) as view:
        query = understand(REPORT.format(number=number))
        return rank_query(query, view, frozenset({"trees", "title", *without}))


def place(ranking: Ranking, file: str) -> int:
    return [one.symbol.file for one in ranking.ranked].index(file)


def test_a_number_names_the_file_that_is_called_so(tmp_path: Path) -> None:
    with_it = ranked(FILES, "Q018", tmp_path)
    without = ranked(FILES, "Q018", tmp_path, "numbered")
    assert place(with_it, "rules/q018.py") < place(with_it, "rules/q017.py")
    assert place(without, "rules/q018.py") > place(without, "rules/q017.py")
    others = {one.symbol.file for one in with_it.ranked if dict(one.contributions).get("numbered")}
    assert others == {"rules/q018.py"}


def test_a_number_names_the_symbol_that_is_called_so(tmp_path: Path) -> None:
    files = {"tables.py": LARGE, "rules.py": "".join(FILES[f"rules/q01{n}.py"] for n in "789")}
    spoken = [
        one.symbol.name
        for one in ranked(files, "Q018", tmp_path).ranked
        if dict(one.contributions).get("numbered")
    ]
    assert spoken == ["Rule_q018"]


def test_a_number_that_many_files_have_names_none_of_them(tmp_path: Path) -> None:
    files = FILES | {f"v2/{name}_v2.py": RULE.format(number=name) for name in "abcde"}
    ranking = ranked(files, "v2", tmp_path)
    assert not any(dict(one.contributions).get("numbered") for one in ranking.ranked)


def test_numbers_and_words_alone_name_nothing(tmp_path: Path) -> None:
    for word in ("2018", "tables"):
        ranking = ranked(FILES, word, tmp_path)
        assert not any(dict(one.contributions).get("numbered") for one in ranking.ranked)
