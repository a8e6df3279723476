"""The tools that can be measured, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bench.adapters.aider import AiderAdapter
from bench.adapters.bm25 import Bm25Adapter
from bench.adapters.codegraph import CodegraphAdapter
from bench.adapters.contract import Adapter
from bench.adapters.definitions import from_ctags, from_sonde
from bench.adapters.ripgrep import RipgrepAdapter
from bench.adapters.sonde import SondeAdapter, isolated_environment


def _sonde(scratch: Path, without: Sequence[str]) -> Adapter:
    return SondeAdapter(scratch, without)


def _bm25(scratch: Path, without: Sequence[str]) -> Adapter:
    return Bm25Adapter("bm25", partial(from_sonde, environment=isolated_environment(scratch)))


def _bm25_ctags(scratch: Path, without: Sequence[str]) -> Adapter:
    return Bm25Adapter("bm25-ctags", from_ctags)


def _ripgrep(scratch: Path, without: Sequence[str]) -> Adapter:
    return RipgrepAdapter(partial(from_sonde, environment=isolated_environment(scratch)))


def _codegraph(scratch: Path, without: Sequence[str]) -> Adapter:
    return CodegraphAdapter(scratch)


def _aider(scratch: Path, without: Sequence[str]) -> Adapter:
    environment = isolated_environment(scratch)
    return AiderAdapter(scratch, partial(from_sonde, environment=environment))


ADAPTERS: dict[str, Callable[[Path, Sequence[str]], Adapter]] = {
    "sonde": _sonde,
    "bm25": _bm25,
    "bm25-ctags": _bm25_ctags,
    "ripgrep": _ripgrep,
    "codegraph": _codegraph,
    "aider": _aider,
}
