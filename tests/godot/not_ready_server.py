"""A server that is not ready: it stands, but answers the first asks for what it is with UNAVAILABLE."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event

import grpc

from bridge.pb.gcs.v1 import service_pb2, service_pb2_grpc

NOT_READY = 5
"""How many asks in a row it refuses; the next one is answered, and then it begins again."""


class NotReadyServer(service_pb2_grpc.BattleServiceServicer):
    """Answers one ask after `NOT_READY` that it refuses."""

    def __init__(self) -> None:
        self._asks = count(1)

    def GetServerInfo(  # noqa: N802 - the method's name in the proto
        self, request: service_pb2.GetServerInfoRequest, context: grpc.ServicerContext
    ) -> service_pb2.GetServerInfoResponse:
        ask = next(self._asks)
        if ask % (NOT_READY + 1):
            context.abort(grpc.StatusCode.UNAVAILABLE, f"ask {ask} comes too early")
        return service_pb2.GetServerInfoResponse(version=f"0.0.{ask}", protocol_major=1)


def main() -> None:
    ended = Event()
    signal.signal(signal.SIGTERM, lambda number, frame: ended.set())
    server = grpc.server(ThreadPoolExecutor(max_workers=8))
    service_pb2_grpc.add_BattleServiceServicer_to_server(NotReadyServer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    ended.wait()
    server.stop(None)


if __name__ == "__main__":
    main()
