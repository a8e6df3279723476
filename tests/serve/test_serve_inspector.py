"""The official inspector understands both servers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from inspector import inspected
from served_repository import HttpServer

TOOLS = ["context", "symbol", "search", "impact", "tests", "feedback"]


def test_the_inspector_lists_calls_and_reads_over_stdio(repository: Path, cache: Path) -> None:
    # The inspector hands a server only the variables that it is told.
    given = {"SONDE_CACHE_DIR": str(cache), "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    told = [f"{name}={value}" for name, value in given.items() if value]
    passed = [word for each in told for word in ("-e", each)]
    server = (*passed, sys.executable, "-P", "-m", "sonde", "mcp", "--repo", str(repository))
    listed = inspected(*server, "--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == TOOLS
    call = ("--method", "tools/call", "--tool-name", "symbol", "--tool-arg", "name=total_price")
    answer = inspected(*server, *call)
    assert not answer.get("isError")
    assert "shop/price.py" in answer["content"][0]["text"]
    resources = inspected(*server, "--method", "resources/list")["resources"]
    assert "sonde://status" in {each["uri"] for each in resources}


def test_the_inspector_understands_streamable_http(http: HttpServer) -> None:
    at = (f"http://127.0.0.1:{http.port}/mcp", "--transport", "http")
    listed = inspected(*at, "--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == TOOLS
    prompts = inspected(*at, "--method", "prompts/list")["prompts"]
    assert {each["name"] for each in prompts} == {"fix", "review", "refactor"}
