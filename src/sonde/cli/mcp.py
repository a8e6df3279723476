"""Serve coding agents over MCP on standard input and output.

Agents start this themselves; --print-config shows what to put into a client's
configuration. Without --repo the client's roots are served, or if it names none
the workspace around the current folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sonde.cli.console import Console, safe
from sonde.cli.outcome import FOUND, NOTHING_FOUND, Failure
from sonde.cli.parser import CommandParser
from sonde.cli.remote import cache_folder

USAGE = "[options]"
EXAMPLES = (
    "sonde mcp",
    "sonde mcp --print-config claude-code",
    "sonde mcp --print-config cursor --write",
)


def configure(parser: CommandParser) -> None:
    """How to connect clients."""
    from sonde.serve.clients import CLIENTS

    parser.set_defaults(repo=None)
    parser.add_argument(
        "--print-config",
        metavar="CLIENT",
        choices=sorted(CLIENTS),
        help=f"show the configuration for {', '.join(sorted(CLIENTS))}",
    )
    parser.add_argument(
        "--write", action="store_true", help="put it into the client's file, keeping the rest"
    )
    parser.add_argument(
        "--remove", action="store_true", help="take it out of the client's file again"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Serve, or deal with a client's configuration."""
    if arguments.print_config:
        return _configuration(arguments, console)
    if arguments.write or arguments.remove:
        raise Failure("--write and --remove need --print-config CLIENT")
    from sonde.serve.stdio import serve_stdio
    from sonde.serve.workspaces import Unknown

    roots = []
    if arguments.repo is not None:
        folder = Path(arguments.repo).absolute()
        if not folder.is_dir():
            raise Failure(f"--repo: there is no folder '{safe(arguments.repo)}'")
        roots.append(folder)
    try:
        serve_stdio(Path(cache_folder()), roots, _here())
    except Unknown as error:
        raise Failure(str(error)) from None
    return FOUND


def _here() -> Path | None:
    try:
        return Path.cwd()
    except FileNotFoundError:  # deleted meanwhile; only the client's roots are left
        return None


def _configuration(arguments: argparse.Namespace, console: Console) -> int:
    if arguments.write and arguments.remove:
        raise Failure("give one of --write and --remove")
    from sonde.serve.clients import CLIENTS, Unusable, changed

    client = CLIENTS[arguments.print_config]
    folder = Path(arguments.repo).absolute() if arguments.repo else _here() or Path.home()
    if not arguments.write and not arguments.remove:
        console.document(client.text(folder))
        console.note(f"put this into {client.place(folder)}, or add --write")
        return FOUND
    try:
        path, anew = changed(client, folder, remove=arguments.remove)
    except Unusable as error:
        raise Failure(str(error)) from None
    if anew:
        what = "was removed from" if arguments.remove else "was written to"
    else:
        what = "is not in" if arguments.remove else "is already in"
    console.line(f"sonde {what} {safe(str(path))}")
    return FOUND if anew or arguments.write else NOTHING_FOUND
