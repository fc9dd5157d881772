"""Pytest fixtures: import the names into a ``conftest.py``, or list this module in ``pytest_plugins``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bridge.settings import ServerSettings
from bridge.testing.client import Client
from bridge.testing.process import FREE_PORT, ServerProcess


@pytest.fixture(scope="session")
def gcs_settings() -> ServerSettings:
    """What `gcs_server` is started with. A project with packs of its own overrides it, and names them there."""
    return ServerSettings(address=FREE_PORT, allow_set_state=True)


@pytest.fixture(scope="session")
def gcs_server(gcs_settings: ServerSettings) -> Iterator[ServerProcess]:
    """A real server with `gcs_settings`, the same for all tests of a run."""
    with ServerProcess(gcs_settings) as server:
        yield server


@pytest.fixture
def gcs_client(gcs_server: ServerProcess) -> Iterator[Client]:
    """A client of that server."""
    with Client(gcs_server.address) as client:
        yield client
