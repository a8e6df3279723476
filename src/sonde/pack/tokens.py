"""Exact token counts by a named tokenizer."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread

from sonde.pack.errors import UnknownTokenizer

DEFAULT_TOKENIZER = "o200k"
CHARS_PER_TOKEN = 4  # the usual rule of thumb for English and code


def _o200k() -> Callable[[str], int]:
    # Loading the ranks takes 0.2 s, so it is done only when a count is needed.
    from rs_bpe.bpe import openai

    count: Callable[[str], int] = openai.o200k_base().count
    return count


def _cl100k() -> Callable[[str], int]:
    from rs_bpe.bpe import openai

    count: Callable[[str], int] = openai.cl100k_base().count
    return count


def _chars4() -> Callable[[str], int]:
    return lambda text: -(-len(text) // CHARS_PER_TOKEN)


_LOADERS: dict[str, Callable[[], Callable[[str], int]]] = {
    "o200k": _o200k,
    "cl100k": _cl100k,
    "chars4": _chars4,
}
TOKENIZERS = tuple(_LOADERS)


_loaded: dict[str, Callable[[str], int]] = {}
_loading = Lock()


def _load(name: str) -> Callable[[str], int]:
    with _loading:
        if name not in _loaded:
            _loaded[name] = _LOADERS[name]()
    return _loaded[name]


def load_ahead(name: str) -> None:
    """Start loading a tokenizer in the background; the first count waits for it."""
    if name in _LOADERS and name not in _loaded:
        Thread(target=_load, args=(name,), daemon=True).start()


class TokenCounter:
    """Counts tokens with one tokenizer, whose ranks are loaded on the first count."""

    __slots__ = ("_count", "name")

    def __init__(self, name: str = DEFAULT_TOKENIZER) -> None:
        if name not in _LOADERS:
            raise ValueError(str(UnknownTokenizer(name, TOKENIZERS)))
        self.name = name
        self._count: Callable[[str], int] | None = None

    def count(self, text: str) -> int:
        """Number of tokens in the text; special-token markers count as plain text."""
        if self._count is None:
            self._count = _load(self.name)
        return self._count(text)


def token_counter(name: str = DEFAULT_TOKENIZER) -> TokenCounter | UnknownTokenizer:
    """The counter with this name, or an error that lists the names that exist."""
    return TokenCounter(name) if name in _LOADERS else UnknownTokenizer(name, TOKENIZERS)
