"""``python -m benchmarks.echo_server``: a bare stream on the same grpcio, as the measure of what gRPC itself costs.

The first four bytes of a message say how many bytes to answer with; nothing is decoded and nothing is built.
"""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from grpc import aio

METHOD = "/gcs.benchmarks.Echo/Play"
SIZE_BYTES = 4


async def _echo(_: object, context: aio.ServicerContext[bytes, bytes]) -> None:
    while True:
        data: Any = await context.read()
        if not isinstance(data, bytes):
            return
        await context.write(bytes(int.from_bytes(data[:SIZE_BYTES], "big")))


async def _serve() -> None:
    service, _, method = METHOD.strip("/").partition("/")
    server = aio.server()
    handler = grpc.method_handlers_generic_handler(service, {method: grpc.stream_stream_rpc_method_handler(_echo)})
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"echo: listening on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(_serve())
