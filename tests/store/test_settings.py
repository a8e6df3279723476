"""Settings: where they come from, who wins, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.config import ConfigProblem, Settings, default_cache, load_settings
from sonde.discover import LeaveOut


def settings(root: Path, environment: dict[str, str] | None = None, **flags: object) -> Settings:
    found = load_settings(root, environment or {}, flags)
    assert isinstance(found, Settings), found
    return found


def test_flags_win_over_environment_over_file(tmp_path: Path) -> None:
    (tmp_path / "sonde.toml").write_text("workers = 1\nbudget = 100\nmax_file_bytes = 7\n")
    found = settings(tmp_path, {"SONDE_BUDGET": "200", "SONDE_WORKERS": "2"}, workers=3)
    assert (found.workers, found.budget, found.rules.max_file_bytes) == (3, 200, 7)


def test_pyproject_table_is_read_and_its_other_faults_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.sonde]\nleave_out = ["vcs"]\nignore = ["a/"]\n')
    found = settings(tmp_path, {"SONDE_IGNORE": "b/, c/"})
    assert found.rules.leave_out == {LeaveOut.VCS}
    assert found.rules.ignore == ("a/", "b/", "c/")
    (tmp_path / "pyproject.toml").write_text("not toml at all [")
    assert settings(tmp_path).workers == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wrokers = 1", "unknown setting 'wrokers'"),
        ("workers = 1000", "workers must be a whole number from 0 to 64"),
        ("workers = true", "workers must be a whole number"),
        ('ignore = "a"', "ignore must be a list of texts"),
        ('leave_out = ["cats"]', "no group 'cats'"),
        ('cache_dir = "/elsewhere"', "unknown setting 'cache_dir'"),
        ('embedding_model = "/elsewhere"', "for the user to choose: set SONDE_EMBEDDING_MODEL"),
        ('vector_store = "https://elsewhere"', "for the user to choose: set SONDE_VECTOR_STORE"),
        ("= 3", "sonde.toml: "),
    ],
)
def test_a_bad_setting_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "sonde.toml").write_text(text)
    found = load_settings(tmp_path, {}, {})
    assert isinstance(found, ConfigProblem)
    assert message in found.message
    assert "\n" not in found.message


def test_a_model_is_chosen_by_folder_or_by_the_name_of_a_fetched_one(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "models" / "mine"
    folder.mkdir(parents=True)
    chosen = {"SONDE_CACHE_DIR": str(tmp_path / "cache"), "SONDE_EMBEDDING_MODEL": "mine"}
    missing = load_settings(tmp_path, chosen)
    assert isinstance(missing, ConfigProblem)
    assert "no model.onnx" in missing.message
    (folder / "model.onnx").touch()
    (folder / "tokenizer.json").touch()
    assert settings(tmp_path, chosen).embedding_model == folder
    by_path = settings(tmp_path, {"SONDE_RERANKING_MODEL": str(folder)})
    assert by_path.reranking_model == folder


def test_the_cache_folder_comes_from_the_environment() -> None:
    assert default_cache({"SONDE_CACHE_DIR": "/a/b"}) == Path("/a/b")
    assert default_cache({"XDG_CACHE_HOME": "/x"}) == Path("/x/sonde")
    assert default_cache({"XDG_CACHE_HOME": "relative"}) == Path.home() / ".cache" / "sonde"


def test_a_configuration_file_that_links_elsewhere_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside.toml").write_text("workers = 5")
    root = tmp_path / "root"
    root.mkdir()
    (root / "sonde.toml").symlink_to(tmp_path / "outside.toml")
    assert settings(root).workers == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SONDE_BUDGET", "--5"),
        ("SONDE_WORKERS", "9" * 5_000),
        ("SONDE_VECTOR_STORE", "~nobody-of-that-name/vectors"),
        ("SONDE_CACHE_DIR", "~nobody-of-that-name/cache"),
    ],
)
def test_nothing_in_the_environment_ended_in_a_traceback(
    tmp_path: Path, name: str, value: str
) -> None:
    found = load_settings(tmp_path, {"HOME": str(tmp_path), name: value}, {})
    assert isinstance(found, ConfigProblem)
    assert "\n" not in found.message


@pytest.mark.parametrize("store", ["localhost:6333", "nonsense", "ftp://host.invalid"])
def test_a_mistyped_vector_store_became_a_folder_in_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str
) -> None:
    monkeypatch.chdir(tmp_path)
    found = load_settings(tmp_path, {"SONDE_VECTOR_STORE": store}, {})
    assert isinstance(found, ConfigProblem)
    assert f"{store!r} is neither a server (http://host:6333) nor a folder" in found.message


def test_a_vector_store_is_a_server_or_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    new = str(tmp_path / "new")
    for given, meant in (
        ("https://host.invalid:6333", "https://host.invalid:6333"),
        (new, new),
        ("there", str(tmp_path / "there")),
    ):
        found = load_settings(tmp_path, {"SONDE_VECTOR_STORE": given}, {})
        assert not isinstance(found, ConfigProblem)
        assert found.vector_store == meant


def test_a_folder_called_like_our_file_has_no_settings(tmp_path: Path) -> None:
    (tmp_path / "sonde.toml").mkdir()
    assert settings(tmp_path) == settings(tmp_path / "elsewhere")


def test_settings_in_another_encoding_were_answered_in_words_of_the_decoder(tmp_path: Path) -> None:
    (tmp_path / "sonde.toml").write_bytes(b"\xff\xfe")
    found = load_settings(tmp_path, {}, {})
    assert isinstance(found, ConfigProblem)
    assert found.message == "sonde.toml: not in UTF-8"
