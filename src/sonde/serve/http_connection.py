"""A connection of the HTTP server, which gives way when there are too many."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 512


class Connection(H11Protocol):
    """Open connections cost nothing until the last one is taken; then the idlest goes.

    Clients that connect and say nothing, or their headers a byte at a time, would keep everyone
    else out for as long as they like.
    """

    since = 0.0  # when the connection was made or last used

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for another client."""
        super().connection_made(transport)
        self.since = self.loop.time()
        if len(self.connections) >= MOST_CONNECTIONS:
            idle = [each for each in self.connections if isinstance(each, Connection) and each.idle]
            if idle:
                idlest = min(idle, key=lambda each: each.since)
                self.connections.discard(idlest)  # aborting takes a moment, but it no longer counts
                idlest.transport.abort()

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def on_response_complete(self) -> None:
        """A client that asked is idle only from now on."""
        self.since = self.loop.time()
        super().on_response_complete()
