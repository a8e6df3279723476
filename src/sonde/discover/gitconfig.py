"""Where git keeps ignore rules outside `.gitignore`, and its index, found without running git."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from sonde.discover.reading import is_inside, read_start
from sonde.expression import expression

_CONFIG_LIMIT = 1_000_000
_SECTION = expression(r"\s*\[\s*([^\]\s\"]+)\s*(\"[^\"]*\")?\s*\]\s*(.*)")
_SETTING = expression(r"\s*excludesfile\s*=\s*(.*)", re.IGNORECASE)


def user_excludes_file(environment: Mapping[str, str] | None = None) -> Path | None:
    """The user's global excludes file, as `core.excludesFile` or git's default names it.

    Only the user's own configuration counts: a repository's could name any file.
    """
    variables = os.environ if environment is None else environment
    home = variables.get("HOME") or variables.get("USERPROFILE")
    configured_folder = variables.get("XDG_CONFIG_HOME")
    if not home and not configured_folder:
        return None
    folder = Path(configured_folder) if configured_folder else Path(home or "") / ".config"
    configs = [folder / "git" / "config"]
    if home:
        configs.append(Path(home) / ".gitconfig")
    chosen: str | None = None
    for config in configs:
        content = read_start(os.path.realpath(config), _CONFIG_LIMIT)
        named = _excludes_setting(content.decode("utf-8", "replace")) if content else None
        chosen = chosen if named is None else named
    if chosen is None:
        return folder / "git" / "ignore"
    if chosen.startswith("~/") and home:
        return Path(home) / chosen[2:]
    return Path(chosen) if os.path.isabs(chosen) else None


def repository_excludes_file(root: str, folder: str) -> str | None:
    """`info/exclude` of the repository whose work tree is `folder`, if it lies in the root."""
    git = _git_folder(folder)
    if git is None:
        return None
    if is_inside(root, git):  # all worktrees of a repository share its excludes
        git = os.path.join(git, _pointer(os.path.join(git, "commondir")))
    excludes = os.path.realpath(os.path.join(git, "info", "exclude"))
    return excludes if is_inside(root, excludes) else None


def index_file(folder: str) -> str | None:
    """The index of the repository whose work tree is `folder`, wherever it lies."""
    git = _git_folder(folder)
    return None if git is None else os.path.join(git, "index")


def _git_folder(folder: str) -> str | None:
    """The folder in which git keeps what is checked out in a work tree, symlinks resolved."""
    git = os.path.join(folder, ".git")
    if not os.path.isfile(git) or os.path.islink(git):
        return os.path.realpath(git)
    pointer = _pointer(git)
    if not pointer.startswith("gitdir:"):
        return None
    return os.path.realpath(os.path.join(folder, pointer.removeprefix("gitdir:").strip()))


def _pointer(path: str) -> str:
    """What one of git's files says about where others are; "" for none."""
    text = (read_start(path, 4096) or b"").decode("utf-8", "surrogateescape").strip()
    return "" if "\0" in text else text


def _excludes_setting(config: str) -> str | None:
    """Last value of core.excludesFile in a configuration file's text."""
    in_core = False
    value: str | None = None
    for line in config.replace("\\\n", "").split("\n"):
        rest = line
        if section := _SECTION.match(line):
            in_core = section[1].lower() == "core" and section[2] is None
            rest = section[3]
        if in_core and (setting := _SETTING.match(rest)):
            value = _unquoted(setting[1])
    return value


def _unquoted(value: str) -> str:
    """A configuration value without quotes, escapes and trailing comment."""
    quoted = False
    result: list[str] = []
    characters = iter(value.strip())
    for char in characters:
        if char == '"':
            quoted = not quoted
        elif char == "\\":
            result.append(next(characters, ""))
        elif char in "#;" and not quoted:
            break
        else:
            result.append(char)
    return "".join(result).strip()
