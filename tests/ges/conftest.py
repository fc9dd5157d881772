"""A real server for the tests of the bridge."""

from __future__ import annotations

from bridge.testing.fixtures import gcs_client, gcs_server, gcs_settings

__all__ = ["gcs_client", "gcs_server", "gcs_settings"]
