"""Certificates from an authority that only these tests trust."""

from __future__ import annotations

from pathlib import Path

import pytest
import trustme

from tests.bridge.relay.identity import Identity, issued_by


@pytest.fixture(scope="session")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    """A certificate for this machine."""
    return issued_by(trustme.CA(), tmp_path_factory.mktemp("identity"))


@pytest.fixture
def renewable(tmp_path: Path) -> tuple[trustme.CA, Identity]:
    """A certificate that a test may replace, with its authority."""
    authority = trustme.CA()
    return authority, issued_by(authority, tmp_path)
