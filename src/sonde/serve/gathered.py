"""The answers to a batch of messages, sent together when the last of them is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

Message = dict[str, Any]
MOST_MESSAGES = 1000  # of one batch


class Gathered:
    """Collects answers from any thread; nothing is sent if nothing is owed."""

    def __init__(self, messages: Sequence[Any], send: Callable[[list[Message]], None]) -> None:
        self._owed = sum(map(owes_answer, messages))
        self._send = send
        self._answers: list[Message] = []
        self._lock = threading.Lock()

    def add(self, answer: Any) -> None:
        """Take the answer to one of the messages."""
        with self._lock:
            self._answers.append(answer)
            complete = len(self._answers) == self._owed
        if complete:
            self._send(self._answers)


def is_message(value: Any) -> bool:
    """Whether a value is one JSON-RPC 2.0 object."""
    return isinstance(value, dict) and value.get("jsonrpc") == "2.0"


def is_answer(message: Message) -> bool:
    """Whether a message answers a request of ours."""
    given = "id" in message and ("result" in message or "error" in message)
    return given and message.get("method") is None


def owes_answer(value: Any) -> bool:
    """Whether a message gets an answer: a request does, and what is no message at all."""
    if not is_message(value) or is_answer(value):
        return not is_message(value)
    return "id" in value or not isinstance(value.get("method"), str)
