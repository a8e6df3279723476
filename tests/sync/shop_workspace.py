"""A handful of files, and how tests look at their index."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sonde.store.errors import Problem
from sonde.store.index import Index
from sonde.store.location import Workspace

FILES = {
    "shop/__init__.py": "from .cart import Cart\n",
    "shop/cart.py": (
        "from .price import total\n\n\nclass Cart:\n    def __init__(self, items):\n"
        "        self.items = items\n\n    def sum(self):\n        return total(self.items)\n"
    ),
    "shop/price.py": "def total(items):\n    return sum(item.price for item in items)\n",
    "tests/test_cart.py": (
        "from shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart([]).sum() == 0\n"
    ),
    "README.md": "# Shop\n\nUse `Cart.sum` to add up.\n\n## Install\n\nWith pip.\n",
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["attrs"]\n',
}


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())


def opened(place: Workspace) -> Index:
    """The newest generation."""
    index = Index.open(place)
    assert not isinstance(index, Problem), index
    return index
