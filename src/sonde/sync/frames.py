"""Messages between the writer and its workers: length-prefixed marshal over pipes."""

from __future__ import annotations

import marshal
import struct
from typing import IO, Any

_LENGTH = struct.Struct("<I")


def pack_frame(message: Any) -> bytes:
    """A message as bytes, its length first."""
    body = marshal.dumps(message)
    return _LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> Any | None:
    """The next message, or None when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return marshal.loads(body) if len(body) == length else None


class FrameBuffer:
    """Collects bytes as they arrive and hands out the whole messages among them."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> list[Any]:
        """Add bytes; return the messages they complete."""
        self._data += data
        messages = []
        start = 0
        while len(self._data) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._data, start)
            end = start + _LENGTH.size + length
            if len(self._data) < end:
                break
            messages.append(marshal.loads(memoryview(self._data)[start + _LENGTH.size : end]))
            start = end
        if start:
            del self._data[:start]
        return messages
