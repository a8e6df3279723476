"""Configurations of MCP clients: shown, written beside what is there, and taken out again."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonde.serve.json_text import JsonText
from sonde.store.whole_file import replace_file

NAME = "sonde"
_TABLE = re.compile(r"^\[mcp_servers\.sonde(?:\.[^\]]+)?\]\s*$")
_ANY_TABLE = re.compile(r"^\s*\[")


class Unusable(Exception):
    """A client's file that cannot be changed; the message is one line."""


def command() -> list[str]:
    """How a client starts the server: by the very program that runs now."""
    program = Path(sys.argv[0])
    if program.name == NAME and program.is_file():
        return [str(program.absolute()), "mcp"]
    return [sys.executable, "-m", "sonde", "mcp"]


@dataclass(frozen=True, slots=True)
class Client:
    """One client: where its file is, under which key servers stand, how an entry looks."""

    place: Callable[[Path], Path]
    key: str
    entry: Callable[[list[str]], dict[str, Any]]
    toml: bool = False

    def text(self, folder: Path) -> str:
        """The configuration that this client needs."""
        entry = self.entry(command())
        if self.toml:
            return _toml(entry)
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


def changed(client: Client, folder: Path, *, remove: bool) -> Path:
    """Put our entry into the client's file or take it out; everything else stays."""
    path = client.place(folder)
    try:
        written = path.read_bytes().decode("utf-8") if path.exists() else ""
    except (OSError, UnicodeError) as error:
        raise Unusable(f"cannot read {path}: {error}") from error
    before = written.replace("\r\n", "\n")
    change = _changed_toml if client.toml else _changed_json
    after = change(before, client, path, remove)
    if after == before:
        return path
    if not after.strip():
        path.unlink(missing_ok=True)
        return path
    _replace(path, after.replace("\n", "\r\n") if "\r\n" in written else after)
    return path


def _changed_json(before: str, client: Client, path: Path, remove: bool) -> str:
    try:
        whole = json.loads(before) if before.strip() else {}
    except ValueError as error:
        # Comments are legal in some of these files; rewriting would lose them.
        raise Unusable(f"{path} is not plain JSON, so it is left as it is: {error}") from error
    servers = whole.get(client.key, {}) if isinstance(whole, dict) else None
    if not isinstance(whole, dict) or not isinstance(servers, dict):
        raise Unusable(f"{path} has another form than expected, so it is left as it is")
    text = JsonText(before if before.strip() else "{}\n")
    entry = client.entry(command())
    if remove and NAME in servers:
        text.take((client.key, NAME))
        return text.text if json.loads(text.text) else ""
    if remove or servers.get(NAME) == entry:
        return before
    text.put((client.key, NAME), entry)
    return text.text


def _changed_toml(before: str, client: Client, path: Path, remove: bool) -> str:
    """The file without our table and what belongs to it, then with it at the end."""
    kept: list[str] = []
    ours = False
    for line in before.splitlines(keepends=True):
        if _ANY_TABLE.match(line):
            ours = bool(_TABLE.match(line.strip()))
        if not ours:
            kept.append(line)
    rest = "".join(kept).rstrip("\n")
    if remove:
        return before if rest == before.rstrip("\n") else rest + "\n" * bool(rest)
    return (rest + "\n\n" if rest else "") + _toml(client.entry(command()))


def _toml(entry: dict[str, Any]) -> str:
    # JSON's strings and lists of strings are TOML's too.
    rows = [f"{name} = {json.dumps(value)}" for name, value in entry.items()]
    return "\n".join([f"[mcp_servers.{NAME}]", *rows]) + "\n"


def _replace(path: Path, text: str) -> None:
    """Write beside and rename, so that no reader sees half a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        replace_file(target, text, mode)
    except OSError as error:
        raise Unusable(f"cannot write {path}: {error.strerror}") from error
