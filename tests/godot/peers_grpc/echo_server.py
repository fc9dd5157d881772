"""A grpcio server whose methods do what the call's metadata asks for.

Methods of `test.Echo` take and give raw bytes:

- `Unary` answers with its request, `ServerStream` with `x-count` copies of it, `ClientStream` with
  "<messages> <bytes>", `Bidi` with each message as it comes.
- `Silent` never answers. `Cancelled` answers with the number of calls that clients have cancelled so far.
- `Restart` answers, then lets this server finish its calls while another one takes over the port, as a deployment does.

Metadata: `x-status`, `x-message`, `x-details-bin` end the call with a status; `x-delay-ms` waits before the answer;
`x-reply-bytes` sets the size of each reply; keys that start with `x-echo-` come back in headers and in trailers;
`x-token` is what `authorization` must be.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

SERVICE = "test.Echo"


@dataclass
class Echo:
    """The servers that listen on the port, the newest last, and what they have counted."""

    address: str
    options: list[tuple[str, Any]]
    compression: grpc.Compression
    credentials: grpc.ServerCredentials | None = None
    servers: list[grpc.aio.Server] = field(default_factory=list)
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)
    cancelled: int = 0

    async def start_server(self) -> int:
        """Starts one more server on the address and returns its port."""
        server = grpc.aio.server(options=self.options, compression=self.compression)
        server.add_generic_rpc_handlers((self.handlers(),))
        if self.credentials is None:
            port = server.add_insecure_port(self.address)
        else:
            port = server.add_secure_port(self.address, self.credentials)
        await server.start()
        self.servers.append(server)
        return port

    def handlers(self) -> grpc.GenericRpcHandler:
        """The methods, without serializers: messages are bytes."""
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "Unary": grpc.unary_unary_rpc_method_handler(self.unary),
                "ServerStream": grpc.unary_stream_rpc_method_handler(self.server_stream),
                "ClientStream": grpc.stream_unary_rpc_method_handler(self.client_stream),
                "Bidi": grpc.stream_stream_rpc_method_handler(self.bidi),
                "Silent": grpc.unary_unary_rpc_method_handler(self.silent),
                "Cancelled": grpc.unary_unary_rpc_method_handler(self.count_cancelled),
                "Restart": grpc.unary_unary_rpc_method_handler(self.restart),
            },
        )

    async def begin(self, context: grpc.aio.ServicerContext[Any, Any]) -> dict[str, str | bytes]:
        """Sends the headers asked for and ends the call where a status or another token is asked for."""
        metadata = tuple(context.invocation_metadata() or ())
        wanted: dict[str, str | bytes] = dict(metadata)
        echoed = tuple((key, value) for key, value in metadata if key.startswith("x-echo-"))
        await context.send_initial_metadata(echoed)
        context.set_trailing_metadata(echoed)
        if "x-delay-ms" in wanted:
            await asyncio.sleep(int(wanted["x-delay-ms"]) / 1000)
        if wanted.get("x-token", wanted.get("authorization")) != wanted.get("authorization"):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "bad token")
        if "x-status" in wanted:
            trailers = echoed
            if "x-details-bin" in wanted:
                trailers += (("grpc-status-details-bin", wanted["x-details-bin"]),)
            context.set_trailing_metadata(trailers)
            code = next(code for code in grpc.StatusCode if code.value[0] == int(wanted["x-status"]))
            message = wanted.get("x-message-bin", wanted.get("x-message", ""))
            await context.abort(code, message.decode() if isinstance(message, bytes) else message, trailers)
        return wanted

    @staticmethod
    def reply(request: bytes, wanted: dict[str, str | bytes]) -> bytes:
        """The reply to one message, resized as asked for."""
        if "x-reply-bytes" not in wanted:
            return request
        size = int(wanted["x-reply-bytes"])
        return (request * (size // max(1, len(request)) + 1))[:size] if request else bytes(size)

    async def unary(self, request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        return self.reply(request, await self.begin(context))

    async def server_stream(self, request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[bytes]:
        wanted = await self.begin(context)
        reply = self.reply(request, wanted)
        for _ in range(int(wanted.get("x-count", "1"))):
            yield reply

    async def client_stream(self, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        await self.begin(context)
        sizes = [len(request) async for request in requests]
        return f"{len(sizes)} {sum(sizes)}".encode()

    async def bidi(
        self, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[bytes]:
        wanted = await self.begin(context)
        async for request in requests:
            yield self.reply(request, wanted)

    async def silent(self, _request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        await context.send_initial_metadata(())
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled += 1
        return b""

    async def count_cancelled(self, _request: bytes, _context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        return str(self.cancelled).encode()

    async def restart(self, request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        old = self.servers[-1]
        await self.start_server()
        task = asyncio.create_task(old.stop(grace=30))
        self.tasks.add(task)
        return request


async def main() -> None:
    """Serves until SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", default="127.0.0.1:0")
    parser.add_argument("--unix", action="store_true", help="listen on a unix socket in a new folder")
    parser.add_argument("--gzip", action="store_true", help="compress all replies, asked for or not")
    parser.add_argument("--max-streams", type=int, default=0, help="SETTINGS_MAX_CONCURRENT_STREAMS")
    parser.add_argument("--impatient", action="store_true", help="keep grpcio's own rules about PINGs")
    parser.add_argument("--tls", action="store_true", help="serve TLS with the certificate of the relay")
    arguments = parser.parse_args()
    options: list[tuple[str, Any]] = [("grpc.max_receive_message_length", 16 << 20)]
    if not arguments.impatient:
        options += [("grpc.http2.min_ping_interval_without_data_ms", 10), ("grpc.keepalive_permit_without_calls", 1)]
    if arguments.max_streams:
        options.append(("grpc.max_concurrent_streams", arguments.max_streams))
    credentials = None
    if arguments.tls:
        folder = Path(__file__).parent
        pair = ((folder / "localhost.key").read_bytes(), (folder / "localhost.crt").read_bytes())
        credentials = grpc.ssl_server_credentials([pair])
    compression = grpc.Compression.Gzip if arguments.gzip else grpc.Compression.NoCompression
    address = f"unix:{tempfile.mkdtemp(prefix='gcs-')}/echo.sock" if arguments.unix else arguments.address
    echo = Echo(address, options, compression, credentials)
    port = await echo.start_server()
    if not arguments.unix:
        echo.address = f"127.0.0.1:{port}"
    print(f"echo_server {os.getpid()} listening on {echo.address}", flush=True)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await stopped.wait()
    await asyncio.gather(*(server.stop(None) for server in echo.servers))


if __name__ == "__main__":
    asyncio.run(main())
