"""The server: its services on one address, from start to graceful stop."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import grpc
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import SERVICE_NAME as HEALTH
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection

from bridge import __version__
from bridge.battles import Battles
from bridge.errors import CallError
from bridge.ges import Clock, Ges
from bridge.ges.clock import Wake
from bridge.ges.plugins import installed_plugins
from bridge.library import PackLibrary
from bridge.operation.collector import metrics_of
from bridge.operation.endpoint import MetricsEndpoint
from bridge.pb.gcs.v1 import content_pb2, ges_pb2, service_pb2
from bridge.rate import RateLimit
from bridge.rpc import Calls, handlers
from bridge.services.battle_service import BattleService
from bridge.services.content_service import ContentService
from bridge.services.ges_service import GesService
from bridge.settings import ServerSettings
from bridge.simulation import Simulator

_log: Final = logging.getLogger(__name__)

_SWEEP_MS: Final = 10_000
STOPPING: Final = CallError(grpc.StatusCode.UNAVAILABLE, "SERVER_STOPPING", "the server stops; join again later")


class ListenError(Exception):
    """The address cannot be listened on, or must not be."""


class Server:
    """A gRPC server with its battles.

    Attributes:
        battles: The battles.
        ges: The bridge to GES.
        address: Where it listens, once started: ``HOST:PORT`` or ``unix:PATH``.
        metrics: Where its metrics are, once started: a URL; empty: nowhere.
        calls: What its calls are counted in, and whether it takes any.
    """

    def __init__(self, settings: ServerSettings, clock: Clock | None = None) -> None:
        """Makes a server that does not listen yet.

        Args:
            settings: Its settings.
            clock: The time of its battles; by default the real one.

        Raises:
            FileNotFoundError: A folder of the settings is no pack.
        """
        self._settings = settings
        limits = settings.limits
        library = PackLibrary(settings.packs, limits.inline_packs)
        self.ges = Ges(limits, clock)
        self.calls = Calls()
        self.battles = Battles(settings, library, self.ges, self.calls.counters)
        self.address = settings.address
        self.metrics = ""
        self._endpoint: MetricsEndpoint | None = None
        self._health = health_aio.HealthServicer()
        self._server = aio.server(options=_channel_options(settings))
        self._sweeping: Wake | None = None
        rate = RateLimit(limits.actions_per_second)
        self._simulator = Simulator(library, settings)
        battle_service = BattleService(self.battles, library, self._simulator, settings, rate)
        services = (
            (service_pb2.DESCRIPTOR, "BattleService", battle_service),
            (ges_pb2.DESCRIPTOR, "GesService", GesService(self.battles, library, self.ges, rate)),
            (content_pb2.DESCRIPTOR, "ContentService", ContentService(library, settings)),
        )
        descriptors = [(file.services_by_name[name], servicer) for file, name, servicer in services]
        generic = tuple(handlers(service, servicer, self.calls) for service, servicer in descriptors)
        self._server.add_generic_rpc_handlers(generic)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self._names = [service.full_name for service, _ in descriptors]
        reflection.enable_server_reflection([*self._names, HEALTH, reflection.SERVICE_NAME], self._server)

    async def start(self) -> None:
        """Listens.

        Raises:
            ListenError: The address cannot or must not be listened on.
        """
        address = self._settings.address
        _check_address(address)
        try:
            port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise ListenError(f"cannot listen on {address}: is another server running there?") from error
        if not address.startswith("unix:"):
            self.address = f"{address.rpartition(':')[0]}:{port}"
        self._serve_metrics()
        await self._server.start()
        for name in ("", *self._names):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        self._sweep()
        # Modules and packs stay: the collector need not look at them again and again.
        gc.freeze()

    def _serve_metrics(self) -> None:
        address = self._settings.metrics
        if not address:
            return
        if address.startswith("unix:"):
            raise ListenError(f"{address!r}: metrics are served over TCP, expected HOST:PORT")
        host, port = _host_and_port(address)
        if not self._settings.public_metrics and not _is_loopback(host):
            message = f"metrics at {address} can be read from other machines; allow that with --public-metrics"
            raise ListenError(message)
        try:
            self._endpoint = MetricsEndpoint(
                host, port, lambda: metrics_of(self.calls.counters, self.battles, self.ges.monitor)
            )
        except OSError as error:
            raise ListenError(f"cannot listen on {address} for metrics: {error.strerror}") from error
        self.metrics = f"http://{address.rpartition(':')[0]}:{self._endpoint.port}/metrics"

    def _sweep(self) -> None:
        self.battles.drop_idle()
        clock = self.ges.clock
        self._sweeping = clock.call_at(clock.now() + _SWEEP_MS, self._sweep)

    async def stop(self) -> None:
        """Takes no more calls, tells those who listen, and waits a while until all calls have ended.

        An action that runs is carried out and answered.
        """
        self.calls.refusal = STOPPING
        if self._sweeping is not None:
            self._sweeping.cancel()
        # Those who watch the server's health hear of it before anything else ends.
        await self._health.enter_graceful_shutdown()
        self.battles.close(STOPPING)
        self.ges.streams.close(STOPPING)
        self._simulator.close(STOPPING)
        await self._server.stop(self._settings.grace_seconds)
        if self._endpoint is not None:
            await asyncio.to_thread(self._endpoint.close)


async def serve(settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Runs a server until SIGTERM or SIGINT.

    Args:
        settings: Its settings.
        announce: Is told the address once the server listens.

    Raises:
        ListenError: The address cannot or must not be listened on.
        FileNotFoundError: A folder of the settings is no pack.
    """
    server = Server(settings)
    for install in installed_plugins():
        install(server.ges)
    with _stop_signals() as stopped:
        await server.start()
        _log.info("listening", extra=_fields(address=server.address, metrics=server.metrics, version=__version__))
        announce(server.address)
        await stopped.wait()
        _log.info("stopping: %d battles", len(server.battles))
        await server.stop()
    _log.info("stopped")


def _fields(**fields: str) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}


@contextmanager
def _stop_signals() -> Iterator[asyncio.Event]:
    """An event that is set by SIGTERM or SIGINT. A second signal ends the process at once."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}

    def stop(*_: object) -> None:
        for number in before:
            signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(stopped.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        # Not loop.add_signal_handler, which Windows does not have.
        before[number] = signal.signal(number, stop)
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check_address(address: str) -> None:
    """Raises ListenError for an address that others than this machine can reach: there is no encryption."""
    if address.startswith("unix:"):
        return
    host, _ = _host_and_port(address)
    if not _is_loopback(host):
        raise ListenError(f"{address} can be reached from other machines; listen on 127.0.0.1 or a unix: socket")


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ListenError(f"{address!r} is no address: expected HOST:PORT or unix:PATH")
    return host.strip("[]"), int(port)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _channel_options(settings: ServerSettings) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", settings.limits.message_bytes),
        # Two servers on one port would share its clients, each with other battles.
        ("grpc.so_reuseport", 0),
        # A client pings after a second of silence, to notice a dead server while a player looks at the
        # screen; gRPC's own limits would end such a connection.
        ("grpc.http2.min_ping_interval_without_data_ms", 500),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_ping_strikes", 0),
    ]
