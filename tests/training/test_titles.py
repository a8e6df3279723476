"""Titles of tests, and what they are about."""

from __future__ import annotations

from training.titles import Case, Subjects, cases

from sonde.extract import extract

DEFINED = (
    ("shop/basket.py", "Basket", 0),
    ("shop/basket.py", "add_item", 1),
    ("shop/order.py", "close", 2),
    ("shop/till.py", "close", 3),
)


def found(path: str, language: str, text: str) -> list[Case]:
    data = text.encode()
    return list(cases(path, extract(path, language, data), data))


def subject(title: str, used: tuple[str, ...], *groups: str) -> int | None:
    return Subjects(DEFINED).of(Case(title, used, groups))


def test_a_function_is_a_test_by_its_name() -> None:
    text = (
        "class TestBasket:\n"
        "    def test_add_item_counts_twice(self):\n"
        "        Basket().add_item(1)\n"
        "    def helper(self):\n"
        "        return 1\n"
    )
    (case,) = found("tests/test_basket.py", "python", text)
    assert case.title == "add item counts twice"
    assert set(case.used) == {"Basket", "add_item"}
    assert case.groups == ("Basket", "basket")


def test_a_title_lasts_until_the_next() -> None:
    text = (
        "describe('Basket', () => {\n"
        "  it('adds what is new', () => { addItem(1) })\n"
        "  it('forgets what is gone', () => { drop(1) })\n"
        "})\n"
    )
    first, second = found("test/basket.spec.js", "javascript", text)
    assert (first.title, first.groups) == ("adds what is new", ("Basket", "basket"))
    assert "addItem" in first.used
    assert "drop" not in first.used
    assert "drop" in second.used


def test_macros_and_annotations_are_tests() -> None:
    (macro,) = found(
        "db_test.cc", "cpp", "TEST_F(LogTest, ReadsBackWhatWasWritten) {\n  Read();\n}\n"
    )
    assert (macro.title, macro.groups[0]) == ("reads back what was written", "Log")
    java = "class TillTest {\n  @Test\n  void closesOnceOnly() { till.close(); }\n}\n"
    (marked,) = found("TillTest.java", "java", java)
    assert (marked.title, marked.groups) == ("closes once only", ("Till", "Till"))


def test_a_title_of_two_words_says_too_little() -> None:
    assert found("tests/test_a.py", "python", "def test_add_item():\n    pass\n") == []


def test_the_subject_is_what_is_used_and_named() -> None:
    assert subject("add item counts twice", ("Basket", "add_item"), "shop") == 1


def test_else_the_subject_is_what_the_group_is_named_after() -> None:
    assert subject("counts articles only once", ("len",), "basket") == 0


def test_a_name_of_several_definitions_means_that_of_the_file_under_test() -> None:
    assert subject("close is done once", ("close",), "till") == 3
    assert subject("close is done once", ("close",), "other") is None


def test_no_subject_has_countless_titles() -> None:
    subjects = Subjects(DEFINED)
    case = Case("add item counts twice", ("add_item",), ("shop",))
    assert [subjects.of(case) for _ in range(13)] == [1] * 12 + [None]
