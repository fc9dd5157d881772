"""The health service of gRPC, for load balancers and clients that watch the server.

Not the servicer of grpcio-health-checking: its `Watch` never ends, so that whoever watches would hold a stop for the
whole grace time; and one client that takes nothing off its stream would hold up the stop itself for ever.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Final

from grpc_health.v1 import health_pb2 as pb

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, exhausted, not_found
from bridge.server.rpc import Context
from bridge.settings import NO_TOKEN_METADATA

HEALTH: Final = "grpc.health.v1.Health"
_NO_TOKEN: Final = ((NO_TOKEN_METADATA, "1"),)
# Watches of one connection; a client needs one for each service that it calls.
_ON_ONE_CONNECTION: Final = 4
_SERVING: Final = pb.HealthCheckResponse(status=pb.HealthCheckResponse.SERVING)
_NOT_SERVING: Final = pb.HealthCheckResponse(status=pb.HealthCheckResponse.NOT_SERVING)
_UNKNOWN: Final = pb.HealthCheckResponse(status=pb.HealthCheckResponse.SERVICE_UNKNOWN)


class HealthService:
    """Check and Watch of grpc.health.v1.Health. All services serve from the start until the server stops."""

    def __init__(self, services: Iterable[str], stopping: CallError, most_watches: int) -> None:
        """Makes it for a server that is about to start.

        Args:
            services: The full names of its services; the server as a whole has the empty one besides.
            stopping: What the streams of those who watch end with.
            most_watches: How many may watch at a time: they show no token.
        """
        self._services = frozenset(("", *services))
        self._stopping = stopping
        self._stopped = asyncio.Event()
        self._most_watches = most_watches
        self._watching: Counter[str] = Counter()

    def stop(self) -> None:
        """No service serves any more. Those who watch are told so, and their streams end."""
        self._stopped.set()

    async def check(self, request: pb.HealthCheckRequest, context: Context) -> pb.HealthCheckResponse:
        """Tells whether a service serves."""
        await context.send_initial_metadata(_NO_TOKEN)
        if request.service not in self._services:
            raise not_found("service", request.service)
        return _NOT_SERVING if self._stopped.is_set() else _SERVING

    async def watch(self, request: pb.HealthCheckRequest, context: Context) -> None:
        """Tells whether a service serves, and again once it does no more."""
        await context.send_initial_metadata(_NO_TOKEN)
        peer = context.peer()
        if self._watching[peer] >= _ON_ONE_CONNECTION:
            raise _too_many("one connection", _ON_ONE_CONNECTION)
        if self._watching.total() >= self._most_watches:
            raise _too_many("all connections", self._most_watches)
        self._watching[peer] += 1
        try:
            await self._tell(request.service, context)
        finally:
            self._watching[peer] -= 1
            if not self._watching[peer]:
                del self._watching[peer]

    async def _tell(self, service: str, context: Context) -> None:
        known = service in self._services
        if not self._stopped.is_set():
            await context.write((_SERVING if known else _UNKNOWN).SerializeToString())
            await self._stopped.wait()
        if known:
            await context.write(_NOT_SERVING.SerializeToString())
        raise self._stopping


def _too_many(whose: str, limit: int) -> CallError:
    return exhausted(ErrorReason.TOO_MANY_STREAMS, f"{whose} may watch the health {limit} times at once", limit)
