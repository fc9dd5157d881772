"""Where Prometheus reads the metrics: ``/metrics`` over HTTP, in a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Callable, Collection, Iterable
from http import HTTPStatus
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry, Metric, PlatformCollector, ProcessCollector, make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer
from prometheus_client.registry import Collector

# Seconds that a scrape waits for a busy event loop; Prometheus itself gives up after ten.
_PATIENCE: Final = 5.0
# Seconds that a client may take for its request.
_REQUEST_SECONDS: Final = 10.0


class MetricsEndpoint:
    """An HTTP endpoint with metrics that are gathered in an event loop.

    Attributes:
        port: Where it listens.
    """

    def __init__(
        self, host: str, port: int, gather: Callable[[], Iterable[Metric]], names: Collection[str] = ()
    ) -> None:
        """Listens. It has to be made in the thread of the event loop.

        Args:
            host: Where to listen.
            port: Where to listen; 0: at a free port.
            gather: Puts the metrics together; called in the event loop, so that it sees no half-done action.
            names: Names that clients may call it by, beside its address, ``localhost`` and the machine's own name.

        Raises:
            OSError: It cannot listen there.
        """
        registry = CollectorRegistry()
        registry.register(_LoopCollector(asyncio.get_running_loop(), gather))
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        app = _HostCheck(make_wsgi_app(registry), {host, "localhost", socket.gethostname(), *names})
        server = _ServerOverIPv6 if ":" in host else ThreadingWSGIServer
        self._server = make_server(host, port, app, server, handler_class=_Handler)
        self.port: int = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, name="gcs-metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops listening. It may take half a second: not to be called in the event loop's thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _ServerOverIPv6(ThreadingWSGIServer):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = _REQUEST_SECONDS

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the standard library
        """Nothing: scrapes come all the time."""


class _HostCheck:
    """Answers those alone who know whom they ask.

    A page in a browser can have its own name lead to this machine and read what is here as if it were its own; but the
    browser then says that name.
    """

    def __init__(self, app: Callable[..., Iterable[bytes]], names: Collection[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answers a request, as WSGI has it."""
        if is_known(environ.get("HTTP_HOST", ""), self._names):
            return self._app(environ, start_response)
        status = HTTPStatus.MISDIRECTED_REQUEST
        start_response(f"{status.value} {status.phrase}", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"These metrics are not at the host that you ask; see --metrics-host.\n"]


def is_known(host: str, names: Collection[str]) -> bool:
    """Whether a request's Host is an address, which no page can have as its name, or one of some names.

    Args:
        host: The header: a host, perhaps with a port.
        names: The names, in lower case.
    """
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return name.lower().removesuffix(".") in names
    return True


class _LoopCollector(Collector):
    """Asks the event loop's thread for the metrics."""

    def __init__(self, loop: asyncio.AbstractEventLoop, gather: Callable[[], Iterable[Metric]]) -> None:
        self._loop = loop
        self._gather = gather

    def describe(self) -> Iterable[Metric]:
        """Nothing: names are known by asking, which must not be done before the loop runs."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """The metrics.

        Raises:
            TimeoutError: The event loop is busy.
        """
        return asyncio.run_coroutine_threadsafe(self._gathered(), self._loop).result(_PATIENCE)

    async def _gathered(self) -> list[Metric]:
        return list(self._gather())
