"""Configurations of clients: shown, written beside what is there, and taken out again."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from served_repository import sonde

from sonde.serve.clients import CLIENTS, Unusable, changed


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_shown_configuration_names_a_command_and_touches_nothing(
    name: str, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    done = sonde(
        tmp_path, "mcp", "--print-config", name, "--repo", str(work), env={"HOME": str(home)}
    )
    assert done.returncode == 0, done.stderr
    whole = tomllib.loads(done.stdout) if name == "codex" else json.loads(done.stdout)
    (servers,) = whole.values()
    assert servers["sonde"]["args"][-1] == "mcp"
    assert not list(home.iterdir())
    assert not list(work.iterdir())


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_writing_keeps_what_is_there_and_removing_undoes_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    client = CLIENTS[name]
    place = client.place(tmp_path)
    place.parent.mkdir(parents=True, exist_ok=True)
    if client.toml:
        before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "other"\n'
    else:
        mine = {"theme": "dark", client.key: {"other": {"command": "other"}}}
        before = json.dumps(mine, indent=2) + "\n"
    place.write_text(before)
    assert changed(client, tmp_path, remove=False) == place
    text = place.read_text()
    servers = (tomllib.loads(text) if client.toml else json.loads(text))[client.key]
    assert set(servers) == {"other", "sonde"}
    changed(client, tmp_path, remove=False)
    assert place.read_text() == text
    changed(client, tmp_path, remove=True)
    assert place.read_text() == before


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_file_that_only_we_wrote_is_gone_after_removing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    place = changed(CLIENTS[name], tmp_path, remove=False)
    assert place.is_file()
    changed(CLIENTS[name], tmp_path, remove=True)
    assert not place.exists()


def test_a_file_with_comments_or_another_form_is_left_alone(tmp_path: Path) -> None:
    place = CLIENTS["cursor"].place(tmp_path)
    place.parent.mkdir()
    for text in ('{"mcpServers": {}, // mine\n}', "[]", '{"mcpServers": []}', "no json"):
        place.write_text(text)
        with pytest.raises(Unusable):
            changed(CLIENTS["cursor"], tmp_path, remove=False)
        assert place.read_text() == text
