"""Git's user-wide excludes file is found without running git."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.discover.gitconfig import user_excludes_file


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("[core]\n\texcludesFile = /etc/mine\n", "/etc/mine"),
        ("[CORE]\nEXCLUDESFILE=~/mine # why\n", "HOME/mine"),
        ('[core] excludesfile = "/with space;/x"\n', "/with space;/x"),
        ("[core]\nexcludesfile = /one\n[core]\nexcludesfile = /two\n", "/two"),
        ('[core "sub"]\nexcludesfile = /no\n', "HOME/.config/git/ignore"),
        ("[alias]\nexcludesfile = /no\n", "HOME/.config/git/ignore"),
        ("[core]\n# excludesfile = /no\n", "HOME/.config/git/ignore"),
        ("", "HOME/.config/git/ignore"),
    ],
)
def test_setting_is_read_as_git_reads_it(tmp_path: Path, config: str, expected: str) -> None:
    (tmp_path / ".gitconfig").write_text(config)
    found = user_excludes_file({"HOME": str(tmp_path)})
    assert found == Path(expected.replace("HOME", str(tmp_path)))


def test_home_configuration_overrules_the_one_in_the_configuration_folder(tmp_path: Path) -> None:
    folder = tmp_path / "xdg"
    (folder / "git").mkdir(parents=True)
    (folder / "git/config").write_text("[core]\nexcludesfile = /from-xdg\n")
    variables = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(folder)}
    assert user_excludes_file(variables) == Path("/from-xdg")
    (tmp_path / ".gitconfig").write_text("[core]\nexcludesfile = /from-home\n")
    assert user_excludes_file(variables) == Path("/from-home")


def test_no_home_means_no_excludes_file() -> None:
    assert user_excludes_file({}) is None
