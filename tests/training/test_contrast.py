"""Learning by contrast, on pairs made for the purpose."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy
from training.contrast import Examples, Learner
from training.heldout import figures
from training.pairs import Mined, mine, said
from training.vocabulary import code_rows, prose_rows, vocabulary

# Prose on the left never shares a word with the code on the right.
MEANINGS = (("delete", "unlink"), ("begin", "start"), ("picture", "image"), ("quick", "fast"))
WORDS = sorted(word for pair in MEANINGS for word in pair)


def examples() -> Examples:
    documents, prose = [], []
    for first, called in MEANINGS:
        for second, other in MEANINGS:
            documents.append((f"{called} {other}", "", "", "", "", "", ""))
            prose.append(f"{first} {second}")
    code = code_rows(documents, WORDS, with_doc=True)
    numbers = numpy.arange(len(prose))
    marks = numpy.zeros(len(prose), bool)
    return Examples("pairs", code, code, prose_rows(prose, WORDS), numbers, marks, numbers)


def test_words_that_never_meet_become_neighbours() -> None:
    learner = Learner(len(WORDS))
    losses = learner.learn([examples()], epochs=40)
    assert losses[-1] < losses[0] / 2
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
        prose=pairs.prose[numpy.tile(numpy.arange(16), 2)],
        about=numpy.tile(pairs.about, 2),
        documents=numpy.zeros(32, bool),
        text=numpy.tile(pairs.text, 2),
    )
    learner.learn([many], epochs=40)
    _, commits = figures([many], learner.table, learner.turn)
    assert commits.table > commits.lexical


def test_pairs_are_mined_from_documentation_and_commits(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
        subprocess.run(("git", "-C", str(tmp_path), *author, *arguments), check=True)

    git("init", "-q")
    source = 'def total(prices):\n    """Add up what the basket holds."""\n    return 1\n'
    (tmp_path / "shop.py").write_text(source)
    (tmp_path / "test_shop.py").write_text(source)
    git("add", ".")
    git("commit", "-qm", "First")
    (tmp_path / "shop.py").write_text(source.replace("return 1", "return sum(prices)"))
    git("commit", "-qam", "Count every article of the order once")
    mined = mine(tmp_path / ".git", "HEAD")
    assert [document[0] for document in mined.documents] == ["total"]
    assert {(pair.source, pair.prose) for pair in mined.pairs} == {
        ("doc", "Add up what the basket holds."),
        ("commit", "Count every article of the order once"),
    }
    assert "basket" not in mined.documents[0][-1]  # or the code would repeat the prose


def test_documentation_that_says_nothing_is_no_prose() -> None:
    assert said("TODO") == ""
    assert said("Open the door. Then close it. And so on.") == "Open the door. Then close it."


def test_words_of_few_repositories_have_no_vector() -> None:
    common = Mined((("open", "", "", "", "", "", "acme"),), ())
    own = Mined((("open zorgl", "", "", "", "", "", ""),), ())
    assert vocabulary([common, own, common, common]) == ["open", "acme"]
