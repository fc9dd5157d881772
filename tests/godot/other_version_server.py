"""A server that speaks another major protocol version, for the test that the addon refuses it in plain words."""

from __future__ import annotations

import grpc

from bridge.pb.gcs.v1 import service_pb2, service_pb2_grpc
from tests.godot.scripted_server import serve


class OtherVersion(service_pb2_grpc.BattleServiceServicer):
    """Knows what it is, and nothing else."""

    def GetServerInfo(  # noqa: N802 - the method's name in the proto
        self, request: service_pb2.GetServerInfoRequest, context: grpc.ServicerContext
    ) -> service_pb2.GetServerInfoResponse:
        return service_pb2.GetServerInfoResponse(version="9.9.9", protocol_major=99)


if __name__ == "__main__":
    serve(OtherVersion())
