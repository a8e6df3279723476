"""Words and documents become vectors that meet where they mean the same."""

from __future__ import annotations

import time
from itertools import islice

import numpy

from sonde.lately import forget_remembered
from sonde.meaning.encode import encode_documents, encode_words
from sonde.meaning.matrix import Matrix
from sonde.meaning.table import DIMENSIONS, table

EMPTY = ("", "", "", "", "", "", "")


def document(name: str, doc: str = "", body: str = "") -> tuple[str, ...]:
    return (name, "", "", name, doc, "", body)


def matrix(*documents: tuple[str, ...]) -> Matrix:
    symbols = numpy.arange(1, len(documents) + 1, dtype=numpy.int32).tobytes()
    return Matrix([(symbols, encode_documents(documents).tobytes())])


def test_code_is_found_by_words_that_it_does_not_have() -> None:
    found = matrix(
        document("remove file", body="path unlink missing"),
        document("parse json", body="text decoder loads"),
        document("render template", body="html context escape"),
    )
    deleting = encode_words({"delete": 1.0, "directory": 1.0})
    assert int(found.cosines(deleting).argmax()) == 0
    assert int(found.cosines(encode_words({"deserialize": 1.0, "string": 1.0})).argmax()) == 1


def test_a_document_without_a_known_word_is_near_to_nothing() -> None:
    found = matrix(EMPTY, document("qzxv wvkq"), document("open connection"))
    cosines = found.cosines(encode_words({"connect": 1.0}))
    assert list(cosines[:2]) == [0.0, 0.0]
    assert cosines[2] > 0.2


def test_a_task_without_a_known_word_has_no_direction() -> None:
    assert not encode_words({"qzxv": 1.0}).any()
    assert not encode_words({}).any()


def test_other_forms_of_a_word_share_its_vector_only_when_they_have_none() -> None:
    rows = table().rows
    assert rows["connections"] >= 0
    assert rows["qzxvings"] == -1


def test_each_document_is_encoded_alone() -> None:
    documents = [document("read file"), EMPTY, document("write socket", "Send bytes.")]
    together = encode_documents(documents)
    alone = numpy.vstack([encode_documents([each]) for each in documents])
    assert (together == alone).all()
    assert together.dtype == numpy.int8
    assert together.shape == (3, DIMENSIONS)


def test_a_thousand_symbols_take_less_than_a_third_of_a_second_of_the_processor() -> None:
    words = list(table().rows)[1_000:1_060]
    documents = [document("open connection", "Opens it.", " ".join(words))] * 1_000
    encode_documents(documents[:1])
    began = time.process_time()
    encode_documents(documents)
    assert time.process_time() - began < 0.3


def test_no_vectors_is_an_empty_matrix() -> None:
    assert len(Matrix([]).cosines(encode_words({"file": 1.0}))) == 0


def test_words_that_ten_thousand_questions_said_were_remembered_for_good() -> None:
    words = len(table().rows)
    for number in range(50):
        encode_words({f"part{number}": 1.0, "caches": 1.0})
    while_asked = table()
    assert len(while_asked.rows) > words
    before = encode_words({"caches": 1.0})
    forget_remembered()
    assert len(table().rows) == len(table().scales)
    assert (encode_words({"caches": 1.0}) == before).all()
    assert while_asked.rows["caches"] == table().rows["caches"]


def test_forgetting_at_rest_makes_no_number_anew() -> None:
    """Numbers made at rest lay among what was just forgotten, and held 6 MB of it."""
    before = {word: id(row) for word, row in islice(table().rows.items(), len(table().scales))}
    encode_words({"zzqx": 1.0})
    assert "zzqx" in table().rows

    forget_remembered()

    assert "zzqx" not in table().rows
    assert {word: id(row) for word, row in table().rows.items()} == before
