"""What a pack mentions in a line each: definitions of the same files that ranked next."""

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


def test_what_the_target_calls_is_mentioned_but_not_the_namespaces_around_it(
    tmp_path: Path,
) -> None:
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


def test_what_only_stands_beside_the_target_was_listed(tmp_path: Path) -> None:
    write(tmp_path / "work", {"lock.py": _LOCK})
    with Engine(tmp_path / "work") as engine:
        for format in ("markdown", "xml"):
            answer = engine.for_task("fix `acquire_lock`", format=format)
            items = [item for section in answer.pack.sections for item in section.items]
            assert {item.symbol.name for item in items} == {"acquire_lock", "wait_for"}
            assert all(item.reason for item in items)


def test_lines_of_what_ranked_next_can_be_switched_off(tmp_path: Path) -> None:
    write(tmp_path / "work", {"lock.py": _LOCK})
    with Engine(tmp_path / "work") as engine:
        answer = engine.for_task("fix `acquire_lock`", without=frozenset({"neighbours"}))
    items = [item for section in answer.pack.sections for item in section.items]
    assert {item.symbol.name for item in items} == {"acquire_lock"}
