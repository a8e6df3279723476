"""Chunks of files as the engine gives them."""

from __future__ import annotations

from sonde.answers.results import ChunksAnswer, NoSuchFile, Refusal
from sonde.engine import Engine
from sonde.pack.tokens import TokenCounter


def chunks(engine: Engine, *paths: str) -> ChunksAnswer:
    answer = engine.chunks(paths)
    assert isinstance(answer, ChunksAnswer)
    return answer


def test_tokens_are_counted_as_packs_count_them(shared: Engine) -> None:
    counter = TokenCounter()
    found = chunks(shared, "app/client.py").chunks
    assert found
    assert all(each.tokens == counter.count(each.text) for each in found)


def test_another_tokenizer_counts_when_asked(shared: Engine) -> None:
    answer = shared.chunks(["app/client.py"], tokenizer="chars4")
    assert isinstance(answer, ChunksAnswer)
    assert all(each.tokens == -(-len(each.text) // 4) for each in answer.chunks)


def test_files_come_in_the_order_asked_each_once(shared: Engine) -> None:
    found = chunks(shared, "app/url.py", "app/client.py", "./app/url.py").chunks
    assert list(dict.fromkeys(each.file for each in found)) == ["app/url.py", "app/client.py"]


def test_lines_and_text_are_those_of_the_file(shared: Engine) -> None:
    lines = (shared.root / "app/url.py").read_text().split("\n")
    for each in chunks(shared, "app/url.py").chunks:
        assert each.text == "\n".join(lines[each.start_line - 1 : each.end_line])


def test_bad_paths_are_refused_in_one_line(shared: Engine) -> None:
    refusals = [shared.chunks(paths) for paths in ([], ["../x.py"], ["app"], ["app/urll.py"])]
    assert [str(each) for each in refusals if isinstance(each, Refusal)] == [
        "no file given: name at least one file of the workspace",
        f"'../x.py' lies outside the workspace {shared.root}",
        "'app' is a folder: name files",
        "there is no indexed file 'app/urll.py'; did you mean app/url.py?",
    ]
    assert isinstance(refusals[-1], NoSuchFile)


def test_an_unknown_tokenizer_is_refused(shared: Engine) -> None:
    assert "o200k" in str(shared.chunks(["app/url.py"], tokenizer="words"))
