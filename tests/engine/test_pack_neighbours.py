"""What a pack mentions beside its target: the definitions of the same file."""

from __future__ import annotations

from pathlib import Path

from example_repository import write

from sonde import Engine

_FERRY = """\
module Ferry
  module Timetable
    class Departure
      def delay_of_departure
        late? ? 1 : 0
      end

      def late?
        true
      end
    end
  end
end
"""


def test_neighbours_are_counted_from_inside_the_namespaces_around_them(tmp_path: Path) -> None:
    write(tmp_path / "work", {"lib/ferry/timetable.rb": _FERRY, "lib/other.rb": "OTHER = 1\n"})
    with Engine(tmp_path / "work") as engine:
        answer = engine.for_task("fix `delay_of_departure`")
    names = {item.symbol.qualname for section in answer.pack.sections for item in section.items}
    assert "Ferry.Timetable.Departure.late?" in names
    assert not names & {"Ferry", "Ferry.Timetable"}


_LOCK = """def acquire_lock(path):
    return wait_for(path)


def wait_for(path):
    return path


def release(path):
    return path
"""


def test_lines_beside_a_definition_did_not_say_why_they_were_there(tmp_path: Path) -> None:
    write(tmp_path / "work", {"lock.py": _LOCK})
    with Engine(tmp_path / "work") as engine:
        for format in ("markdown", "xml"):
            answer = engine.for_task("fix `acquire_lock`", format=format)
            items = [item for section in answer.pack.sections for item in section.items]
            assert all(item.reason for item in items)
            assert "[function] release lock.py:9 beside acquire_lock\n" in answer.text
