"""The function around a change, in languages that git itself knows no functions of."""

from __future__ import annotations

from pathlib import Path

import pytest
from git_history import commit, new_repository

from sonde.history.headings import named_by
from sonde.history.log import Log, read_log


@pytest.mark.parametrize(
    ("file", "source", "name"),
    [
        ("a__ts", "class A {\n  async run(x: string): Promise<void> {\n    HERE;\n  }\n}\n", "run"),
        ("b__tsx", "export const Menu = ({ a }: Props) => {\n  HERE;\n};\n", "Menu"),
        ("c__js", "function go() {\n  if (a) {\n    HERE;\n  }\n}\n", "go"),
        ("d__ts", "class A {\n  private load(\n    a: B,\n  ) {\n    HERE;\n  }\n}\n", "load"),
        ("e__ts", "const store = {\n  all (kind) {\n    HERE\n  },\n}\n", "all"),
        ("f__js", "function outer() {\n  const inner = () => 1;\n  HERE;\n}\n", "outer"),
        ("g__scala", "object A {\n  private def b(c: Int) = {\n    HERE\n  }\n}\n", "b"),
        ("h__swift", "struct A {\n  public func b(c: Int) {\n    HERE\n  }\n}\n", "b"),
        ("i__swift", "class A {\n  override init(c: Int) {\n    HERE\n  }\n}\n", "init"),
    ],
)
def test_the_function_around_a_changed_line(
    tmp_path: Path, file: str, source: str, name: str
) -> None:
    root = new_repository(tmp_path / "project")
    commit(root, "Start", **{file: source})
    commit(root, "Change", **{file: source.replace("HERE", "there()")})
    log = read_log(root, "HEAD", 0, 1, 20.0)
    assert isinstance(log, Log)
    assert log.commits[0].touched == ((file.replace("__", "."), (name,)),)


def test_a_function_that_is_handed_over_names_nothing() -> None:
    assert named_by("  describe('albums', function () {") == ""


def test_a_visibility_with_brackets_is_not_the_name_of_what_it_precedes(tmp_path: Path) -> None:
    """Each change of a `pub(crate) fn` counted for a function called `pub`."""
    source = "impl A {\n    pub(crate) fn run(\n        &self,\n    ) {\n        HERE;\n    }\n}\n"
    root = new_repository(tmp_path / "project")
    commit(root, "Start", a__rs=source)
    commit(root, "Change", a__rs=source.replace("HERE", "there()"))
    log = read_log(root, "HEAD", 0, 1, 20.0)
    assert isinstance(log, Log)
    assert log.commits[0].touched == (("a.rs", ("run",)),)
