"""The commands by name, one module each, imported only when chosen."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from sonde.cli.console import Console
from sonde.cli.parser import CommandParser

# In the order of the help: the main job first, then questions, then the index.
SUMMARIES = {
    "context": "what a task, some files or a pull request needs, within a token budget",
    "session": "lead an agent through a task in several passes; each sends only what is new",
    "rank": "the symbols and files that matter for a task, best first",
    "why": "why a symbol is, or is not, in the answer to a task",
    "symbol": "a definition with its callers, callees, overrides and tests",
    "search": "symbols by name and lines by text",
    "impact": "what may break when a symbol changes",
    "tests": "which tests cover some files, commits or a diff",
    "flow": "how one symbol reaches another",
    "symbols": "every symbol of the workspace as JSON lines",
    "chunks": "files in pieces with context and token counts, as JSON lines",
    "artefacts": "rules, pitfalls and commands found in the project's own files",
    "note": "keep a rule, pitfall or command in .sonde/",
    "metrics": "how good the context was, by finished sessions and feedback",
    "index": "bring the index up to date with the disk",
    "status": "what the index holds, and what was left out and why",
    "embed": "let a larger model of your choice read the symbols",
    "model": "fetch, list and remove such models",
    "watch": "keep the index up to date until stopped",
    "mcp": "serve coding agents over MCP",
    "serve": "serve agents, editors and tools over HTTP",
    "doctor": "check that everything Sonde needs is in place",
    "forget": "delete the index of the workspace",
}


class Command(NamedTuple):
    """A command's parser and what it does with the arguments."""

    parser: CommandParser
    run: Callable[[argparse.Namespace, Console], int]


def load(name: str) -> Command:
    """The command of that name, a key of `SUMMARIES`."""
    module = import_module(f"sonde.cli.{name}")
    parser = CommandParser(name, module.USAGE, module.__doc__ or "", module.EXAMPLES)
    module.configure(parser)
    return Command(parser, module.run)


def overview() -> str:
    """The help of `sonde` itself."""
    lines = [
        "usage: sonde COMMAND [options]",
        "",
        "The few definitions, callers, tests and snippets a coding task needs.",
        "",
        "commands:",
        *(f"  {name:9} {summary}" for name, summary in SUMMARIES.items()),
        "",
        "Each command has --help with examples, --repo DIR (default: the workspace around",
        "the current folder) and --json. Exit codes: 0 found, 1 nothing found, 2 error.",
        "",
        "example:",
        '  sonde context "fix the crash in DatabaseClient.connect when the URL is empty"',
    ]
    return "\n".join(lines) + "\n"
