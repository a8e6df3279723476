from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from served_repository import FILES, HttpServer, StdioServer, write_files


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository for the tests of one file."""
    return write_files(tmp_path_factory.mktemp("repository"), FILES)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its index."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def stdio(repository: Path, cache: Path) -> Iterator[StdioServer]:
    """A server on standard input and output, greeted."""
    with StdioServer(cache, "--repo", str(repository)) as server:
        server.greet()
        yield server


@pytest.fixture(scope="module")
def http(repository: Path, cache: Path) -> Iterator[HttpServer]:
    """A server on a free port of the loopback."""
    with HttpServer(cache, "--repo", str(repository)) as server:
        yield server
