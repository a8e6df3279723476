"""The pack root: the same question on the same content has the same address."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from sonde.model import Item

ROOT_DIGITS = 16  # hexadecimal: short enough to cite


def normalised(task: str) -> str:
    """The task with case and whitespace folded."""
    return " ".join(task.split()).casefold()


def content_hash(item: Item) -> bytes:
    """Hash of the item's content and location."""
    symbol = item.symbol
    place = f"{symbol.file}\0{symbol.qualname}\0{symbol.start_line}\0{int(item.fidelity)}\0"
    return blake2b(_bytes(place + item.text), digest_size=16).digest()


def pack_root(task: str, options: Iterable[str], budget: int, items: Iterable[Item]) -> str:
    """Hash over the normalised task, the options, the budget and the chosen content."""
    digest = blake2b(digest_size=ROOT_DIGITS // 2)
    for part in (normalised(task), *options, str(budget)):
        digest.update(_bytes(part) + b"\0")
    for item_hash in sorted(content_hash(item) for item in items):
        digest.update(item_hash)
    return digest.hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
