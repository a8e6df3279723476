"""Resources: the rest of the engine by address."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sonde.pack.freshness import freshness
from sonde.serve.arguments import Arguments, BadArgument
from sonde.serve.asking import LIST_BUDGET, Refused, answered, symbol
from sonde.serve.frame import framed, within

if TYPE_CHECKING:
    from sonde.engine import Engine
    from sonde.serve.served import Served

_MAP_DEPTH = 3


class NotThere(Exception):
    """No resource has that address."""


def read_resource(engine: Engine, served: Served, uri: str) -> tuple[str, str]:
    """The kind and the text of a resource."""
    if uri == "sonde://status":
        return "application/json", json.dumps(status(engine, served))
    try:
        if uri == "sonde://map":
            return "text/plain", within(map_lines(engine), LIST_BUDGET)
        if uri.startswith("sonde://symbol/"):
            name = unquote(uri.removeprefix("sonde://symbol/"))
            return "text/plain", symbol(served, Arguments({"name": name}))(engine)
    except (Refused, BadArgument) as refusal:
        raise NotThere(str(refusal)) from refusal
    if uri.startswith("sonde://pack/"):
        sent = served.packs.get(uri.removeprefix("sonde://pack/"))
        if sent is not None:
            return "text/plain", framed(sent.text)
        raise NotThere("no pack of that id was sent lately: ask for the task again")
    raise NotThere(f"there is no resource {uri[:100]!r}: see resources/list")


def status(engine: Engine, served: Served) -> dict[str, object]:
    """What the index holds and how it is kept fresh."""
    from sonde.cli.plain import embedded, history, plain
    from sonde.history.kept import kept
    from sonde.store.errors import Problem, ProblemKind

    found, health = engine.status(), served.health()
    held = {} if isinstance(found, Problem) else {**plain(found), "skipped": dict(found.skipped)}
    place = engine.place()
    commits = None if isinstance(place, Problem) else kept(place.root, place.history)
    state = "degraded" if health.degraded else "ready"
    if health.indexing or held.get("share", 1.0) < 1.0:  # a first index may have been cut short
        state = "indexing"
    elif isinstance(found, Problem):
        empty = found.kind is ProblemKind.NO_INDEX
        state = "empty" if empty else "unusable"
        held = {} if empty else {"problem": found.message}
    return {
        "root": str(served.root),
        "state": state,
        **held,
        "history": history(commits),
        "embedded": embedded(engine.embedded()),
        "health": plain(health),
        "waiting": served.waiting,
    }


def map_lines(engine: Engine) -> list[str]:
    """How fresh it is, then folders with their files and symbols counted, by path."""
    lines: list[str] = answered(engine.ask(freshness))
    files: Counter[str] = Counter()
    symbols: Counter[str] = Counter()
    seen: set[str] = set()
    for record in answered(engine.symbols()):
        folder = "/".join(record.file.split("/")[:-1][:_MAP_DEPTH]) or "."
        symbols[folder] += 1
        if record.file not in seen:
            seen.add(record.file)
            files[folder] += 1
    return lines + [
        f"{folder}: {files[folder]} files, {symbols[folder]} symbols" for folder in sorted(files)
    ]
