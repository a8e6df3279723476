"""Configurations of MCP clients: shown, written beside what is there, and taken out again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sonde.serve.json_text import JsonText, read_json
from sonde.serve.toml_text import table, with_table, without_table
from sonde.store.whole_file import replace_file

NAME = "sonde"


class Unusable(Exception):
    """A client's file that cannot be changed; the message is one line."""


def command() -> list[str]:
    """How a client starts the server: with the program that is running now."""
    program = Path(sys.argv[0])
    if program.name == NAME and program.is_file():
        return [str(program.absolute()), "mcp"]
    return [sys.executable, "-m", "sonde", "mcp"]


@dataclass(frozen=True, slots=True)
class Client:
    """One client: where its file is, the key that holds servers, and what an entry looks like."""

    place: Callable[[Path], Path]
    key: str
    entry: Callable[[list[str]], dict[str, Any]]
    toml: bool = False

    def text(self, folder: Path) -> str:
        """The configuration that this client needs."""
        entry = self.entry(command())
        if self.toml:
            return table(NAME, entry)
        return json.dumps({self.key: {NAME: entry}}, indent=2) + "\n"


def _plain(words: list[str]) -> dict[str, Any]:
    return {"command": words[0], "args": words[1:]}


def _stdio(words: list[str]) -> dict[str, Any]:
    return {"type": "stdio", **_plain(words)}


def _zed(words: list[str]) -> dict[str, Any]:
    return {"source": "custom", **_plain(words), "env": {}}


def _home(*parts: str) -> Callable[[Path], Path]:
    return lambda folder: Path.home().joinpath(*parts)


def _inside(*parts: str) -> Callable[[Path], Path]:
    return lambda folder: folder.joinpath(*parts)


CLIENTS = {
    "claude-code": Client(_inside(".mcp.json"), "mcpServers", _stdio),
    "cursor": Client(_inside(".cursor", "mcp.json"), "mcpServers", _plain),
    "vscode": Client(_inside(".vscode", "mcp.json"), "servers", _stdio),
    "zed": Client(_home(".config", "zed", "settings.json"), "context_servers", _zed),
    "codex": Client(_home(".codex", "config.toml"), "mcp_servers", _plain, toml=True),
    "windsurf": Client(_home(".codeium", "windsurf", "mcp_config.json"), "mcpServers", _plain),
    "jetbrains": Client(_inside(".junie", "mcp", "mcp.json"), "mcpServers", _plain),
}


class Changed(NamedTuple):
    """A client's file, and whether it had to be changed."""

    path: Path
    anew: bool


def changed(client: Client, folder: Path, *, remove: bool) -> Changed:
    """Put our entry into the client's file or take it out; everything else stays."""
    path = client.place(folder)
    try:
        written = path.read_bytes().decode("utf-8") if path.exists() else ""
    except (OSError, UnicodeError) as error:
        raise Unusable(f"cannot read {path}: {error}") from error
    mark = "\ufeff" if written.startswith("\ufeff") else ""
    # A file with mixed line ends keeps each as it is.
    windows = "\r\n" in written and written.count("\n") == written.count("\r\n")
    before = written.removeprefix(mark).replace("\r\n", "\n" if windows else "\r\n")
    change = _changed_toml if client.toml else _changed_json
    after = change(before, client, path, remove)
    if after == before:
        return Changed(path, False)
    if not after.strip():
        path.unlink(missing_ok=True)
        return Changed(path, True)
    _replace(path, mark + (after.replace("\n", "\r\n") if windows else after))
    return Changed(path, True)


def _changed_json(before: str, client: Client, path: Path, remove: bool) -> str:
    try:
        whole = read_json(before) if before.strip() else {}
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{path} is no JSON, so it is left as it is: {error}") from error
    servers = whole.get(client.key, {}) if isinstance(whole, dict) else None
    known = servers.get(NAME, {}) if isinstance(servers, dict) else None
    if not isinstance(servers, dict) or not isinstance(known, dict):
        raise Unusable(f"{path} has another form than expected, so it is left as it is")
    text = JsonText(before if before.strip() else "{}\n")
    entry = client.entry(command())
    if remove:
        if NAME not in servers:
            return before
        text.take((client.key, NAME))
        return "" if text.text.split() == ["{}"] else text.text
    for name, value in entry.items() if known else ():
        if known.get(name) != value:  # what the user added to our entry stays
            text.put((client.key, NAME, name), value)
    if not known:
        text.put((client.key, NAME), entry)
    return text.text


def _changed_toml(before: str, client: Client, path: Path, remove: bool) -> str:
    entry = client.entry(command())
    try:
        return without_table(before, NAME) if remove else with_table(before, NAME, entry)
    except ValueError as error:
        raise Unusable(f"{path} is left as it is: {error}") from error


def _replace(path: Path, text: str) -> None:
    """Write beside and rename, so that no reader sees half a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        replace_file(target, text, mode)
    except OSError as error:
        raise Unusable(f"cannot write {path}: {error.strerror}") from error
