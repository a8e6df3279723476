"""Threads that share an engine: their questions take turns, whatever happens to the files."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from example_repository import write

from sonde.answers.results import Answer, SearchAnswer, SymbolAnswer

_SECONDS = 3.0  # without turns the process crashed, or an answer raised, within a second


def test_threads_share_an_engine_while_files_change(engine, repository):
    until = time.monotonic() + _SECONDS

    def ask(number):
        kinds = set()
        for turn in range(1_000):
            if time.monotonic() > until:
                break
            kinds.add(type(engine.for_task(f"normalise the URL {number} {turn}")))
            kinds.add(type(engine.symbol("DatabaseClient")))
            kinds.add(type(engine.search("connect")))
        return kinds

    with ThreadPoolExecutor(3) as threads:
        asking = [threads.submit(ask, number) for number in range(3)]
        edit = 0
        while time.monotonic() < until:
            edit += 1
            write(repository, {"app/fresh.py": f"def brand_new_{edit}():\n    return {edit}\n"})
            assert engine.symbol(f"brand_new_{edit}").found
        assert {kind for done in asking for kind in done.result(20)} == {
            *(Answer, SymbolAnswer, SearchAnswer)
        }


def test_who_holds_a_state_may_ask_from_other_threads(engine):
    found = []
    with engine.hold() as problem:
        assert problem is None
        asking = threading.Thread(
            target=lambda: found.extend(engine.symbol("DatabaseClient").found), daemon=True
        )
        asking.start()
        asking.join(10)
    assert [card.record.qualname for card in found] == ["DatabaseClient"]
