"""A server that speaks another major protocol version, for the test that the addon refuses it in plain words."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import grpc

from bridge.pb.gcs.v1 import service_pb2, service_pb2_grpc


class OtherVersion(service_pb2_grpc.BattleServiceServicer):
    """Knows what it is, and nothing else."""

    def GetServerInfo(  # noqa: N802 - the method's name in the proto
        self, request: service_pb2.GetServerInfoRequest, context: grpc.ServicerContext
    ) -> service_pb2.GetServerInfoResponse:
        return service_pb2.GetServerInfoResponse(version="9.9.9", protocol_major=99)


def main() -> None:
    ended = Event()
    signal.signal(signal.SIGTERM, lambda number, frame: ended.set())
    server = grpc.server(ThreadPoolExecutor(max_workers=2))
    service_pb2_grpc.add_BattleServiceServicer_to_server(OtherVersion(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    ended.wait()
    server.stop(None)


if __name__ == "__main__":
    main()
