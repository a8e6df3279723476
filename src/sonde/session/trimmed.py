"""Long texts cut to a number of tokens, at line ends where there are any."""

from __future__ import annotations

from sonde.pack.tokens import TokenCounter
from sonde.pack.visible import visible

_CHARACTERS = 12  # of a token, far above what prose and code have


def beginning(text: str, room: int, counter: TokenCounter) -> str:
    """The text, or as much of its beginning as fits with an ellipsis."""
    return _cut(text, room, counter, tail=False)


def ending(text: str, room: int, counter: TokenCounter) -> str:
    """The text, or as much of its end as fits, as output ends with what went wrong."""
    return _cut(text, room, counter, tail=True)


def _cut(text: str, room: int, counter: TokenCounter, *, tail: bool) -> str:
    text = visible(text).strip()  # hidden characters are written out before they are counted
    near = text[-room * _CHARACTERS :] if tail else text[: room * _CHARACTERS]
    if len(near) == len(text) and counter.count(text) <= room:
        return text
    low, high = 0, len(near)
    while low < high:
        middle = (low + high + 1) // 2
        part = near[-middle:] if tail else near[:middle]
        if counter.count(part) + 2 <= room:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return ""
    part = near[-low:] if tail else near[:low]
    return f"…{_whole_lines(part, tail)}" if tail else f"{_whole_lines(part, tail)}…"


def _whole_lines(part: str, tail: bool) -> str:
    """Without the line, or word, that the cut went through; one enormous line stays cut."""
    at = part.find("\n") if tail else part.rfind("\n")
    if at < 0 or (len(part) - at if tail else at) < len(part) // 2:
        return part.strip()
    return part[at + 1 :].rstrip() if tail else part[:at].rstrip()
