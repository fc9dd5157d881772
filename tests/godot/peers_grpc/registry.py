"""How scenarios of the scripted server get their names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tests.godot.peers_grpc.http2_peer import Http2Peer

Scenario = Callable[..., Awaitable[None]]


def register(scenarios: dict[str, Scenario]) -> Callable[[Scenario], Scenario]:
    """Adds a coroutine to `scenarios` under its own name; its connection then stays open until the client closes it."""

    def decorate(run: Scenario) -> Scenario:
        async def connection(peer: Http2Peer, number: int, *arguments: str) -> None:
            await run(peer, number, *arguments)
            await peer.writer.drain()
            await peer.until(lambda: peer.closed)

        scenarios[run.__name__] = connection
        return run

    return decorate
