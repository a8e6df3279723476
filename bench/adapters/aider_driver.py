"""Runs inside aider's own environment: a batch of questions through its repository map.

Reads one JSON object on standard input ({"repo", "cache", "questions"}) and prints a line for each
question. Imports nothing from this package, since aider's environment does not have it.
"""

# mypy: ignore-errors
from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

from aider.io import InputOutput
from aider.repomap import RepoMap


class CharacterCount:
    """Stands in for aider's language model; the map only asks it to count tokens."""

    def token_count(self, text):
        return len(text) // 4


def mentioned(text, files):
    """Identifiers and files in a message, by aider's own rules."""
    identifiers = set(re.split(r"\W+", text))
    words = {word.rstrip(",.!;:?").strip("\"'`*_") for word in text.split()}
    lowered = {word.lower() for word in identifiers if len(word) >= 5}
    named = {
        file
        for file in files
        if file in words
        or Path(file).name in words
        or (len(Path(file).stem) >= 5 and Path(file).stem.lower() in lowered)
    }
    return identifiers, named


def main():
    """Answer the batch."""
    job = json.load(sys.stdin)
    repo = Path(job["repo"])
    listed = subprocess.run(
        ["git", "-C", str(repo), "ls-files", "-z"], capture_output=True, check=True
    ).stdout
    files = [name.decode(errors="replace") for name in listed.split(b"\0") if name]
    files = [name for name in files if (repo / name).is_file()]
    RepoMap.TAGS_CACHE_DIR = job["cache"]
    repo_map = RepoMap(
        root=str(repo), io=InputOutput(pretty=False, yes=True), main_model=CharacterCount()
    )
    absolute = [str(repo / name) for name in files]
    for question in job["questions"]:
        identifiers, named = mentioned(question["text"], files)
        start = time.perf_counter()
        tags = repo_map.get_ranked_tags([], absolute, named, identifiers)
        elapsed = 1000 * (time.perf_counter() - start)
        definitions = [(tag.name, tag.rel_fname, tag.line + 1) for tag in tags if len(tag) > 1]
        ranked_files = list(dict.fromkeys(tag[0] for tag in tags))
        answer = {
            "id": question["id"],
            "symbols": definitions[: job["limit"]],
            "files": ranked_files[: job["limit"]],
            "ms": elapsed,
        }
        print("@" + json.dumps(answer), flush=True)


main()
