"""The client of the `mcp` package, over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from served_repository import HttpServer, environment


async def _use(client: Client) -> None:
    async with client:
        assert client.server_info is not None
        assert client.server_info.name == "sonde"
        tools = (await client.list_tools()).tools
        assert len(tools) == 6
        told: list[float] = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append(done)

        arguments = {"task": "fix checkout of the Cart"}
        answer = await client.call_tool("context", arguments, progress_callback=progress)
        assert not answer.is_error
        assert "def checkout" in answer.content[0].text  # type: ignore[union-attr]
        assert answer.structured_content is None
        refused = await client.call_tool("symbol", {"name": 5})
        assert refused.is_error
        status = await client.read_resource("sonde://status")
        assert '"files": 4' in status.contents[0].text  # type: ignore[union-attr]
        prompt = await client.get_prompt("review", {"range": "main..HEAD"})
        assert "main..HEAD" in prompt.messages[0].content.text  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_real_client_over_stdio(repository: Path, cache: Path, mode: str) -> None:
    words = ["-P", "-m", "sonde", "mcp", "--repo", str(repository)]
    parameters = StdioServerParameters(command=sys.executable, args=words, env=environment(cache))
    asyncio.run(_use(Client(stdio_client(parameters), mode=mode)))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_real_client_over_http(http: HttpServer, mode: str) -> None:
    asyncio.run(_use(Client(f"http://127.0.0.1:{http.port}/mcp", mode=mode)))
