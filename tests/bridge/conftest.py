"""A real server for the tests of the bridge, and clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client
from bridge.testing.fixtures import gcs_client, gcs_server, gcs_settings
from bridge.testing.process import FREE_PORT, ServerProcess

__all__ = ["gcs_client", "gcs_server", "gcs_settings"]

# Limits that a test can reach.
TIGHT = ServerLimits(
    battles=8,
    streams_per_battle=2,
    message_bytes=100_000,
    events_kept=60,
    node_budget=5_000,
    queued_messages=8,
)


@pytest.fixture(scope="session")
def tight_server() -> Iterator[ServerProcess]:
    """A server that allows little."""
    settings = ServerSettings(address=FREE_PORT, allow_inline_packs=False, limits=TIGHT)
    with ServerProcess(settings) as server:
        yield server


@pytest.fixture
def tight_client(tight_server: ServerProcess) -> Iterator[Client]:
    """A client of the server that allows little."""
    with Client(tight_server.address) as client:
        yield client
