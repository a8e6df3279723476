from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from git_history import commit, git, new_repository

from sonde import Engine
from sonde.config import load_settings
from sonde.git import GitFailure
from sonde.history.log import Log, read_log
from sonde.history.refresh import refresh
from sonde.history.store import History, open_history

FIRST = (
    "class Cart:\n    def total(self):\n        return 1\n\n    def clear(self):\n        pass\n"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = new_repository(tmp_path / "shop")
    commit(root, "Start the shop", cart__py=FIRST)
    commit(
        root,
        "Fix rounding of sums\n\nPrices were cut.",
        cart__py=FIRST.replace("return 1", "return 2"),
    )
    return root


def test_a_commit_names_the_method_around_each_change(repository: Path) -> None:
    log = read_log(repository, "HEAD", 0, 10, 20.0)
    assert log.commits[0].subject == "Fix rounding of sums"
    assert log.commits[0].touched == (("cart.py", ("total",)),)


def test_messages_are_found_by_their_words(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    assert refresh(repository, history)
    found = history.search(["rounding", "prices"], 5)
    assert [match.subject for match in found] == ["Fix rounding of sums"]
    assert history.search(['"; DROP TABLE', "*"], 5) == []


def test_new_commits_are_added_and_nothing_is_read_twice(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    refresh(repository, history)
    emptied = FIRST.replace("return 1", "return 2").replace("pass", "self.items = []")
    commit(repository, "Empty the basket", cart__py=emptied)
    refresh(repository, history)
    assert (history.count, history.whole) == (3, True)
    assert history.search(["basket"], 5)[0].touched == (("cart.py", ("clear",)),)


def test_only_ancestors_of_the_checked_out_commit_speak(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    earlier = git(repository, "rev-parse", "HEAD")
    commit(repository, "A later secret", cart__py=FIRST + "\nLATER = 1\n")
    refresh(repository, history)
    assert history.search(["secret"], 5)
    git(repository, "checkout", "-q", earlier)
    refresh(repository, history)
    assert history.search(["secret"], 5) == []
    assert history.count == 2


def test_commits_that_touch_everything_are_left_out(repository: Path, tmp_path: Path) -> None:
    files = {f"f{number}__py": f"x = {number}\n" for number in range(40)}
    commit(repository, "Reformat all", **files)
    history = History(tmp_path / "h.db")
    refresh(repository, history)
    assert history.search(["reformat"], 5) == []
    assert history.walked == 3


def test_a_source_with_control_characters_does_not_end_a_commit(repository: Path) -> None:
    odd = FIRST.replace("return 1", 'return "\x01\x02"')
    commit(repository, "Odd characters", cart__py=odd)
    log = read_log(repository, "HEAD", 0, 10, 20.0)
    assert log.walked == len(log.commits) == 3
    assert log.commits[0].touched == (("cart.py", ("total",)),)


def written_commit(root: Path, date: str, message: str) -> None:
    """Commit what is staged with an author's date that git itself would not write."""
    tree, parent = git(root, "write-tree"), git(root, "rev-parse", "HEAD")
    text = f"tree {tree}\nparent {parent}\nauthor A <a@b> {date}\ncommitter A <a@b> 1 +0000\n"
    (root / ".git" / "new").write_text(f"{text}\n{message}\n")
    made = git(root, "hash-object", "-t", "commit", "-w", "--literally", ".git/new")
    git(root, "reset", "-q", "--hard", made)


@pytest.mark.parametrize("date", ["yesterday", f"{10**22} +0000", f"{2**64 - 2} +0000", "-5 +0000"])
def test_a_date_that_is_none_ended_the_reading(repository: Path, tmp_path: Path, date: str) -> None:
    (repository / "cart.py").write_text(FIRST.replace("return 1", "return 3"))
    git(repository, "add", "-A")
    written_commit(repository, date, "Odd quux")
    history = History(tmp_path / "h.db")
    assert refresh(repository, history)
    assert [match.subject for match in history.search(["quux"], 5)] == ["Odd quux"]
    assert history.count == 3


def test_a_message_with_control_characters_ended_the_reading(
    repository: Path, tmp_path: Path
) -> None:
    text = FIRST.replace("return 1", "return 3")
    commit(repository, "Odd \x02 quux \x01\n\nmore \x02 of it", cart__py=text)
    history = History(tmp_path / "h.db")
    assert refresh(repository, history)
    assert history.search(["quux"], 5)[0].touched == (("cart.py", ("total",)),)


def test_changes_of_a_file_with_a_quoted_name_went_to_the_file_before(repository: Path) -> None:
    odd = "def total(x):\n    y = x\n    return y\n"
    commit(repository, "Odd names", **{'odd"name__py': odd})
    texts = {"cart__py": FIRST.replace("pass", "return 0"), 'odd"name__py': odd + "\n# end\n"}
    commit(repository, "Both", **texts)
    log = read_log(repository, "HEAD", 0, 1, 20.0)
    assert dict(log.commits[0].touched)["cart.py"] == ("total", "clear")
    only = FIRST.replace("pass", "return 1")
    commit(repository, "Again", cart__py=only, **{'odd"name__py': odd.replace("return y", "pass")})
    log = read_log(repository, "HEAD", 0, 1, 20.0)
    assert dict(log.commits[0].touched) == {"cart.py": ("clear",), 'odd"name.py': ("total",)}


def test_a_path_that_is_not_ascii_is_known(repository: Path) -> None:
    (repository / "größe.py").write_text(FIRST)
    commit(repository, "Sizes")
    assert [path for path, _ in read_log(repository, "HEAD", 0, 1, 20.0).commits[0].touched] == [
        "größe.py"
    ]


@pytest.mark.parametrize(
    "name", ['odd "name.py', "tab\tname.py", "back\\slash.py", "\ag\u00f6\n.py"]
)
def test_files_whose_names_git_quotes_had_no_history(
    repository: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    git(repository, "mv", "cart.py", name)
    commit(repository, "Move")
    (repository / name).write_text(FIRST.replace("return 1", "return 3"))
    commit(repository, "Change")
    log = read_log(repository, "HEAD", 0, 9, 20.0)
    assert [(each.old, each.new) for each in log.renames] == [("cart.py", name)]
    assert log.commits[0].touched == ((name, ("total",)),)
    monkeypatch.setattr("sonde.git._LARGEST", 200)  # bytes: only names are listed
    assert read_log(repository, "HEAD", 0, 1, 20.0).commits[0].touched == ((name, ()),)


def test_a_workspace_inside_a_repository_hears_its_own_paths(repository: Path) -> None:
    package = repository / "package"
    package.mkdir()
    (package / "inner.py").write_text(FIRST)
    commit(repository, "Inner and outer", cart__py=FIRST + "\nMORE = 1\n")
    log = read_log(package, "HEAD", 0, 9, 20.0)
    assert [path for each in log.commits for path, _ in each.touched] == ["inner.py"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.interHunkContext", "50"),
        ("diff.renames", "false"),
        ("log.showSignature", "true"),
        ("log.showRoot", "false"),
        ("color.ui", "always"),
    ],
)
def test_no_setting_of_a_user_changes_what_commits_tell(
    repository: Path, key: str, value: str
) -> None:
    git(repository, "mv", "cart.py", "trolley.py")
    changed = FIRST.replace("return 1", "return 3").replace("pass", "self.items = []")
    commit(repository, "Trolleys", trolley__py=changed)
    before = read_log(repository, "HEAD", 0, 10, 20.0)
    git(repository, "config", key, value)
    assert read_log(repository, "HEAD", 0, 10, 20.0) == before
    assert before.commits[0].touched == (("trolley.py", ("total", "clear")),)


@pytest.mark.parametrize("name", ["cart.py", 'odd "cart.py'])
def test_a_file_that_the_repository_wants_no_diff_of_had_no_history(
    repository: Path, name: str
) -> None:
    (repository / ".gitattributes").write_text("*.py -diff\n")
    git(repository, "mv", "-k", "cart.py", name)
    (repository / name).write_text(FIRST.replace("return 1", "return 3"))
    commit(repository, "Generated")
    (repository / name).unlink()
    commit(repository, "Gone")
    newest = read_log(repository, "HEAD", 0, 10, 20.0).commits[0]
    assert (newest.subject, newest.touched) == ("Generated", ((name, ()),))


def test_a_file_is_followed_to_where_it_moved(repository: Path, tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    git(repository, "mv", "cart.py", "basket.py")
    commit(repository, "Baskets")
    refresh(repository, history)
    git(repository, "mv", "basket.py", "trolley.py")
    commit(repository, "Trolleys", trolley__py=FIRST.replace("return 1", "return 3"))
    refresh(repository, history)
    history.search(["rounding"], 5)
    paths = [history.paths_since(path, 0)[-1] for path in ("cart.py", "basket.py", "other.py")]
    assert paths == ["trolley.py", "trolley.py", "other.py"]
    assert history.search(["trolleys"], 5)[0].touched == (("trolley.py", ("total",)),)


def test_files_that_changed_places_are_not_followed_for_ever(
    repository: Path, tmp_path: Path
) -> None:
    for old, new in (("cart.py", "basket.py"), ("basket.py", "cart.py")):
        git(repository, "mv", old, new)
        commit(repository, f"Move to {new}")
    history = History(tmp_path / "h.db")
    refresh(repository, history)
    history.search(["rounding"], 5)
    assert history.paths_since("basket.py", 0) == ["basket.py", "cart.py"]


def test_a_folder_without_git_has_no_history(tmp_path: Path) -> None:
    history = History(tmp_path / "h.db")
    (tmp_path / "plain").mkdir()
    assert refresh(tmp_path / "plain", history)
    assert history.count == 0


def test_a_repository_cannot_make_us_run_a_program(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    for key in ("diff.external", "core.fsmonitor", "diff.python.textconv", "core.pager"):
        git(repository, "config", key, str(script))
    (repository / ".gitattributes").write_text("*.py diff=python\n")
    refresh(repository, History(tmp_path / "h.db"))
    assert not trap.exists()


def test_a_damaged_history_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    path.write_bytes(b"not a database" * 100)
    history = open_history(path)
    assert isinstance(history, History)
    assert history.count == 0


def history_reasons(root: Path, cache: Path, task: str, name: str) -> list[str]:
    settings = load_settings(root, {"SONDE_CACHE_DIR": str(cache)}, {})
    with Engine(root, settings) as engine:
        ranked = engine.rank(task).ranked
    best = next(one for one in ranked if one.symbol.qualname == name)
    return [proof.reason for proof in best.evidence if proof.channel == "history"]


def test_commits_from_before_a_move_speak_for_the_file_of_today(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "mv", "cart.py", "trolley.py")
    commit(repository, "Other names")
    found = history_reasons(repository, tmp_path, "prices are cut by wrong rounding", "Cart.total")
    assert any("Fix rounding of sums" in reason for reason in found)


@pytest.mark.parametrize(
    "written",
    [
        "#4711",
        "GH-4711",
        "issue 4711",
        "issue4711",
        "https://host.invalid/shop/issues/4711",
        "PR #4711",
    ],
)
def test_the_number_of_an_issue_finds_its_commit(
    repository: Path, tmp_path: Path, written: str
) -> None:
    emptied = FIRST.replace("return 1", "return 2").replace("pass", "self.items = []")
    commit(repository, "Empty the basket (#4711)", cart__py=emptied)
    found = history_reasons(
        repository, tmp_path, f"customers complain, see {written}", "Cart.clear"
    )
    assert any("Empty the basket" in reason for reason in found)


@pytest.mark.parametrize(
    ("message", "written", "is_found"),
    [
        ("Empty the basket (issue4711)", "#4711", True),
        ("SHOP-4711: Empty the basket", "SHOP-4711", True),
        ("SHOP-4711: Empty the basket", "https://host.invalid/browse/SHOP-4711", True),
        ("SHOP-4711: Empty the basket", "TILL-4711", False),
        ("bpo-4711: Empty the basket", "bpo-4711", True),
    ],
)
def test_an_issue_was_only_found_by_its_bare_number(
    repository: Path, tmp_path: Path, message: str, written: str, is_found: bool
) -> None:
    emptied = FIRST.replace("return 1", "return 2").replace("pass", "self.items = []")
    commit(repository, message, cart__py=emptied)
    found = history_reasons(repository, tmp_path, f"`Cart.clear` of {written}", "Cart.clear")
    assert any("Empty the basket" in reason for reason in found) is is_found


def test_a_long_subject_was_cut_as_if_it_ended_there(repository: Path, tmp_path: Path) -> None:
    emptied = FIRST.replace("return 1", "return 2").replace("pass", "self.items = []")
    commit(repository, "Empty the basket of customers who leave in the middle", cart__py=emptied)
    found = history_reasons(repository, tmp_path, "customers keep a full basket", "Cart.clear")
    assert any("'Empty the basket of customers who leave in the mi…'" in reason for reason in found)


def test_commits_of_bots_count_for_less(repository: Path, tmp_path: Path) -> None:
    text = FIRST.replace("return 1", "return 2")
    by_bot = text.replace("pass", "self.items = []")
    commit(repository, "Pin quux", author="renovate[bot]", cart__py=by_bot)
    commit(repository, "Pin quux", cart__py=by_bot.replace("return 2", "return 4"))
    settings = load_settings(repository, {"SONDE_CACHE_DIR": str(tmp_path)}, {})
    with Engine(repository, settings) as engine:
        ranked = engine.rank("pin quux").ranked
    told = {
        one.symbol.name: proof.score
        for one in ranked
        for proof in one.evidence
        if proof.channel == "history"
    }
    assert told["clear"] < 0.5 * told["total"]


def test_a_task_finds_the_method_that_commits_about_it_changed(
    repository: Path, tmp_path: Path
) -> None:
    task = "prices are cut by wrong rounding"
    reasons = history_reasons(repository, tmp_path / "cache", task, "Cart.total")
    assert reasons
    assert "Fix rounding of sums" in reasons[0]


def test_a_sweep_is_not_found_by_its_message(repository: Path, tmp_path: Path) -> None:
    swept = {f"part{number}__py": f"SIZE = {number}\n" for number in range(40)}
    commit(repository, "Modernise everything", **swept)
    history = History(tmp_path / "h.db")
    refresh(repository, history)
    assert history.count == 3
    assert history.search(["modernise"], 5) == []


def _asked(repository: Path, cache: Path) -> Engine:
    return Engine(repository, load_settings(repository, {"SONDE_CACHE_DIR": str(cache)}))


def test_a_damaged_history_failed_every_question(repository: Path, tmp_path: Path) -> None:
    with _asked(repository, tmp_path / "cache") as engine:
        before = engine.for_task("fix the rounding of sums")
        place = engine.place().history
    with closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = place.read_bytes()
    place.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    with _asked(repository, tmp_path / "cache") as engine:
        assert engine.for_task("fix the rounding of sums, please").pack.sections
        assert engine.for_task("fix the rounding of sums").text == before.text


def test_forgetting_a_workspace_left_its_commits_behind(repository: Path, tmp_path: Path) -> None:
    with _asked(repository, tmp_path / "cache") as engine:
        engine.for_task("fix the rounding of sums")
        home = engine.place().home
        assert list(home.glob("history.db*"))
        assert engine.forget() is None
    assert not list(home.glob("history.db*"))


def test_commits_of_a_line_that_another_process_left_are_not_added(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(tmp_path / "h.db")
    other = History(tmp_path / "h.db")

    def read_meanwhile(*arguments: Any) -> Log | GitFailure:
        log = read_log(*arguments)
        other.clear()
        other.add(Log(), "b" * 40, 0, True)
        return log

    monkeypatch.setattr("sonde.history.refresh.read_log", read_meanwhile)
    refresh(repository, history)
    assert (history.head, history.count) == ("b" * 40, 0)
    other.close()
    history.close()
