"""Frozen values behave as frozen dataclasses do."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from sonde.frozen import frozen


@frozen
class Place:
    """A value."""

    file: str
    line: int = 1
    marks: list[str] = field(default_factory=list)

    @property
    def shown(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"


@frozen
class Span(Place):
    """A value with one more field."""

    end: int = 9


@frozen
class Only:
    """A value of one field."""

    part: str


@frozen
class Nothing:
    """A value of no field."""


@dataclass(frozen=True, slots=True)
class Plain:
    """The same by the standard library."""

    file: str
    line: int = 1
    marks: list[str] = field(default_factory=list)


def test_fields_are_given_by_place_by_name_and_by_default():
    assert Place("a.py", 2).shown == "a.py:2"
    assert Place(line=3, file="b.py").shown == "b.py:3"
    assert Place("c.py").line == 1
    assert Span("d.py", 4, ["x"], 5).end == 5


def test_a_made_default_is_made_for_each():
    one, other = Place("a.py"), Place("a.py")
    one.marks.append("seen")
    assert other.marks == []


@pytest.mark.parametrize("wrong", [(), ("a.py", 1, [], 2)])
def test_too_few_and_too_many_fields_are_refused(wrong):
    for made in (Place, Plain):
        with pytest.raises(TypeError):
            made(*wrong)


def test_values_are_equal_by_class_and_fields():
    assert Place("a.py", 2) == Place("a.py", 2)
    assert Place("a.py", 2) != Place("a.py", 3)
    assert Place("a.py") != Plain("a.py")
    assert Place("a.py") != Span("a.py")
    assert Only("x") == Only("x") != Only("y")
    assert Nothing() == Nothing()


def test_values_can_be_keys_when_their_fields_can():
    assert len({Only("x"), Only("x"), Only("y"), Nothing(), Nothing()}) == 3
    with pytest.raises(TypeError):
        hash(Place("a.py"))


def test_nothing_can_be_changed_added_or_removed():
    place = Place("a.py")
    for change in (
        lambda: setattr(place, "line", 5),
        lambda: setattr(place, "other", 5),
        lambda: delattr(place, "line"),
    ):
        with pytest.raises(FrozenInstanceError):
            change()
    assert not hasattr(place, "__dict__")


def test_the_standard_library_takes_them_for_dataclasses():
    assert is_dataclass(Place)
    assert [each.name for each in fields(Span)] == ["file", "line", "marks", "end"]
    assert [each.name for each in fields(Place)] == [each.name for each in fields(Plain)]
    assert replace(Place("a.py", 2), line=7) == Place("a.py", 7)


def test_they_are_shown_as_dataclasses_are():
    assert repr(Place("a.py", 2)) == repr(Plain("a.py", 2)).replace("Plain", "Place")
    assert repr(Only("x")) == "Only(part='x')"


@pytest.mark.parametrize(
    "through", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
@pytest.mark.parametrize("value", [Place("a.py", 2, ["x"]), Span("a.py"), Only("x"), Nothing()])
def test_a_copy_is_equal(value: Any, through: Callable[[Any], Any]):
    assert through(value) == value


def test_they_match_by_place():
    match Place("a.py", 2):
        case Place(file, line):
            assert (file, line) == ("a.py", 2)
