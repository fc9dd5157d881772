"""The server: its services on one address, from start to graceful stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from google.protobuf import descriptor_pool
from grpc import aio
from grpc_reflection.v1alpha import reflection

from bridge import __version__
from bridge.battles.battles import Battles
from bridge.battles.packs import PackLibrary
from bridge.battles.simulation import Simulator
from bridge.error_reasons import ErrorReason
from bridge.errors import CallError
from bridge.ges import Clock, Ges, MonotonicClock
from bridge.ges.clock import Wake
from bridge.ges.plugins import installed_plugins
from bridge.net.addresses import UNIX, ListenError, check_exposure, check_free, claimed, is_local, join, split
from bridge.net.tls import Certificate
from bridge.pb.gcs.v1 import content_pb2, ges_pb2, service_pb2
from bridge.relay import Relay
from bridge.server.memory import give_back_memory
from bridge.server.metrics import metrics_of
from bridge.server.metrics_endpoint import MetricsEndpoint
from bridge.server.rate import RateLimit
from bridge.server.rpc import Calls, handlers
from bridge.server.services.battle_service import BattleService
from bridge.server.services.content_service import ContentService
from bridge.server.services.ges_service import GesService
from bridge.server.services.health_service import HEALTH, HealthService
from bridge.server.stopping import stop_signals, stop_with_parent
from bridge.server.tokens import TokenCheck
from bridge.server.untaken import UntakenAnswers
from bridge.settings import ServerSettings
from bridge.store import SqliteStore, Store

_log: Final = logging.getLogger(__name__)

_SWEEP_MS: Final = 10_000
# How long a connection may take for TLS and the first bytes of HTTP/2.
_HANDSHAKE_MS: Final = 10_000
# How long calls are still taken, to be refused, before connections are told that the server goes.
_LAST_CALLS_SECONDS: Final = 0.25
STOPPING: Final = CallError(ErrorReason.SERVER_STOPPING, "the server stops; join again later")


class Server:
    """A gRPC server with its battles.

    Attributes:
        battles: The battles.
        ges: The bridge to GES.
        address: Where it listens, once started: ``HOST:PORT`` or ``unix:PATH``.
        relay: The relay in front of it, once started; None: there is none.
        metrics: Where its metrics are, once started: a URL; empty: nowhere.
        calls: What its calls are counted in, and whether it takes any.
    """

    def __init__(self, settings: ServerSettings, clock: Clock | None = None, store: Store | None = None) -> None:
        """Makes a server that does not listen yet.

        Args:
            settings: Settings of the server.
            clock: The time of its battles; by default the real one, which goes on from where the store's stood.
            store: Where battles are kept; by default the one that the settings name.

        Raises:
            FileNotFoundError: A folder of the settings is no pack.
            StoreError: The store cannot be opened, or another server has it.
        """
        self._settings = settings
        limits = settings.limits
        library = PackLibrary(settings.packs, limits.inline_packs)
        if store is None and settings.store is not None:
            store = SqliteStore(settings.store)
        if clock is None and store is not None:
            clock = MonotonicClock(start=store.server().clock)
        self.ges = Ges(limits, clock)
        self.calls = Calls(UntakenAnswers(limits.untaken_bytes))
        self.battles = Battles(settings, library, self.ges, self.calls.counters, store)
        self.address = settings.address
        self.relay: Relay | None = None
        self.metrics = ""
        self._endpoint: MetricsEndpoint | None = None
        checks = [TokenCheck(settings.tokens)] if settings.tokens else []
        self._server = aio.server(interceptors=checks, options=_channel_options(settings))
        self._sweeping: Wake | None = None
        self._waking: asyncio.Task[None] | None = None
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
        names = [service.full_name for service, _ in descriptors]
        self._health = HealthService(names, STOPPING, limits.health_streams)
        health = descriptor_pool.Default().FindServiceByName(HEALTH)
        # It answers until the end, and is not counted among the calls.
        self._server.add_generic_rpc_handlers((handlers(health, self._health, Calls(self.calls.untaken)),))
        reflection.enable_server_reflection([*names, HEALTH, reflection.SERVICE_NAME], self._server)

    async def start(self) -> None:
        """Listens. `stop` has to follow, also when it fails.

        Raises:
            ListenError: The address cannot or must not be listened on.
        """
        settings = self._settings
        tls, token = settings.tls is not None, bool(settings.tokens)
        check_exposure("--address", settings.address, tls=tls, token=token)
        if settings.relay is not None:
            check_exposure("--relay", settings.relay.listen, tls=tls, token=token)
        certificate = Certificate(settings.tls) if settings.tls is not None else None
        plain = self._add_ports(certificate)
        if settings.relay is not None:
            relay = Relay(settings.relay, plain, certificate)
            await relay.start()
            self.relay = relay
        self._serve_metrics()
        await self._server.start()
        self._sweep()
        # Modules and packs stay: the collector need not look at them again and again.
        gc.freeze()

    def _add_ports(self, certificate: Certificate | None) -> str:
        """Adds the ports to listen on; gives the plain one, or an empty string when there is none."""
        settings = self._settings
        if certificate is None or (settings.relay is not None and is_local(settings.address)):
            self.address = self._add_port(settings.address, None)
            return self.address
        if settings.address.startswith(UNIX):
            raise ListenError(f"{settings.address} is a unix: socket, which speaks no TLS; give --relay as well")
        self.address = self._add_port(settings.address, certificate)
        return self._add_port("127.0.0.1:0", None) if settings.relay is not None else ""

    def _add_port(self, address: str, certificate: Certificate | None) -> str:
        try:
            if certificate is None:
                with claimed(address), _for_owner_alone():
                    check_free(address)
                    port = self._server.add_insecure_port(address)
            else:
                check_free(address)
                port = self._server.add_secure_port(address, certificate.grpc_credentials())
        except RuntimeError as error:
            raise ListenError(f"cannot listen on {address}: {error}") from error
        return address if address.startswith(UNIX) else join(split(address)[0], port)

    def _serve_metrics(self) -> None:
        address = self._settings.metrics
        if not address:
            return
        if address.startswith(UNIX):
            raise ListenError(f"{address!r}: metrics are served over TCP, expected HOST:PORT")
        host, port = split(address)
        if not self._settings.public_metrics and not is_local(address):
            message = f"metrics at {address} can be read from other machines; allow that with --public-metrics"
            raise ListenError(message)
        try:
            self._endpoint = MetricsEndpoint(
                host,
                port,
                lambda: metrics_of(self.calls.counters, self.battles, self.ges.monitor),
                self._settings.metrics_hosts,
            )
        except OSError as error:
            raise ListenError(f"cannot listen on {address} for metrics: {error.strerror}") from error
        self.metrics = f"http://{address.rpartition(':')[0]}:{self._endpoint.port}/metrics"

    def _sweep(self) -> None:
        self.battles.keep_time()
        self.battles.drop_idle()
        if self._waking is None or self._waking.done():
            # Also those that were given up when the store failed.
            self._waking = asyncio.create_task(self.battles.wake())
        asyncio.get_running_loop().run_in_executor(None, give_back_memory)
        clock = self.ges.clock
        self._sweeping = clock.call_at(clock.now() + _SWEEP_MS, self._sweep)

    async def stop(self) -> None:
        """Takes no more calls, tells those who listen, waits a while until all calls have ended, closes the store.

        An action that runs is carried out and answered. A server that could not start is stopped as well.
        """
        try:
            await self._end()
        finally:
            await self.battles.close_store()

    async def _end(self) -> None:
        self.calls.closed = STOPPING
        if self._sweeping is not None:
            self._sweeping.cancel()
        if self._waking is not None:
            self._waking.cancel()
        if self.relay is not None:
            await self.relay.stop_listening()
        # Those who watch the server's health hear of it before anything else ends.
        self._health.stop()
        await asyncio.sleep(0)
        self.battles.close(STOPPING)
        self.ges.streams.close(STOPPING)
        self._simulator.close(STOPPING)
        # gRPC cancels, without a reason, calls that arrive while it says goodbye. Who calls all the time is told now.
        await asyncio.sleep(min(_LAST_CALLS_SECONDS, self._settings.grace_seconds))
        await self._server.stop(self._settings.grace_seconds)
        if self.relay is not None:
            # The last words of the server are still on their way.
            await self.relay.stop(self._settings.grace_seconds)
        if self._endpoint is not None:
            await asyncio.to_thread(self._endpoint.close)


async def serve(settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Runs a server until SIGTERM or SIGINT, or until the parent process is gone where the settings say so.

    Args:
        settings: Settings of the server.
        announce: Is told where the server listens, one line for the address and one for a relay.

    Raises:
        ListenError: The address cannot or must not be listened on.
        FileNotFoundError: A folder of the settings is no pack.
        StoreError: The store cannot be opened, or another server has it.
    """
    parent = os.getppid()
    server = Server(settings)
    with stop_signals() as stopped:
        watching = asyncio.create_task(stop_with_parent(stopped, parent)) if settings.exit_with_parent else None
        try:
            for install in installed_plugins():
                install(server.ges)
            await server.start()
            _log.info("listening", extra=_fields(address=server.address, metrics=server.metrics, version=__version__))
            announce(f"listening on {server.address}")
            if server.relay is not None:
                announce(f"relay on {', '.join(server.relay.urls)}")
            await stopped.wait()
            _log.info("stopping: %d battles", len(server.battles))
        finally:
            if watching is not None:
                watching.cancel()
            await server.stop()
    _log.info("stopped")


@contextmanager
def _for_owner_alone() -> Iterator[None]:
    """Files that are made meanwhile, as the socket of a ``unix:`` address is, are their owner's alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _fields(**fields: str) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}


def _channel_options(settings: ServerSettings) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", settings.limits.message_bytes),
        # Without these one connection, without a token even, holds everybody up: python -m tools.attacks.
        ("grpc.max_concurrent_streams", settings.limits.calls_per_connection),
        ("grpc.max_metadata_size", settings.limits.metadata_bytes),
        # gRPC refuses by itself what is larger; between two different sizes it would refuse some.
        ("grpc.absolute_max_metadata_size", settings.limits.metadata_bytes),
        ("grpc.max_connection_idle_ms", int(settings.limits.connection_idle_seconds * 1_000)),
        ("grpc.server_handshake_timeout_ms", _HANDSHAKE_MS),
        # Two servers on one port would share its clients, each with other battles.
        ("grpc.so_reuseport", 0),
        # A client pings after a second of silence, to notice a dead server while a player looks at the
        # screen; gRPC's own limits would end such a connection.
        ("grpc.http2.min_ping_interval_without_data_ms", 500),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_ping_strikes", 0),
        # A client that is gone without a word, as phones are, would hold its connection for hours.
        ("grpc.keepalive_time_ms", 120_000),
        ("grpc.http2.ping_timeout_ms", 30_000),
    ]
