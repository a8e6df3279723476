"""File events of an editor: they wake a sync, and carry unsaved buffers."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from sonde.serve.arguments import Arguments, BadArgument
from sonde.serve.buffers import relative_path

if TYPE_CHECKING:
    from sonde.serve.served import Served

_SAVED = ("created", "modified", "deleted")
_BUFFER = ("opened", "changed", "closed")
_MOST = 10_000  # events of one request


class _Event(NamedTuple):
    """An event that was checked."""

    kind: str
    path: str
    text: str | None  # of the unsaved buffer
    moment: float | None  # seconds since 1970, if the editor says


def take_events(served: Served, given: Arguments) -> dict[str, object]:
    """Apply a batch of events; all are checked before the first one counts.

    Any batch, even an empty one, says that the editor is alive and wants its buffers kept.
    """
    given.only("events")
    listed = given.list("events")
    if len(listed) > _MOST:
        raise BadArgument(f"more than {_MOST} events in one request")
    checked = [_checked(served, Arguments(each)) for each in listed]
    buffers = served.buffers()
    forgotten, late = buffers.heard(), 0
    for event in checked:
        if buffers.is_late(event.path, event.moment):
            late += 1  # requests overtake each other: what came later counts
        elif event.text is not None:
            buffers.put(event.path, event.text)
        elif event.kind != "opened":
            buffers.drop(event.path)  # saved, deleted or closed: the disk counts again
        served.noticed(event.path, on_disk=event.kind in _SAVED)
    taken: dict[str, object] = {"taken": len(checked) - late, "buffers": buffers.count}
    told = {"late": late, "forgotten": forgotten}
    return taken | {name: value for name, value in told.items() if value}


def _checked(served: Served, event: Arguments) -> _Event:
    event.only("type", "file_path", "content_hash", "timestamp", "content")
    kind = event.choice("type", (*_SAVED, *_BUFFER)) if event.has("type") else ""
    if not kind:
        raise BadArgument(f"type must be one of {', '.join((*_SAVED, *_BUFFER))}")
    path = relative_path(served.root, event.text("file_path"))
    content = _content(event)
    if kind == "changed" and content is None:
        raise BadArgument("changed needs the buffer's content")
    if content is not None and os.path.isdir(os.path.join(served.root, path)):
        raise BadArgument(f"{path!r} is a folder: name a file")
    if kind in ("deleted", "closed") and content is not None:
        raise BadArgument(f"{kind} has no content")
    return _Event(kind, path, content, _moment(event))


def _moment(event: Arguments) -> float | None:
    """When it happened; a time without a zone is UTC."""
    if not event.has("timestamp"):
        return None
    told = event.text("timestamp")
    try:
        moment = datetime.fromisoformat(told)
    except ValueError:
        raise BadArgument("timestamp must be like 2025-12-30T10:35:12Z") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _content(event: Arguments) -> str | None:
    text = event.raw_text("content")
    if event.has("content_hash"):
        told = event.text("content_hash").removeprefix("sha256:").lower()
        if text is not None and hashlib.sha256(text.encode("utf-8")).hexdigest() != told:
            raise BadArgument("content_hash is not the SHA-256 of content")
    return text
