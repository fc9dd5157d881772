"""Every scenario file below this folder, in process and over gRPC with the same result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.scenario import GrpcDriver, InProcessDriver, Packs, read_scenario, report_lines, run_scenario
from tests.bridge.processes import gcs_server

HERE = Path(__file__).resolve().parent
FILES = sorted(HERE.rglob("*.json"))
NAMES = [path.relative_to(HERE).with_suffix("").as_posix() for path in FILES]
PACKS = Packs()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A real server that lets scenarios set state."""
    with gcs_server("--allow-set-state") as (found, _):
        yield found


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_in_process(path: Path) -> None:
    failure = run_scenario(read_scenario(path), InProcessDriver, PACKS)
    if failure is not None:
        pytest.fail("\n".join(report_lines(failure)), pytrace=False)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_over_grpc(path: Path, address: str) -> None:
    failure = run_scenario(read_scenario(path), lambda: GrpcDriver(address), PACKS)
    if failure is not None:
        pytest.fail("\n".join(report_lines(failure)), pytrace=False)
