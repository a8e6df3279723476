"""Configurations of clients: shown, written beside what is there, and taken out again."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from served_repository import sonde

from sonde.serve.clients import CLIENTS, Client, Unusable, changed
from sonde.serve.json_text import read_json


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
    assert changed(client, tmp_path, remove=False).path == place
    text = place.read_text()
    servers = (tomllib.loads(text) if client.toml else json.loads(text))[client.key]
    assert set(servers) == {"other", "sonde"}
    changed(client, tmp_path, remove=False)
    assert place.read_text() == text
    changed(client, tmp_path, remove=True)
    assert place.read_text() == before


FILES = {
    "four blanks": '{\n    "mcpServers": {\n        "a": {"b": ["x", "y"]}\n    }\n}\n',
    "tabs": '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}',
    "one line": '{"mcpServers": {"a": {"command": "a"}}, "b": "\\u00e4 }"}',
    "lines of Windows": '{\r\n  "b": [1, 2],\r\n  "c": {}\r\n}\r\n',
    "ours first": '{\n  "b": true\n}\n',
    "blanks around": ' \n{ "b" : [ ] , "mcpServers" : { "a" : null } }\n\n',
}


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_was_written_anew_in_another_style(name: str, tmp_path: Path) -> None:
    client = CLIENTS["claude-code"]
    place = client.place(tmp_path)
    before = FILES[name].encode()
    place.write_bytes(before)
    changed(client, tmp_path, remove=False)
    written = json.loads(place.read_bytes())
    mine = json.loads(before)
    assert written.pop("mcpServers")["sonde"]["args"][-1] == "mcp"
    mine.pop("mcpServers", None)
    assert written == mine
    stays_when_written_again_and_goes(client, tmp_path, before)


def stays_when_written_again_and_goes(client: Client, root: Path, before: bytes) -> None:
    place = client.place(root)
    added = place.read_bytes()
    changed(client, root, remove=False)
    assert place.read_bytes() == added
    changed(client, root, remove=True)
    assert place.read_bytes() == before


def test_an_older_entry_of_ours_is_replaced_where_it_stands(tmp_path: Path) -> None:
    client = CLIENTS["claude-code"]
    place = client.place(tmp_path)
    text = '{"mcpServers": {"sonde": {"command": "old"}, "other": {}}}'
    place.write_text(text)
    changed(client, tmp_path, remove=False)
    servers = json.loads(place.read_text())["mcpServers"]
    assert list(servers) == ["sonde", "other"]
    assert servers["sonde"]["args"][-1] == "mcp"
    changed(client, tmp_path, remove=True)
    assert place.read_text() == '{"mcpServers": {"other": {}}}'


def test_removing_where_nothing_is_makes_no_file(tmp_path: Path) -> None:
    assert not changed(CLIENTS["claude-code"], tmp_path, remove=True).path.exists()


@pytest.mark.parametrize("name", sorted(CLIENTS))
def test_a_file_that_only_we_wrote_is_gone_after_removing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    place = changed(CLIENTS[name], tmp_path, remove=False).path
    assert place.is_file()
    changed(CLIENTS[name], tmp_path, remove=True)
    assert not place.exists()


def test_a_file_of_another_form_is_left_alone(tmp_path: Path) -> None:
    place = CLIENTS["cursor"].place(tmp_path)
    place.parent.mkdir()
    for text in ("[]", '{"mcpServers": []}', '{"mcpServers": {"sonde": 1}}', "no json", "{//\n"):
        place.write_text(text)
        with pytest.raises(Unusable):
            changed(CLIENTS["cursor"], tmp_path, remove=False)
        assert place.read_text() == text


COMMENTED = {
    "as Zed writes it": (
        "// Zed settings\n//\n// see https://zed.dev/docs\n{\n"
        '  "theme": "a // b", // dark\n  /* none, {yet} */\n}\n'
    ),
    "trailing commas": '{\n  "context_servers": {\n    "a": {"x": [1, 2,],}, // a\n  },\n}\n',
    "only comments": "{\n  // nothing yet\n}\n",
    "comments between": (
        '{\n  "context_servers": {\n    // first\n    "a": {} /* of a */, // a\n'
        '    // last\n    "b": "}"\n    // end\n  }\n}'
    ),
    "a mark and lines of Windows": '\ufeff{\r\n  "b": 1, // x\r\n}\r\n',
    "both kinds of lines": '{\r\n  "b": 1,\n  "c": 2\r\n}\n',
}


@pytest.mark.parametrize("name", sorted(COMMENTED))
def test_bug_files_with_comments_could_not_be_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    client = CLIENTS["zed"]
    place = client.place(tmp_path)
    place.parent.mkdir(parents=True)
    before = COMMENTED[name].encode()
    place.write_bytes(before)
    changed(client, tmp_path, remove=False)
    added = place.read_bytes()
    mine = read_json(before.decode().removeprefix("\ufeff"))
    written = read_json(added.decode().removeprefix("\ufeff"))
    assert written[client.key].pop("sonde")["args"][-1] == "mcp"
    assert written == {client.key: {}, **mine}
    stays_when_written_again_and_goes(client, tmp_path, before)


def test_comments_around_our_entry_stay_when_it_goes(tmp_path: Path) -> None:
    client = CLIENTS["vscode"]
    place = client.place(tmp_path)
    place.parent.mkdir()
    for before, after in (
        (
            '{\n "servers": {\n  // of ours\n  "sonde": {}, // x\n  // of b\n  "b": {}\n }\n}\n',
            '{\n "servers": {\n  // of ours\n // x\n  // of b\n  "b": {}\n }\n}\n',
        ),
        ('{"servers": {/* a */ "sonde": {} /* b */}}', '{"servers": {/* a */ /* b */}}'),
    ):
        place.write_text(before)
        changed(client, tmp_path, remove=True)
        assert place.read_text() == after


def test_bug_what_a_user_had_added_to_our_entry_was_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    place = CLIENTS["cursor"].place(tmp_path)
    place.parent.mkdir(parents=True)
    place.write_text('{"mcpServers": {"sonde": {"command": "old", "env": {"A": "1"}}}}')
    changed(CLIENTS["cursor"], tmp_path, remove=False)
    entry = json.loads(place.read_text())["mcpServers"]["sonde"]
    assert entry["env"] == {"A": "1"}
    assert entry["command"] != "old"
    place = CLIENTS["codex"].place(tmp_path)
    place.parent.mkdir(parents=True)
    place.write_text(
        '[mcp_servers.sonde] # ours\ncommand = "old"\nstartup_timeout_sec = 9\n\n'
        '[mcp_servers.sonde.env]\nA = "1"\n\n# mine\n[tui]\nx = 1\n'
    )
    changed(CLIENTS["codex"], tmp_path, remove=False)
    text = place.read_text()
    entry = tomllib.loads(text)["mcp_servers"]["sonde"]
    assert entry["startup_timeout_sec"] == 9
    assert entry["env"] == {"A": "1"}
    assert entry["args"][-1] == "mcp"
    changed(CLIENTS["codex"], tmp_path, remove=False)
    assert place.read_text() == text
    changed(CLIENTS["codex"], tmp_path, remove=True)
    assert place.read_text() == "# mine\n[tui]\nx = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { sonde = { command = "old" } }\n',
        '[mcp_servers]\nsonde = { command = "old" }\n',
        "mcp_servers = 3\n",
        "no toml",
    ],
)
def test_bug_a_second_table_of_ours_made_a_file_useless(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    place = CLIENTS["codex"].place(tmp_path)
    place.parent.mkdir(parents=True)
    place.write_text(text)
    for remove in (False, True):
        with pytest.raises(Unusable):
            changed(CLIENTS["codex"], tmp_path, remove=remove)
        assert place.read_text() == text
