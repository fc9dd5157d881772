"""Where Prometheus reads the metrics: ``/metrics`` over HTTP, in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from prometheus_client import CollectorRegistry, Metric, PlatformCollector, ProcessCollector, start_http_server
from prometheus_client.registry import Collector

# Seconds that a scrape waits for a busy event loop; Prometheus itself gives up after ten.
_PATIENCE: Final = 5.0


class MetricsEndpoint:
    """An HTTP endpoint with metrics that are gathered in an event loop.

    Attributes:
        port: Where it listens.
    """

    def __init__(self, host: str, port: int, gather: Callable[[], Iterable[Metric]]) -> None:
        """Listens. It has to be made in the thread of the event loop.

        Args:
            host: Where to listen.
            port: Where to listen; 0: at a free port.
            gather: Puts the metrics together; called in the event loop, so that it sees no half-done action.

        Raises:
            OSError: It cannot listen there.
        """
        registry = CollectorRegistry()
        registry.register(_LoopCollector(asyncio.get_running_loop(), gather))
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self._server, self._thread = start_http_server(port, host, registry)
        self.port: int = self._server.server_port

    def close(self) -> None:
        """Stops listening. It may take half a second: not to be called in the event loop's thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


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
