"""Learning by contrast, on pairs made for the purpose."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import numpy
from training.contrast import Examples, Learner
from training.heldout import figures
from training.pairs import Mined, mine, said
from training.vocabulary import code_rows, name_rows, prose_rows, vocabulary, without

# Prose on the left never shares a word with the code on the right.
MEANINGS = (("delete", "unlink"), ("begin", "start"), ("picture", "image"), ("quick", "fast"))
WORDS = sorted(word for pair in MEANINGS for word in pair)


def examples() -> Examples:
    documents, prose = [], []
    for some in product(MEANINGS, repeat=3):
        documents.append((" ".join(meant for _, meant in some), "", "", "", "", "", ""))
        prose.append(" ".join(said_word for said_word, _ in some))
    code = code_rows(documents, WORDS, with_doc=True)
    numbers = numpy.arange(len(prose))
    source = numpy.array(["commit"] * len(prose))
    return Examples("pairs", code, code, prose_rows(prose, WORDS), numbers, source, numbers)


def test_words_that_never_meet_become_neighbours() -> None:
    learner = Learner(len(WORDS))
    losses = learner.learn([examples()], epochs=40)
    assert losses[-1] < losses[0]  # by how much depends on the words that were left out
    table = learner.table
    for said_word, meant in MEANINGS:
        near = table @ (table[WORDS.index(said_word)] @ learner.turn)
        code_words = [word for _, word in MEANINGS]
        assert max(code_words, key=lambda word: near[WORDS.index(word)]) == meant


def test_learning_again_gives_the_same_bytes() -> None:
    first, second = Learner(len(WORDS)), Learner(len(WORDS))
    first.learn([examples()], epochs=3)
    second.learn([examples()], epochs=3)
    assert first.table.tobytes() == second.table.tobytes()
    assert first.turn.tobytes() == second.turn.tobytes()


def test_the_table_beats_shared_words_where_there_are_none() -> None:
    learner = Learner(len(WORDS))
    pairs = examples()
    many = pairs._replace(
        prose=pairs.prose[numpy.tile(numpy.arange(64), 2)],
        about=numpy.tile(pairs.about, 2),
        source=numpy.tile(pairs.source, 2),
        text=numpy.tile(pairs.text, 2),
    )
    learner.learn([many], epochs=40)
    _, commits, _ = figures([many], learner.table, learner.turn)
    assert commits.table > commits.lexical


def test_pairs_are_mined_from_documentation_commits_and_tests(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
        subprocess.run(("git", "-C", str(tmp_path), *author, *arguments), check=True)

    git("init", "-q")
    source = 'def total(prices):\n    """Add up what the basket holds."""\n    return 1\n'
    (tmp_path / "shop.py").write_text(source)
    tests = "def test_total_of_an_empty_basket_is_nothing():\n    assert total([]) == 0\n"
    (tmp_path / "test_shop.py").write_text(source + tests)
    git("add", ".")
    git("commit", "-qm", "First")
    (tmp_path / "shop.py").write_text(source.replace("return 1", "return sum(prices)"))
    git("commit", "-qam", "Count every article of the order once")
    mined = mine(tmp_path / ".git", "HEAD")
    assert [document[0] for document in mined.documents] == ["total"]
    assert {(pair.source, pair.prose) for pair in mined.pairs} == {
        ("doc", "Add up what the basket holds."),
        ("commit", "Count every article of the order once"),
        ("test", "total of an empty basket is nothing"),
    }
    assert "basket" not in mined.documents[0][-1]  # or the code would repeat the prose


def test_documentation_that_says_nothing_is_no_prose() -> None:
    assert said("TODO") == ""
    assert said("Open the door. Then close it. And so on.") == "Open the door. Then close it."


def test_code_that_is_asked_for_by_its_name_does_not_say_it() -> None:
    documents = [
        ("openfile open file", "", "", "", "", "open file", "path read file"),
        ("read", "", "", "", "", "read", "open"),
    ]
    words = ["open", "file", "path", "read"]
    names = name_rows(documents, words)
    assert names.toarray().tolist() == [[1, 1, 0, 0], [0, 0, 0, 1]]
    bare = without(code_rows(documents, words, with_doc=True), names)
    assert [words[at] for at in bare[0].indices] == ["path", "read"]
    assert [words[at] for at in bare[1].indices] == ["open"]


def test_words_of_few_repositories_have_no_vector() -> None:
    common = Mined((("open", "", "", "", "", "", "acme"),), ())
    own = Mined((("open zorgl", "", "", "", "", "", ""),), ())
    assert vocabulary([common, own, common, common]) == ["open", "acme"]
