"""The nodes around a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sonde.extract.spec import Node


class Ancestors:
    """Finds what is around the nodes of a tree, from the outside in.

    Asking a node for its parent searches for it from the root each time; here what two questions
    share is searched once. (On ordinary files both cost the same.)
    """

    def __init__(self, root: Node) -> None:
        self._path = [(root, root.end_byte)]

    def of(self, node: Node) -> list[Node]:
        """The nodes around a node, outermost first; fastest in the order of the source."""
        path, start, end = self._path, node.start_byte, node.end_byte
        while len(path) > 1 and (path[-1][1] < end or path[-1][0].start_byte > start):
            path.pop()
        around = path[-1][0]
        while (child := around.child_with_descendant(node)) is not None and child != node:
            path.append((child, child.end_byte))
            around = child
        if around == node:
            path.pop()
        return [each for each, _ in path]
