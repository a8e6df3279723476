"""The rules of docs/ARCHITECTURE.md, held by looking at the source itself."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sonde import Engine
from sonde.config import load_settings
from sonde.rank.rules import ALL
from sonde.retrieve.gather import CHANNELS

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "sonde"

# Modules that import nothing of ours and that all may use.
LEAVES = {"model", "expression", "frozen", "lately"}
# What each part may import besides itself and these: the data's way, never back.
MAY_IMPORT: dict[str, set[str]] = {
    **{leaf: set() for leaf in LEAVES},
    "git": set(),
    "discover": {"git"},
    "extract": set(),
    "link": set(),
    "understand": set(),
    "failures": {"understand"},
    "meaning": {"understand"},
    "store": {"discover", "extract", "link", "meaning", "understand"},
    "sync": {"discover", "extract", "link", "meaning", "store"},
    "neural": {"extract", "meaning", "store", "sync", "understand"},
    "history": {"git", "store"},
    "retrieve": {"history", "link", "meaning", "neural", "store", "understand"},
    "rank": {"neural", "retrieve", "understand"},
    "pack": set(),
    "config": {"discover", "neural", "store"},
    "artefacts": {"discover", "store", "understand"},
    "answers": {
        "artefacts",
        "config",
        "discover",
        "extract",
        "git",
        "history",
        "link",
        "neural",
        "pack",
        "rank",
        "retrieve",
        "store",
        "sync",
        "understand",
    },
    "engine": {"answers", "pack", "store"},
    "session": {
        "answers",
        "artefacts",
        "discover",
        "engine",
        "failures",
        "git",
        "pack",
        "rank",
        "retrieve",
        "store",
        "understand",
    },
}
EDGES = {"cli", "serve", "__main__", "__init__"}  # may import everything
TRANSPORT = {"argparse", "getopt", "mcp", "starlette", "uvicorn", "httpx", "anyio", "asyncio"}
NETWORK = {"socket", "ssl", "http", "urllib.request", "requests", "ftplib", "smtplib", "httpx"}


def _imports(path: Path) -> Iterator[str]:
    """Full names of the modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _modules() -> Iterator[tuple[str, Path]]:
    """Each module with the part of the package that it belongs to."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).parts[0].removesuffix(".py"), path


def test_no_stage_imports_a_later_one() -> None:
    wrong = []
    for part, path in _modules():
        if part in EDGES:
            continue
        allowed = MAY_IMPORT[part] | {part, *LEAVES}
        for name in _imports(path):
            if name.startswith("sonde.") and name.split(".")[1] not in {*allowed, "__version__"}:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_the_core_knows_no_transport() -> None:
    wrong = []
    for part, path in _modules():
        if part in EDGES:
            continue
        for name in _imports(path):
            if name.split(".")[0] in TRANSPORT or name.startswith(("sonde.cli", "sonde.serve")):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} prints")
    assert wrong == []


def test_only_the_edges_import_network_libraries() -> None:
    wrong = []
    for part, path in _modules():
        if part in EDGES:  # servers listen, and the command line may ask one over its local socket
            continue
        for name in _imports(path):
            if any(name == each or name.startswith(each + ".") for each in NETWORK):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_only_the_edge_reads_the_environment() -> None:
    # Git's global excludes file is found by HOME, and git itself is started with what we have.
    may = EDGES | {"config", "discover", "git"}
    wrong = []
    for part, path in _modules():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            reads = isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
            if reads and part not in may:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert wrong == []


def test_every_invariant_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| .+? \| (.+) \|$", page, re.M)
    assert [int(number) for number, _ in rows] == list(range(1, 13))
    for number, held_by in rows:
        tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", held_by)
        assert tests, f"invariant {number} names no test"
        for file, name in tests:
            assert re.search(rf"^def {name}\(", (ROOT / file).read_text("utf-8"), re.M), (
                f"invariant {number}: {file} has no {name}"
            )


def test_the_code_map_names_every_part_of_the_package() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    mapped = set(re.findall(r"^\| `([a-z_]+)(?:/|\.py)` \|", page, re.M))
    assert {part for part, _ in _modules()} - {"__init__", "__main__"} == mapped


def test_every_dependency_has_its_reason() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    required = [*project["dependencies"], *extras["neural"], *extras["qdrant"]]
    names = {re.split(r"[^\w.-]", line)[0] for line in required}
    own = {name for name in names if not name.startswith("tree-sitter-")}  # the grammars are one
    assert sorted(name for name in own if f"`{name}`" not in page) == []


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine of a few files."""
    place = tmp_path_factory.mktemp("rules")
    repo = place / "repo"
    repo.mkdir()
    (repo / "bank.py").write_text(
        "class Account:\n    def pay_invoice(self) -> int:\n        return check_invoice()\n\n\n"
        "def check_invoice() -> int:\n    return 1\n"
    )
    settings = load_settings(repo, {"SONDE_CACHE_DIR": str(place / "cache"), "HOME": str(place)})
    with Engine(repo, settings) as engine:
        yield engine


def test_every_rule_and_channel_can_be_switched_off_by_name(engine: Engine) -> None:
    rules = [rule.name for rule in ALL]
    channels = [channel.name for channel in CHANNELS]
    assert len(set(rules)) == len(rules)
    for name in sorted({*rules, *channels}):
        answer = engine.rank("pay the invoice of an account", without=frozenset({name}))
        assert answer.ranked, name
        for ranked in answer.ranked:
            assert name not in dict(ranked.contributions), name
            assert name not in {each.channel for each in ranked.evidence}, name
