"""Packs that were sent, remembered for a while so that `more` can continue them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sonde.model import Pack

_KEPT = 200


@dataclass(frozen=True, slots=True)
class Sent:
    """A pack with the question it answered and all that was shown up to it."""

    question: Mapping[str, Any]
    text: str
    seen: frozenset[tuple[str, str]]


class SentPacks:
    """The newest packs by root."""

    def __init__(self) -> None:
        self._packs: OrderedDict[str, Sent] = OrderedDict()
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
        sent = Sent(question, text, before | shown)
        with self._lock:
            self._packs.pop(pack.root, None)
            self._packs[pack.root] = sent
            while len(self._packs) > _KEPT:
                self._packs.popitem(last=False)
        return sent

    def get(self, root: str) -> Sent | None:
        """The pack of that root, if it was sent lately."""
        with self._lock:
            return self._packs.get(root)
