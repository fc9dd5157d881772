"""Scenario files: tests of a battle without code, run in process and over gRPC with the same result.

    >>> from pathlib import Path
    >>> from bridge.scenario import InProcessDriver, read_scenario, run_scenario
    >>> failure = run_scenario(read_scenario(Path("strike.json")), InProcessDriver)  # doctest: +SKIP

`Driver` is the interface that both kinds of battle have, `InProcessDriver` and `GrpcDriver`; a `BattleView` is
what either shows of its battle. The terminal game plays through them as well.
"""

from bridge.scenario.driver import BattleSpec, Driver, DriverError
from bridge.scenario.format import Scenario, read_scenario
from bridge.scenario.in_process import InProcessDriver
from bridge.scenario.over_grpc import GrpcDriver
from bridge.scenario.packs import Packs
from bridge.scenario.report import report_lines
from bridge.scenario.runner import Failure, run_scenario
from bridge.scenario.views import BattleView, Happening

__all__ = [
    "BattleSpec",
    "BattleView",
    "Driver",
    "DriverError",
    "Failure",
    "GrpcDriver",
    "Happening",
    "InProcessDriver",
    "Packs",
    "Scenario",
    "read_scenario",
    "report_lines",
    "run_scenario",
]
