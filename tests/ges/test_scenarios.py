"""Scenario files whose `raised` lists what flows raise, in process and over gRPC with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.scenario import GrpcDriver, InProcessDriver, Packs, read_scenario, report_lines, run_scenario
from bridge.testing.process import ServerProcess

HERE = Path(__file__).resolve().parent / "scenarios"
FILES = sorted(HERE.glob("*.json"))
PACKS = Packs()


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
@pytest.mark.parametrize("way", ["in_process", "over_grpc"])
def test_a_scenario(path: Path, way: str, gcs_server: ServerProcess) -> None:
    driver = InProcessDriver if way == "in_process" else lambda: GrpcDriver(gcs_server.address)
    failure = run_scenario(read_scenario(path), driver, PACKS)
    if failure is not None:
        pytest.fail("\n".join(report_lines(failure)), pytrace=False)


def test_there_are_some() -> None:
    assert len(FILES) >= 2
