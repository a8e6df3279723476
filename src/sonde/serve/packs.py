"""Packs that were sent, kept for a while so that `more` can continue them."""

from __future__ import annotations

import marshal
import threading
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sonde.model import Pack

_KEPT = 200
_FASTEST = 1  # level of compression: 0.3 ms a pack
_BYTES = 4 << 20  # all together


@dataclass(frozen=True, slots=True)
class Sent:
    """A pack's text with the question it answered and all that was shown up to it."""

    question: Mapping[str, Any]
    text: str
    seen: frozenset[tuple[str, str]]


class SentPacks:
    """The newest packs by root.

    They are seldom asked for again, so each is kept as one compressed block: a quarter of 30 KB.
    As objects, their thousands of names lay among what questions remember only for a moment, and
    Python could give none of that memory back.
    """

    def __init__(self) -> None:
        self._packs: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def put(
        self,
        pack: Pack,
        text: str,
        question: Mapping[str, Any],
        before: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        """Remember a pack; `before` is what earlier parts of it showed."""
        shown = {
            (item.symbol.file, item.symbol.qualname)
            for section in pack.sections
            for item in section.items
        }
        sent = marshal.dumps((dict(question), text, before | shown))
        compressed = zlib.compress(sent, _FASTEST)
        with self._lock:
            self._drop(pack.root)
            self._packs[pack.root] = compressed
            self._bytes += len(compressed)
            while len(self._packs) > _KEPT or self._bytes > _BYTES:
                self._drop(next(iter(self._packs)))

    def rest(self) -> None:
        """Move to memory that is in use anyway, as what lay around the packs is gone by now."""
        with self._lock:
            old, self._packs = self._packs, OrderedDict()
            for root, each in old.items():
                self._packs[root.encode().decode()] = each  # another text of the same letters

    def _drop(self, root: str) -> None:
        if (old := self._packs.pop(root, None)) is not None:
            self._bytes -= len(old)

    def get(self, root: str) -> Sent | None:
        """The pack of that root, if it was sent lately."""
        with self._lock:
            compressed = self._packs.get(root)
        return None if compressed is None else Sent(*marshal.loads(zlib.decompress(compressed)))
