"""Who changed a symbol last, on its card."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_history import commit, git, new_repository

from sonde import Engine
from sonde.answers.results import SymbolAnswer, SymbolCard
from sonde.config import load_settings

CART = (
    "class Cart:\n    def total(self):\n        return 1\n\n    def clear(self):\n        pass\n"
    "\n\nclass Basket:\n    def clear(self):\n        pass\n\n\nLIMIT = 3\n"
)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = new_repository(tmp_path / "shop")
    fixed = CART.replace("return 1", "return 2")
    for day, author, message, text in (
        (1, "Ada", "Start the shop", CART),
        (2, "Grace", "Fix rounding of sums", fixed),
        (3, "Joan", "Raise the limit", fixed.replace("= 3", "= 4")),
    ):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-03-0{day}T12:00:00Z")
        commit(root, message, author=author, cart__py=text)
    return root


def card(root: Path, name: str, cache: Path) -> SymbolCard:
    with Engine(root, load_settings(root, {"SONDE_CACHE_DIR": str(cache)}, {})) as engine:
        answer = engine.symbol(name)
    assert isinstance(answer, SymbolAnswer)
    return answer.found[0]


def test_a_card_names_the_author_of_the_last_change(repository: Path, tmp_path: Path) -> None:
    authored = card(repository, "Cart.total", tmp_path / "cache").authored_by
    assert authored is not None
    assert (authored.author, authored.subject) == ("Grace", "Fix rounding of sums")
    assert not authored.whole_file
    assert str(authored).startswith("last changed by Grace, 2024-03-02, ")


def test_a_type_has_changed_with_its_members(repository: Path, tmp_path: Path) -> None:
    authored = card(repository, "Cart", tmp_path / "cache").authored_by
    assert authored is not None
    assert authored.author == "Grace"


def test_where_two_have_one_name_only_the_file_is_sure(repository: Path, tmp_path: Path) -> None:
    authored = card(repository, "Basket.clear", tmp_path / "cache").authored_by
    assert authored is not None
    assert (authored.author, authored.whole_file) == ("Joan", True)
    assert str(authored).startswith("file last changed by Joan, ")


def test_a_moved_file_keeps_its_authors(repository: Path, tmp_path: Path) -> None:
    git(repository, "mv", "cart.py", "trolley.py")
    commit(repository, "Use another word", author="Mary")
    authored = card(repository, "Cart.total", tmp_path / "cache").authored_by
    assert authored is not None
    assert authored.author == "Grace"


def test_without_git_there_is_no_author(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    (root / "cart.py").write_text(CART)
    assert card(root, "Cart.total", tmp_path / "cache").authored_by is None


SCRIPT = (
    "export class Album {\n  constructor(private readonly db: Db) {}\n\n"
    "  async addUsers(ids: string[]): Promise<void> {\n    for (const id of ids) {\n"
    "      await this.db.add(id);\n    }\n  }\n\n  rename(name: string) {\n"
    "    this.name = name;\n  }\n}\n"
)


def test_a_change_inside_a_typescript_method_was_taken_for_one_of_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new_repository(tmp_path / "albums")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2024-03-01T12:00:00Z")
    commit(root, "Start", author="Ada", album__ts=SCRIPT)
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2024-03-02T12:00:00Z")
    commit(root, "Add once", author="Grace", album__ts=SCRIPT.replace("db.add", "db.addOnce"))
    cache = tmp_path / "cache"
    changed, other = (card(root, f"Album.{name}", cache) for name in ("addUsers", "rename"))
    assert changed.authored_by is not None
    assert other.authored_by is not None
    assert (changed.authored_by.author, other.authored_by.author) == ("Grace", "Ada")
    assert not changed.authored_by.whole_file


def test_a_sweep_through_many_files_was_no_last_change(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2024-03-09T12:00:00Z")
    swept = {f"part{number}__py": f"SIZE = {number}\n" for number in range(40)}
    commit(
        repository, "Types", author="Mary", cart__py=CART.replace("return 1", "return 9"), **swept
    )
    authored = card(repository, "Cart.total", tmp_path / "cache").authored_by
    assert authored is not None
    assert authored.author == "Mary"


def test_a_function_called_like_its_file_had_only_the_change_of_the_file(tmp_path: Path) -> None:
    source = "def total():\n    return 1\n\n\ndef rest():\n    return 1\n"
    root = new_repository(tmp_path / "shop")
    commit(root, "Start the shop", author="Ada", total__py=source)
    changed = source.replace("rest():\n    return 1", "rest():\n    return 2")
    commit(root, "Another rest", author="Grace", total__py=changed)
    authored = card(root, "total", tmp_path / "cache").authored_by
    assert authored is not None
    assert (authored.author, authored.whole_file) == ("Ada", False)


def test_bug_an_author_was_called_otherwise_than_by_the_mailmap(
    repository: Path, tmp_path: Path
) -> None:
    (repository / ".mailmap").write_text(
        "Grace Hopper <dev@example.invalid> Grace <dev@example.invalid>\n"
    )
    authored = card(repository, "Cart.total", tmp_path / "cache").authored_by
    assert authored is not None
    assert authored.author == "Grace Hopper"
