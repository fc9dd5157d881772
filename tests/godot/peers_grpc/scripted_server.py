"""An HTTP/2 peer that does what a scenario says, kept rules or broken ones.

A test talks to it over a control connection, one line each way:

- `open NAME [ARGUMENT...]` opens a new port where each connection runs that scenario, and answers with the port.
- `report PORT` answers with a JSON list: for each connection so far, the client's frames and what was wrong with them.
- `shut PORT` closes that port and cuts its connections.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from dataclasses import dataclass, field

from tests.godot.peers_grpc.http2_peer import Http2Peer
from tests.godot.peers_grpc.scenarios import SCENARIOS as SOUND
from tests.godot.peers_grpc.scenarios_hostile import SCENARIOS as HOSTILE

SCENARIOS = SOUND | HOSTILE


@dataclass
class Stage:
    """A port with a scenario and the connections that came."""

    name: str
    arguments: list[str]
    peers: list[Http2Peer] = field(default_factory=list)
    server: asyncio.Server | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Runs the scenario on one connection and keeps that open until the client or the scenario closes it."""
        peer = Http2Peer(reader, writer)
        self.peers.append(peer)
        try:
            await SCENARIOS[self.name](peer, len(self.peers), *self.arguments)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def control(stages: dict[int, Stage], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers the lines of one control connection."""
    while line := await reader.readline():
        verb, *words = line.decode().split()
        if verb == "open":
            stage = Stage(words[0], words[1:])
            stage.server = await asyncio.start_server(stage.serve, "127.0.0.1", 0)
            port = stage.server.sockets[0].getsockname()[1]
            stages[port] = stage
            answer = str(port)
        elif verb == "report":
            answer = json.dumps([peer.report() for peer in stages[int(words[0])].peers])
        elif verb == "shut":
            stage = stages[int(words[0])]
            assert stage.server is not None
            stage.server.close()
            for peer in stage.peers:
                peer.writer.transport.abort()
            answer = "shut"
        else:
            answer = f"unknown verb {verb}"
        writer.write(answer.encode() + b"\n")
        await writer.drain()
    writer.close()


async def main() -> None:
    """Serves control connections until SIGTERM."""
    stages: dict[int, Stage] = {}
    server = await asyncio.start_server(lambda r, w: control(stages, r, w), "127.0.0.1", 0, limit=1 << 20)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    host, port = server.sockets[0].getsockname()[:2]
    print(f"scripted_server {os.getpid()} listening on {host}:{port}", flush=True)
    await stopped.wait()


if __name__ == "__main__":
    asyncio.run(main())
