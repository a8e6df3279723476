"""Settings, read from sonde.toml or pyproject's [tool.sonde], the environment, then flags.

The environment is read only here; below, only where git looks for its settings by it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sonde.discover import DiscoverRules, LeaveOut
from sonde.expression import expression
from sonde.frozen import frozen
from sonde.store.location import own_folders
from sonde.store.source import Stale, read_source

_PREFIX = "SONDE_"
_OWN_FILE = "sonde.toml"
_PROJECT_FILE = "pyproject.toml"
_PROJECT_TABLE = f"{_PROJECT_FILE} [tool.sonde]"
_FILES = (_OWN_FILE, _PROJECT_TABLE)
_MOST_WORKERS = 64
_LARGEST_FILE = 100_000_000
_NUMBER = expression(r"-?\d{1,18}")


@frozen
class Settings:
    """Everything that can be configured."""

    cache: Path  # only from the environment or a flag: a repository must not choose where we write
    rules: DiscoverRules
    workers: int = 0  # 0: one per core
    tokenizer: str = "o200k"
    budget: int = 8000
    window: int = 32_000  # context window, in tokens, of the model that a session's packs are for
    # These three, like the cache, are never read from a repository: it must not choose which model
    # reads the code, nor where the results are sent.
    embedding_model: Path | None = None
    reranking_model: Path | None = None
    vector_store: str = ""  # "": in the cache folder; else a Qdrant server's URL, or a folder


@frozen
class ConfigProblem:
    """Why the configuration cannot be used, in one line."""

    message: str


class _Refused(Exception):
    """A value that cannot be used; the message is for the user."""


def load_settings(
    root: Path,
    environment: Mapping[str, str] = os.environ,
    flags: Mapping[str, Any] | None = None,
) -> Settings | ConfigProblem:
    """The settings of a workspace. Flags override the environment, which overrides the files."""
    try:
        settings = Settings(default_cache(environment), DiscoverRules())
        for where, values in (
            _from_files(root),
            ("the environment", _from_environment(environment)),
            ("the command line", dict(flags or {})),
        ):
            settings = _applied(settings, where, values)
    except _Refused as error:
        return ConfigProblem(str(error))
    except RuntimeError as error:  # "~" of somebody who has no home
        return ConfigProblem(f"{error} Write folders without '~', and set SONDE_CACHE_DIR")
    return replace(settings, rules=replace(settings.rules, own=own_folders(settings.cache)))


def settings_files(root: Path) -> tuple[str, ...]:
    """The files of a workspace that may hold its settings."""
    return tuple(os.path.join(root, name) for name in (_OWN_FILE, _PROJECT_FILE))


def default_cache(environment: Mapping[str, str]) -> Path:
    """SONDE_CACHE_DIR, else sonde's folder in the user's cache folder."""
    if chosen := environment.get("SONDE_CACHE_DIR"):
        return Path(chosen).expanduser().absolute()
    shared = environment.get("XDG_CACHE_HOME", "")
    base = Path(shared) if os.path.isabs(shared) else Path.home() / ".cache"
    return base / "sonde"


def _from_files(root: Path) -> tuple[str, dict[str, Any]]:
    own = _read_toml(root, _OWN_FILE)
    if own is not None:
        return _OWN_FILE, own
    project = _read_toml(root, _PROJECT_FILE, lenient=True) or {}
    tool = project.get("tool")
    table = tool.get("sonde", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise _Refused(f"{_PROJECT_FILE}: [tool.sonde] must be a table")
    return _PROJECT_TABLE, table


def _read_toml(root: Path, name: str, *, lenient: bool = False) -> dict[str, Any] | None:
    data = read_source(os.path.realpath(root), name)
    if isinstance(data, Stale):
        return None
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        if lenient:  # another tool's file: its faults are not ours to report
            return None
        fault = "not in UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        raise _Refused(f"{name}: {fault.splitlines()[0]}") from error


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key in _SETTERS:
        text = environment.get(_PREFIX + key.upper())
        if text:
            values[key] = _parsed(key, text)
    return values


def _parsed(key: str, text: str) -> Any:
    """A value from the environment, converted to the type that a file would give it."""
    if key in _LISTS:
        return [part.strip() for part in text.split(",") if part.strip()]
    if key in _SWITCHES:
        return {"1": True, "true": True, "0": False, "false": False}.get(text.lower(), text)
    return int(text) if _NUMBER.fullmatch(text) else text


def _applied(settings: Settings, where: str, values: Mapping[str, Any]) -> Settings:
    for key, value in values.items():
        if key == "cache_dir" and where == "the command line":
            settings = replace(settings, cache=Path(_text(where, key, value)).absolute())
            continue
        if key in _USERS_OWN and where in _FILES:
            raise _Refused(f"{where}: {key} is for the user to choose: set {_PREFIX}{key.upper()}")
        setter = _SETTERS.get(key)
        if setter is None:
            known = ", ".join(sorted(_SETTERS))
            raise _Refused(f"{where}: unknown setting {key!r} (known: {known})")
        settings = setter(settings, where, value)
    return settings


def _whole(where: str, key: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _Refused(f"{where}: {key} must be a whole number from {low} to {high}")
    return value


def _text(where: str, key: str, value: Any) -> str:
    if not isinstance(value, str | Path):
        raise _Refused(f"{where}: {key} must be a text")
    return str(value)


def _texts(where: str, key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise _Refused(f"{where}: {key} must be a list of texts")
    return tuple(value)


def _set_ignore(settings: Settings, where: str, value: Any) -> Settings:
    globs = (*settings.rules.ignore, *_texts(where, "ignore", value))
    return replace(settings, rules=replace(settings.rules, ignore=globs))


def _set_include(settings: Settings, where: str, value: Any) -> Settings:
    globs = (*settings.rules.include, *_texts(where, "include", value))
    return replace(settings, rules=replace(settings.rules, include=globs))


def _set_leave_out(settings: Settings, where: str, value: Any) -> Settings:
    groups = {group.value: group for group in LeaveOut}
    names = _texts(where, "leave_out", value)
    for name in names:
        if name not in groups:
            known = ", ".join(groups)
            raise _Refused(f"{where}: leave_out has no group {name!r} (known: {known})")
    chosen = frozenset(groups[name] for name in names)
    return replace(settings, rules=replace(settings.rules, leave_out=chosen))


def _set_max_file_bytes(settings: Settings, where: str, value: Any) -> Settings:
    size = _whole(where, "max_file_bytes", value, 1, _LARGEST_FILE)
    return replace(settings, rules=replace(settings.rules, max_file_bytes=size))


def _set_respect_gitignore(settings: Settings, where: str, value: Any) -> Settings:
    if not isinstance(value, bool):
        raise _Refused(f"{where}: respect_gitignore must be true or false")
    return replace(settings, rules=replace(settings.rules, respect_gitignore=value))


def _set_workers(settings: Settings, where: str, value: Any) -> Settings:
    return replace(settings, workers=_whole(where, "workers", value, 0, _MOST_WORKERS))


def _set_tokenizer(settings: Settings, where: str, value: Any) -> Settings:
    return replace(settings, tokenizer=_text(where, "tokenizer", value))


def _set_budget(settings: Settings, where: str, value: Any) -> Settings:
    return replace(settings, budget=_whole(where, "budget", value, 1, 10_000_000))


def _set_window(settings: Settings, where: str, value: Any) -> Settings:
    return replace(settings, window=_whole(where, "window", value, 1_000, 10_000_000))


def _model(settings: Settings, where: str, key: str, value: Any) -> Path:
    from sonde.neural.model_folder import find_folder, missing_file  # few configure a model

    chosen = _text(where, key, value)
    try:
        folder = find_folder(chosen, settings.cache)
        missing = missing_file(folder)
    except (OSError, RuntimeError) as error:  # the latter for the home of nobody, "~nobody/model"
        said = (isinstance(error, OSError) and error.strerror) or error
        raise _Refused(f"{where}: {key}: {chosen[:200]} cannot be looked at: {said}") from error
    if missing:
        raise _Refused(
            f"{where}: {key}: {folder} has no {missing} ('sonde model list' shows what was fetched)"
        )
    return folder


def _set_embedding_model(settings: Settings, where: str, value: Any) -> Settings:
    return replace(settings, embedding_model=_model(settings, where, "embedding_model", value))


def _set_reranking_model(settings: Settings, where: str, value: Any) -> Settings:
    return replace(settings, reranking_model=_model(settings, where, "reranking_model", value))


def _set_vector_store(settings: Settings, where: str, value: Any) -> Settings:
    place = _text(where, "vector_store", value)
    if place and not place.startswith(_SERVERS):
        folder = Path(place).expanduser()
        if "://" in place or not (folder.is_absolute() or folder.is_dir()):
            # a relative one that is not there is more likely "host:port" than a wish
            raise _Refused(
                f"{where}: vector_store: {place!r} is neither a server (http://host:6333) nor a "
                "folder: give an absolute path if it is to be made"
            )
        place = str(folder.absolute())
    return replace(settings, vector_store=place)


_SETTERS: dict[str, Callable[[Settings, str, Any], Settings]] = {
    "ignore": _set_ignore,
    "include": _set_include,
    "leave_out": _set_leave_out,
    "max_file_bytes": _set_max_file_bytes,
    "respect_gitignore": _set_respect_gitignore,
    "workers": _set_workers,
    "tokenizer": _set_tokenizer,
    "budget": _set_budget,
    "window": _set_window,
    "embedding_model": _set_embedding_model,
    "reranking_model": _set_reranking_model,
    "vector_store": _set_vector_store,
}
_SERVERS = ("http://", "https://")
_USERS_OWN = frozenset({"embedding_model", "reranking_model", "vector_store"})
_LISTS = frozenset({"ignore", "include", "leave_out"})
_SWITCHES = frozenset({"respect_gitignore"})
