"""File events of an editor: they wake a sync, and carry unsaved buffers."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sonde.serve.arguments import Arguments, BadArgument
from sonde.serve.buffers import relative_path

if TYPE_CHECKING:
    from sonde.serve.served import Served

_SAVED = ("created", "modified", "deleted")
_BUFFER = ("opened", "changed", "closed")
_MOST = 10_000  # events of one request


def take_events(served: Served, given: Arguments) -> dict[str, object]:
    """Apply a batch of events; all are checked before the first one counts.

    Any batch, an empty one too, says that the editor lives and wants its buffers kept.
    """
    given.only("events")
    listed = given.list("events")
    if len(listed) > _MOST:
        raise BadArgument(f"more than {_MOST} events in one request")
    checked = [_checked(served, Arguments(each)) for each in listed]
    forgotten = served.buffers().heard()
    for kind, path, text in checked:
        if text is not None:
            served.buffers().put(path, text)
        elif kind != "opened":
            served.buffers().drop(path)  # saved, deleted or closed: the disk counts again
        served.noticed(path, on_disk=kind in _SAVED)
    taken: dict[str, object] = {"taken": len(checked), "buffers": served.buffers().count}
    return {**taken, "forgotten": forgotten} if forgotten else taken


def _checked(served: Served, event: Arguments) -> tuple[str, str, str | None]:
    event.only("type", "file_path", "content_hash", "timestamp", "content")
    kind = event.choice("type", (*_SAVED, *_BUFFER)) if event.has("type") else ""
    if not kind:
        raise BadArgument(f"type must be one of {', '.join((*_SAVED, *_BUFFER))}")
    path = relative_path(served.root, event.text("file_path"))
    content = _content(event)
    if kind == "changed" and content is None:
        raise BadArgument("changed needs the buffer's content")
    if kind in ("deleted", "closed") and content is not None:
        raise BadArgument(f"{kind} has no content")
    return kind, path, content


def _content(event: Arguments) -> str | None:
    text = event.raw_text("content")
    if event.has("timestamp"):
        event.text("timestamp")
    if event.has("content_hash"):
        told = event.text("content_hash").removeprefix("sha256:").lower()
        if text is not None and hashlib.sha256(text.encode("utf-8")).hexdigest() != told:
            raise BadArgument("content_hash is not the SHA-256 of content")
    return text
