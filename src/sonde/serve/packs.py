"""Packs that were sent, remembered for a while so that `more` can continue them."""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sonde.model import Pack

_KEPT = 200
_FASTEST = 1  # level of compression: 0.3 ms a pack
_BYTES = 4 << 20  # of their texts together, compressed


@dataclass(frozen=True, slots=True)
class Sent:
    """A pack with the question it answered and all that was shown up to it.

    Its text is seldom asked for again, so it is kept compressed: a quarter of 30 KB.
    """

    question: Mapping[str, Any]
    compressed: bytes
    seen: frozenset[tuple[str, str]]

    @property
    def text(self) -> str:
        """The pack as it was sent."""
        return zlib.decompress(self.compressed).decode("utf-8", "surrogatepass")


class SentPacks:
    """The newest packs by root."""

    def __init__(self) -> None:
        self._packs: OrderedDict[str, Sent] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def put(
        self,
        pack: Pack,
        text: str,
        question: Mapping[str, Any],
        before: frozenset[tuple[str, str]] = frozenset(),
    ) -> Sent:
        """Remember a pack; `before` is what earlier parts of it showed."""
        shown = {
            (item.symbol.file, item.symbol.qualname)
            for section in pack.sections
            for item in section.items
        }
        compressed = zlib.compress(text.encode("utf-8", "surrogatepass"), _FASTEST)
        sent = Sent(question, compressed, before | shown)
        with self._lock:
            self._drop(pack.root)
            self._packs[pack.root] = sent
            self._bytes += len(compressed)
            while len(self._packs) > _KEPT or self._bytes > _BYTES:
                self._drop(next(iter(self._packs)))
        return sent

    def _drop(self, root: str) -> None:
        if (old := self._packs.pop(root, None)) is not None:
            self._bytes -= len(old.compressed)

    def get(self, root: str) -> Sent | None:
        """The pack of that root, if it was sent lately."""
        with self._lock:
            return self._packs.get(root)
