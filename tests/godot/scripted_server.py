"""The process of a server of our protocol that does what a test needs, and nothing else."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import grpc

from bridge.pb.gcs.v1 import service_pb2_grpc


def serve(battles: service_pb2_grpc.BattleServiceServicer) -> None:
    """Serves on a free port, whose address it prints, until SIGTERM."""
    ended = Event()
    signal.signal(signal.SIGTERM, lambda number, frame: ended.set())
    server = grpc.server(ThreadPoolExecutor(max_workers=8))
    service_pb2_grpc.add_BattleServiceServicer_to_server(battles, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    ended.wait()
    server.stop(None)
