"""Processes beside a busy server: the same answers, as fresh, and gone when it is quiet."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from served_repository import FILES, children_running, write_files

from sonde.answers.elsewhere import Asked
from sonde.answers.results import Answer, Failure
from sonde.config import Settings
from sonde.discover import DiscoverRules
from sonde.engine import Engine
from sonde.serve import readers as readers_module
from sonde.serve.arguments import Arguments
from sonde.serve.readers import Readers
from sonde.serve.served import Served
from sonde.serve.structured import QUESTIONS
from sonde.serve.turn import Turn

ASKED = 24  # questions at once


def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def children() -> set[int]:
    return children_running("reader_process")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_files(tmp_path / "work", FILES)


@pytest.fixture
def given_away(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that other processes answered."""
    found: list[str] = []
    real = Readers.answer

    def answer(self: Readers, asked: Asked) -> Answer | None:
        answered = real(self, asked)
        if answered is not None:
            found.append(asked.task)
        return answered

    monkeypatch.setattr(Readers, "answer", answer)
    return found


@pytest.fixture
def served(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(readers_module, "_QUEUED", 4)
    settings = Settings(tmp_path / "cache", DiscoverRules(excludes_file=None), workers=2)
    made = Served(root, settings)
    made.engine().sync()
    try:
        yield made
    finally:
        made.close()


def asked(served: Served, tasks: list[str]) -> list[Any]:
    """Answers to tasks that are asked all at once."""
    waiting = [
        served.ask(QUESTIONS["context"](served, Arguments({"task": task})), "context")
        for task in tasks
    ]
    return [each.result(60) for each in waiting]


def busy(served: Served) -> None:
    """Ask until the processes are there."""
    assert served._readers is not None
    for number in range(1000):
        asked(served, [f"the price of a cart, round {number} {each}" for each in range(ASKED)])
        if served._readers.there:
            return
    raise AssertionError("no process came")


def test_other_processes_give_the_same_answers(
    served: Served, given_away: list[str], tmp_path: Path
) -> None:
    busy(served)
    tasks = [f"checkout of a cart, variant {number}" for number in range(ASKED)]
    answers = asked(served, tasks)
    assert set(tasks) & set(given_away)
    rules = DiscoverRules(excludes_file=None)
    with Engine(served.root, Settings(tmp_path / "other", rules, workers=1)) as alone:
        for task, answer in zip(tasks, answers, strict=True):
            own = alone.for_task(task, 8000, format="xml")
            assert isinstance(own, Answer)
            assert answer["text"] == own.text
            assert answer["pack"] == own.pack.root


def test_an_edit_made_before_a_question_is_seen_by_other_processes(
    served: Served, root: Path, given_away: list[str]
) -> None:
    busy(served)
    for number in range(8):
        name = f"refund_number_{number}"
        (root / "shop" / "refund.py").write_text(f"def {name}(cart):\n    return {number}\n")
        tasks = [f"{name} is wrong, variant {each}" for each in range(ASKED)]
        for answer in asked(served, tasks):
            assert f"def {name}(cart)" in answer["text"]
            assert answer["stale"] == []
        assert set(tasks) & set(given_away)


def test_what_is_not_on_disk_is_answered_by_the_server(
    served: Served, given_away: list[str]
) -> None:
    busy(served)
    given_away.clear()
    served.buffers().put("shop/price.py", "def unsaved_price(lines):\n    return 0\n")
    for answer in asked(served, [f"unsaved_price, variant {each}" for each in range(ASKED)]):
        assert "def unsaved_price" in answer["text"]
    assert given_away == []
    served.buffers().drop("shop/price.py")
    for answer in asked(served, [f"total_price, variant {each}" for each in range(ASKED)]):
        assert "unsaved_price" not in answer["text"]
        assert "def total_price" in answer["text"]


def test_a_pack_of_another_process_can_be_continued_and_is_kept(
    served: Served, given_away: list[str]
) -> None:
    busy(served)
    tasks = [f"checkout of carts, kept {number}" for number in range(ASKED)]
    first = dict(zip(tasks, asked(served, tasks), strict=True))
    elsewhere = [task for task in tasks if task in given_away]
    again = {task: served.ask(_context(task)).result(30) for task in elsewhere}
    for task, answer in again.items():
        assert served.packs.get(first[task]["pack"]) is not None
        assert isinstance(answer, Answer)
        assert answer.text == first[task]["text"]
    # an answer may lose its place on disk to one of the others
    assert sum(answer.cached for answer in again.values()) > len(elsewhere) / 2


def _context(task: str) -> Callable[[Engine], Answer | Failure]:
    return lambda engine: engine.for_task(task, 8000, format="xml")


def test_a_process_that_dies_costs_no_answer(served: Served, root: Path) -> None:
    busy(served)
    for process in children():
        os.kill(process, signal.SIGKILL)
    tasks = [f"the price after a crash, variant {number}" for number in range(ASKED)]
    assert all("total_price" in answer["text"] for answer in asked(served, tasks))


def test_processes_end_when_they_are_not_needed(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy(served)
    assert served._readers is not None
    assert len(children()) == 2
    served._readers.tidy()
    assert len(children()) == 2
    monkeypatch.setattr(readers_module, "_KEPT", 0.0)
    served._readers.tidy()
    assert not children()
    busy(served)  # and come again
    served.close()
    until(lambda: not children())


def test_a_process_ends_with_its_server_and_not_by_ctrl_c(served: Served, tmp_path: Path) -> None:
    start = (str(served.root), str(tmp_path / "cache"))
    process = readers_module._Process(start)
    process.ready()
    inner = process._process
    inner.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert inner.poll() is None
    assert inner.stdin is not None
    inner.stdin.close()  # as the end of the server does
    assert inner.wait(2) == 0
    process.end()


def test_one_client_starts_no_process(served: Served) -> None:
    for number in range(40):
        asked(served, [f"the price of one cart {number}"])
    assert served._readers is not None
    assert not served._readers.there
    assert not children()


def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    turn, order = Turn(), []
    started = threading.Event()

    def first() -> None:
        with turn.taken():
            started.set()
            until(lambda: len(turn._waiting) == 2)
            with turn.given_up():
                until(lambda: order == ["second"])
            order.append("first")

    def other(name: str, until_waiting: int) -> None:
        until(lambda: len(turn._waiting) == until_waiting)
        with turn.taken():
            order.append(name)
            if name == "second":
                until(lambda: len(turn._waiting) == 2)  # the third, and the first once more

    threads = [threading.Thread(target=first)]
    threads[0].start()
    started.wait(10)
    threads += [threading.Thread(target=other, args=each) for each in (("second", 0), ("third", 1))]
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert order == ["second", "first", "third"]
