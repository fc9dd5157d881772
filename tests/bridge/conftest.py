"""Real servers for the tests of the bridge, clients, and certificates from an authority that these tests trust."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client
from bridge.testing.fixtures import gcs_client, gcs_server, gcs_settings
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.identity import Identity, issued_by

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


@pytest.fixture(scope="session")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    """A certificate for this machine."""
    return issued_by(trustme.CA(), tmp_path_factory.mktemp("identity"))


@pytest.fixture
def renewable(tmp_path: Path) -> tuple[trustme.CA, Identity]:
    """A certificate that a test may replace, with its authority."""
    authority = trustme.CA()
    return authority, issued_by(authority, tmp_path)
