"""Pytest fixtures: import the names into a ``conftest.py``, or list this module in ``pytest_plugins``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bridge.testing.client import Client
from bridge.testing.process import ServerProcess


@pytest.fixture(scope="session")
def gcs_server() -> Iterator[ServerProcess]:
    """A real server on a free port, the same for all tests of a run."""
    with ServerProcess() as server:
        yield server


@pytest.fixture
def gcs_client(gcs_server: ServerProcess) -> Iterator[Client]:
    """A client of that server."""
    with Client(gcs_server.address) as client:
        yield client
