"""Small repositories written as text, and engines over them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine

EXAMPLE = {
    "app/__init__.py": "",
    "app/client.py": '''\
"""The database client."""

from app.url import normalise_url


class DatabaseClient:
    """Talks to one database."""

    def __init__(self, url: str) -> None:
        self.url = url

    def connect(self) -> str:
        """Open the connection; the URL must not be empty."""
        return normalise_url(self.url)
''',
    "app/url.py": '''\
"""URLs."""


def normalise_url(url: str) -> str:
    """Lower-case the scheme of a URL."""
    scheme, _, rest = url.partition("://")
    return f"{scheme.lower()}://{rest}"


def split_host(url: str) -> str:
    """The host of a URL."""
    return normalise_url(url).split("/")[2]
''',
    "app/session.py": '''\
"""Sessions over a client."""

from app.client import DatabaseClient


def open_session(url: str) -> str:
    """Connect and greet."""
    client = DatabaseClient(url)
    return client.connect()


def run(url: str) -> str:
    """Open a session for a command."""
    return open_session(url)
''',
    "app/report.py": '''\
"""Reports, which have nothing to do with databases."""


def render_table(rows: list[str]) -> str:
    """Rows as lines of text."""
    return "\\n".join(rows)
''',
    "tests/test_client.py": """\
from app.client import DatabaseClient


def test_connect_opens():
    client = DatabaseClient("HTTP://host/db")
    assert client.connect() == "http://host/db"


class TestUrl:
    def test_scheme(self):
        assert DatabaseClient("A://b").url == "A://b"
""",
    "tests/test_report.py": """\
from app.report import render_table


def test_render_table():
    assert render_table(["a"]) == "a"
""",
}


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files below a folder."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def engine_over(root: Path, cache: Path) -> Engine:
    """An engine whose index lives in the test's own cache."""
    return Engine(root, Settings(cache, DiscoverRules(excludes_file=None), workers=1))


def git(root: Path, *words: str) -> str:
    """Run git in a repository, untouched by the configuration of whoever runs the tests."""
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.org")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", *identity, *words], cwd=root, env=clean, capture_output=True, text=True, check=True
    )
    return done.stdout
