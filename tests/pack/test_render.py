"""Every format is well-formed whatever the repository holds, and loses nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
import yaml
from pack_requests import NASTY, Repository, random_request, ranked, request_for

from sonde.model import Fidelity, Pack, PackEdge
from sonde.pack.assemble import assemble
from sonde.pack.render import FORMATS, render

SEEDS = range(24)


def pack_of(seed: int, format_name: str) -> Pack | None:
    pack = assemble(random_request(seed, format=format_name, budget=6000))
    return pack if isinstance(pack, Pack) else None


def sources(pack: Pack) -> list[str]:
    return [
        item.text
        for section in pack.sections
        for item in section.items
        if item.fidelity is Fidelity.FULL
    ]


@pytest.fixture
def hostile() -> Repository:
    """Each function's body is one attempt to leave the frame."""
    repository = Repository()
    for number, text in enumerate(NASTY):
        body = f"{text}\n\n   {text}\n{text}"
        repository.add_function(f"src/{number}.py", f"f{number}", body, text)
    return repository


def hostile_pack(repository: Repository, format_name: str) -> Pack:
    scores = {symbol.qualname: 1.0 for symbol in repository.symbols}
    pack = assemble(request_for(repository, scores, format=format_name, budget=50_000))
    assert isinstance(pack, Pack)
    assert len(sources(pack)) == len(NASTY)
    return pack


def test_there_are_four_formats() -> None:
    assert list(FORMATS) == ["xml", "markdown", "json", "yaml"]


def test_xml_keeps_hostile_source_inside_its_element(hostile: Repository) -> None:
    pack = hostile_pack(hostile, "xml")
    root = ElementTree.fromstring(f"<r>{render(pack, 'xml')}</r>")
    assert [file.text.strip("\n") for file in root.iter("file") if file.text] == sources(pack)
    assert {child.tag for child in root} <= {"definitions", "relevant_code", "relations", "note"}


def test_json_and_yaml_give_back_the_same_source(hostile: Repository) -> None:
    pack = hostile_pack(hostile, "json")
    assert [row["source"] for row in json.loads(render(pack, "json"))["snippets"]] == sources(pack)
    pack = hostile_pack(hostile, "yaml")
    loaded = yaml.safe_load(render(pack, "yaml"))
    assert [row["source"] for row in loaded["snippets"]] == sources(pack)


def fenced_blocks(text: str) -> tuple[list[str], list[str]]:
    """Contents of the fences, and the lines outside them, as CommonMark reads them."""
    blocks: list[str] = []
    outside: list[str] = []
    fence, inside = "", list[str]()
    for line in text.split("\n"):
        if fence:
            if re.fullmatch("`+ *", line) and len(line.rstrip()) >= len(fence):
                blocks.append("\n".join(inside))
                fence = ""
            else:
                inside.append(line)
        elif match := re.match("(`{3,})[^`]*$", line):
            fence, inside = match.group(1), []
        else:
            outside.append(line)
    assert not fence
    return blocks, outside


def test_markdown_fences_cannot_be_closed_by_their_content(hostile: Repository) -> None:
    pack = hostile_pack(hostile, "markdown")
    blocks, outside = fenced_blocks(render(pack, "markdown"))
    assert blocks == sources(pack)
    assert all(line == "" or line[0] in "#`" or line.startswith("intent") for line in outside)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_packs_are_well_formed_in_every_format(seed: int) -> None:
    if pack := pack_of(seed, "xml"):
        ElementTree.fromstring(f"<r>{render(pack, 'xml')}</r>")
    if pack := pack_of(seed, "markdown"):
        blocks, _ = fenced_blocks(render(pack, "markdown"))
        assert all(source in blocks for source in sources(pack))
    for name, load in (("json", json.loads), ("yaml", yaml.safe_load)):
        if pack := pack_of(seed, name):
            loaded = load(render(pack, name))
            for section in pack.sections:
                rows = loaded[section.name]
                assert [r["name"] for r in rows if isinstance(r, dict)] == [
                    item.symbol.qualname for item in section.items
                ]
                assert [r for r in rows if isinstance(r, str)] == list(section.lines)


def test_hidden_characters_never_reach_the_output() -> None:
    hidden = re.compile(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff\ufeff]"
    )
    for seed in SEEDS:
        for name in FORMATS:
            if pack := pack_of(seed, name):
                assert not hidden.search(render(pack, name))


def test_xml_looks_as_documented() -> None:
    repository = Repository()
    repository.add_class(
        "src/db.py", "Client", {f"m{i}": "x = 1\n" * 80 for i in range(9)}, "Talks."
    )
    repository.add_function("src/use.py", "serve", "Client().m1()")
    pack = assemble(request_for(repository, {"serve": 1.0, "Client": 0.95}))
    assert isinstance(pack, Pack)
    assert render(pack, "xml") == (
        f"<!-- intent: BUG_FIX, confidence: 0.90, pack: {pack.root} -->\n"
        "<definitions>\n"
        "[class] class Client:\n"
        "  file: src/db.py:1\n"
        "  doc: Talks.\n"
        "  members:\n" + "".join(f"    - def m{i}(self):\n" for i in range(8)) +
        "  why: name matches\n"
        "</definitions>\n"
        "<relevant_code>\n"
        '<file path="src/use.py" lines="1-2" symbol="serve" why="name matches">\n'
        "def serve(value):\n"
        "        Client().m1()\n"
        "</file>\n"
        "</relevant_code>\n"
    )  # fmt: skip


@pytest.mark.parametrize("format_name", ["xml", "markdown"])
def test_relations_were_written_the_wrong_way_round(format_name: str) -> None:
    edges = tuple(PackEdge("pay", kind, "Money") for kind in ("type_hint_of", "decorates", "calls"))
    repository = Repository()
    repository.add_function("src/pay.py", "pay", "return 1")
    pack = assemble(request_for(repository, {"pay": 1.0}, format=format_name))
    assert isinstance(pack, Pack)
    pack = replace(pack, edges=edges)
    text = render(pack, format_name)
    assert "pay names the type Money\npay is decorated by Money\npay calls Money\n" in text


@pytest.mark.parametrize("format_name", ["xml", "markdown"])
def test_lines_of_one_file_repeated_its_path(format_name: str) -> None:
    repository = Repository()
    repository.add_class("src/a&b.py", "Client", {f"m{i}": "x = 1\n" * 400 for i in range(4)})
    beside = [ranked(each, 0.3, "calls m0") for each in repository.symbols[2:4]]
    request = request_for(repository, {"Client.m0": 1.0}, neighbours=beside, format=format_name)
    pack = assemble(request)
    assert isinstance(pack, Pack)
    path = "src/a&amp;b.py" if format_name == "xml" else "src/a&b.py"
    text = render(pack, format_name)
    first, second = (each.symbol.start_line for each in beside)
    lines = f"  [method] Client.m1:{first} calls m0\n  [method] Client.m2:{second} calls m0\n"
    assert f"in {path}:\n{lines}" in text
